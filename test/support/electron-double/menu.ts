/** Menus: kept, never drawn. */
import type { MenuItemConstructorOptions } from 'electron';
import { records } from './records.ts';

export class MenuItem {
  readonly label: string;
  readonly type: string;
  readonly role: string | undefined;
  readonly id: string | undefined;
  enabled: boolean;
  visible: boolean;
  checked: boolean;
  readonly submenu: Menu | undefined;
  private readonly onClick: unknown;

  constructor(options: MenuItemConstructorOptions) {
    this.label = options.label ?? '';
    this.type = options.type ?? (options.submenu === undefined ? 'normal' : 'submenu');
    this.role = options.role;
    this.id = options.id;
    this.enabled = options.enabled ?? true;
    this.visible = options.visible ?? true;
    this.checked = options.checked ?? false;
    this.submenu = Array.isArray(options.submenu) ? Menu.buildFromTemplate(options.submenu) : undefined;
    this.onClick = options.click;
  }

  click(): void {
    if (typeof this.onClick === 'function') this.onClick(this, undefined, {});
  }
}

export class Menu {
  readonly items: MenuItem[];
  private static applicationMenu: Menu | null = null;

  constructor(items: MenuItem[] = []) {
    this.items = items;
  }

  static buildFromTemplate(template: MenuItemConstructorOptions[]): Menu {
    return new Menu(template.map((options) => new MenuItem(options)));
  }

  static setApplicationMenu(menu: Menu | null): void {
    Menu.applicationMenu = menu;
  }

  static getApplicationMenu(): Menu | null {
    return Menu.applicationMenu;
  }

  getMenuItemById(id: string): MenuItem | null {
    return this.items.find((item) => item.id === id) ?? null;
  }

  popup(): void {
    records.popups.push({ menu: this });
  }
}
