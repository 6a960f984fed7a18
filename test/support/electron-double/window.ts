/** A window: a tab of Chromium, and what the app believes of its place and visibility. */
import { EventEmitter } from 'node:events';
import type { BrowserWindowConstructorOptions } from 'electron';
import { app, preventable } from './app.ts';
import { WebContents } from './web-contents.ts';

export class BrowserWindow extends EventEmitter {
  readonly options: BrowserWindowConstructorOptions;
  readonly webContents: WebContents;
  readonly id: number;
  private visible: boolean;
  private minimized = false;
  /** It was shown without being given the focus. */
  private inactive = false;
  private level: string | null = null;
  private maximized = false;
  private drawn = false;
  private destroyed = false;
  private bounds: { x: number; y: number; width: number; height: number };

  constructor(options: BrowserWindowConstructorOptions = {}) {
    super();
    const { nodeIntegration, contextIsolation, sandbox, webSecurity, webviewTag } =
      options.webPreferences ?? {};
    if (
      nodeIntegration === true ||
      webviewTag === true ||
      [contextIsolation, sandbox, webSecurity].includes(false)
    ) {
      throw new Error('the electron double has only windows whose pages are shut off from Node');
    }
    this.options = options;
    this.visible = options.show !== false;
    const { x = 0, y = 0, width = 800, height = 600 } = options;
    this.bounds = { x, y, width, height };
    app.windows.add(this);
    this.webContents = new WebContents(this);
    this.id = this.webContents.id;
    app.emit('browser-window-created', {}, this);
  }

  // For web-contents.ts alone.

  isDrawn(): void {
    if (this.drawn) return;
    this.drawn = true;
    this.emit('ready-to-show');
  }
  hasGone(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.webContents.hasGone();
    this.emit('closed');
    app.windowIsGone(this);
  }

  openAnother(url: string): void {
    void new BrowserWindow({ show: false }).loadURL(url).catch(() => {});
  }

  // As in Electron.

  static getAllWindows(): BrowserWindow[] {
    return [...app.windows] as BrowserWindow[];
  }
  static fromWebContents(contents: WebContents | undefined): BrowserWindow | null {
    return contents === undefined ? null : (WebContents.windowOf(contents) as BrowserWindow);
  }
  static fromId(id: number): BrowserWindow | null {
    return BrowserWindow.getAllWindows().find((window) => window.id === id) ?? null;
  }
  static getFocusedWindow(): BrowserWindow | null {
    return BrowserWindow.getAllWindows().find((window) => window.visible) ?? null;
  }
  loadURL(address: string): Promise<void> {
    return this.webContents.load(address);
  }
  close(): void {
    if (this.destroyed) return;
    const event = preventable({});
    this.emit('close', event);
    if (!event.defaultPrevented) this.destroy();
  }
  destroy(): void {
    if (this.destroyed) return;
    void this.webContents.shut();
    this.hasGone();
  }
  isDestroyed(): boolean {
    return this.destroyed;
  }
  show(): void {
    this.visible = true;
    this.inactive = false;
    this.minimized = false;
    this.emit('show');
  }
  showInactive(): void {
    this.show();
    this.inactive = true;
  }
  hide(): void {
    this.visible = false;
    this.emit('hide');
  }
  isVisible(): boolean {
    return this.visible;
  }
  focus(): void {
    this.emit('focus');
  }
  isFocused(): boolean {
    return this.visible && !this.inactive;
  }
  setAlwaysOnTop(flag: boolean, level = 'floating'): void {
    this.level = flag ? level : null;
  }
  isAlwaysOnTop(): boolean {
    return this.level !== null;
  }
  setVisibleOnAllWorkspaces(): void {}
  minimize(): void {
    this.minimized = true;
    this.emit('minimize');
  }
  isMinimized(): boolean {
    return this.minimized;
  }
  restore(): void {
    this.minimized = false;
    this.emit('restore');
  }
  maximize(): void {
    this.maximized = true;
    this.emit('maximize');
  }
  isMaximized(): boolean {
    return this.maximized;
  }
  getNormalBounds(): { x: number; y: number; width: number; height: number } {
    return this.bounds;
  }
  getBounds(): { x: number; y: number; width: number; height: number } {
    return this.bounds;
  }
  setBounds(bounds: Partial<{ x: number; y: number; width: number; height: number }>): void {
    this.bounds = { ...this.bounds, ...bounds };
    this.emit('resize');
  }
  setMenuBarVisibility(): void {}
  removeMenu(): void {}
  setTitle(): void {}
  flashFrame(): void {}
}
