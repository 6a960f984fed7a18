/** The icon in the notification area: kept, never drawn. */
import { EventEmitter } from 'node:events';
import type { Menu } from './menu.ts';
import { records } from './records.ts';

export class Tray extends EventEmitter {
  image: unknown;
  toolTip = '';
  title = '';
  menu: Menu | null = null;
  destroyed = false;

  constructor(image: unknown) {
    super();
    this.image = image;
    records.trays.push(this);
  }

  setImage(image: unknown): void {
    this.image = image;
  }
  setToolTip(toolTip: string): void {
    this.toolTip = toolTip;
  }
  setTitle(title: string): void {
    this.title = title;
  }
  setContextMenu(menu: Menu | null): void {
    this.menu = menu;
  }
  popUpContextMenu(menu: Menu | null = this.menu): void {
    menu?.popup();
  }
  setIgnoreDoubleClickEvents(): void {}
  isDestroyed(): boolean {
    return this.destroyed;
  }
  destroy(): void {
    this.destroyed = true;
  }
}
