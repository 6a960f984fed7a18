/** The page of a window: a tab of Chromium, driven over DevTools. */
import { EventEmitter } from 'node:events';
import type { BrowserWindowConstructorOptions } from 'electron';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { app, preventable } from './app.ts';
import type { DevToolsSession } from './devtools.ts';
import { nativeTheme } from './desktop.ts';
import { ipcMain, type FromWindow, type ToWindow } from './ipc.ts';
import { bindings, installWorlds, preloadWorld } from './page-scripts.ts';
import { answerRequests } from './requests.ts';
import { ownAddress, shownAddress } from './schemes.ts';
import { session } from './session.ts';

interface Frame {
  id: string;
  parentId?: string;
  url: string;
}
interface ExecutionContext {
  id: number;
  name: string;
  auxData: { frameId: string };
}
/** What its contents need of a window; a `BrowserWindow` of the double. */
export interface WindowOfContents {
  readonly options: BrowserWindowConstructorOptions;
  isDrawn: () => void;
  hasGone: () => void;
  openAnother: (url: string) => void;
  close: () => void;
}

interface WindowOpenDetails {
  url: string;
  frameName: string;
  features: string;
  disposition: string;
}
type WindowOpenHandler = (details: WindowOpenDetails) => { action: 'allow' | 'deny' };

const all = new Map<number, WebContents>();
let lastId = 0;

export class WebContents extends EventEmitter {
  readonly id = (lastId += 1);
  readonly session = session.defaultSession;
  readonly mainFrame: { readonly url: string; readonly origin: string; parent: null; routingId: number };
  /** Chromium's name of the tab; empty until it is there. */
  targetId = '';
  private readonly window: WindowOfContents;
  private readonly devTools: Promise<DevToolsSession>;
  private address = '';
  private frameId = '';
  /** Of the preload's world in the document that is shown now. */
  private worldId: number | null = null;
  /** Addresses that the app itself opens: those ask no guard. */
  private readonly openedByApp = new Set<string>();
  private openHandler: WindowOpenHandler = () => ({ action: 'allow' });

  constructor(window: WindowOfContents) {
    super();
    this.window = window;
    const address = () => ownAddress(this.address);
    this.mainFrame = {
      get url() {
        return address();
      },
      get origin() {
        const { protocol, host } = new URL(address());
        return `${protocol}//${host}`;
      },
      parent: null,
      routingId: this.id,
    };
    all.set(this.id, this);
    this.devTools = this.open();
    app.emit('web-contents-created', {}, this);
  }

  private async open(): Promise<DevToolsSession> {
    const browser = await app.browser();
    const { width = 800, height = 600, webPreferences = {} } = this.window.options;
    const { targetId } = await browser.send<{ targetId: string }>('Target.createTarget', {
      url: 'about:blank',
      newWindow: true,
      width,
      height,
    });
    this.targetId = targetId;
    const page = await browser.attach(targetId);
    browser.on('Target.targetDestroyed', (gone: { targetId: string }) => {
      if (gone.targetId === targetId) this.window.hasGone();
    });
    // A popup that Chromium opens by itself has no preload and no guards. `Page.windowOpen` has told of it.
    browser.on(
      'Target.targetCreated',
      ({ targetInfo }: { targetInfo: { targetId: string; openerId?: string } }) => {
        if (targetInfo.openerId !== targetId) return;
        browser.send('Target.closeTarget', { targetId: targetInfo.targetId }).catch(() => {});
      },
    );
    await browser.send('Target.setDiscoverTargets', { discover: true });
    this.watch(page);
    const { frameTree } = await page.send<{ frameTree: { frame: Frame } }>('Page.getFrameTree');
    this.frameId = frameTree.frame.id;
    await page.send('Page.enable');
    await page.send('Runtime.enable');
    await installWorlds(page, webPreferences.preload ?? null);
    await answerRequests(page, {
      isMainFrame: (frameId) => frameId === this.frameId,
      mayNavigate: (address, isMainFrame) => this.mayNavigate(address, isMainFrame),
    });
    const followTheme = () => void this.followTheme(page);
    nativeTheme.on('updated', followTheme);
    this.once('destroyed', () => nativeTheme.off('updated', followTheme));
    followTheme();
    return page;
  }

  private watch(page: DevToolsSession): void {
    page.on('Page.frameNavigated', ({ frame }: { frame: Frame }) => {
      if (frame.parentId !== undefined) return;
      this.address = frame.url;
      this.emit('did-navigate', {}, ownAddress(frame.url), 200, '');
    });
    page.on('Page.navigatedWithinDocument', ({ frameId, url }: { frameId: string; url: string }) => {
      if (frameId === this.frameId) this.address = url;
    });
    page.on('Page.domContentEventFired', () => {
      this.emit('dom-ready', {});
      this.window.isDrawn();
    });
    page.on('Page.windowOpen', ({ url }: { url: string }) => this.askToOpen(url));
    page.on('Page.loadEventFired', () => this.emit('did-finish-load', {}));
    page.on('Inspector.targetCrashed', () => {
      this.worldId = null;
      this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 });
    });
    page.on('Runtime.executionContextCreated', ({ context }: { context: ExecutionContext }) => {
      if (context.name === preloadWorld && context.auxData.frameId === this.frameId)
        this.worldId = context.id;
    });
    page.on('Runtime.executionContextDestroyed', (gone: { executionContextId: number }) => {
      if (gone.executionContextId === this.worldId) this.worldId = null;
    });
    page.on(
      'Runtime.bindingCalled',
      (call: { name: string; payload: string; executionContextId: number }) => {
        if (call.name === bindings.windowOpen) this.askToOpen(call.payload);
        if (call.name === bindings.toMain) void this.takeMessage(page, call);
      },
    );
  }

  private async takeMessage(
    page: DevToolsSession,
    call: { payload: string; executionContextId: number },
  ): Promise<void> {
    const event = { sender: this, senderFrame: this.mainFrame, frameId: 1, processId: this.id };
    const reply = await ipcMain.take(JSON.parse(call.payload) as FromWindow, event);
    if (reply !== null) await this.deliver(page, call.executionContextId, reply);
  }

  /** A document that has gone meanwhile gets nothing. */
  private async deliver(page: DevToolsSession, worldId: number, message: ToWindow): Promise<void> {
    const expression = `electronDoubleDeliver(${JSON.stringify(message)})`;
    await page.send('Runtime.evaluate', { expression, contextId: worldId }).catch(() => {});
  }

  private mayNavigate(shown: string, isMainFrame: boolean): boolean {
    if (isMainFrame && (this.openedByApp.delete(shown) || shown === this.address)) return true;
    const url = ownAddress(shown);
    const event = preventable({ url, isMainFrame, isSameDocument: false, frame: this.mainFrame });
    this.emit('will-frame-navigate', event);
    if (isMainFrame && !event.defaultPrevented) this.emit('will-navigate', event, url);
    return !event.defaultPrevented;
  }

  /** The page wants a window; what the app allows is a window of its own, without the page's hold on it. */
  private askToOpen(url: string): void {
    const { action } = this.openHandler({ url, frameName: '', features: '', disposition: 'new-window' });
    if (action === 'allow') this.window.openAnother(url);
  }

  private async followTheme(page: DevToolsSession): Promise<void> {
    const value = nativeTheme.themeSource === 'system' ? '' : nativeTheme.themeSource;
    const features = [{ name: 'prefers-color-scheme', value }];
    await page.send('Emulation.setEmulatedMedia', { features }).catch(() => {});
  }

  /** For the window: opens an address and waits until it is loaded. */
  async load(address: string): Promise<void> {
    const page = await this.devTools;
    const shown = shownAddress(address);
    this.openedByApp.add(shown);
    const loaded = new Promise((resolve) => this.once('did-finish-load', resolve));
    const { errorText } = await page.send<{ errorText?: string }>('Page.navigate', { url: shown });
    if (errorText !== undefined) {
      this.emit('did-fail-load', {}, -2, errorText, address, true);
      throw new Error(`${errorText} loading '${address}'`);
    }
    await loaded;
  }

  /** For the window: the tab is to go. */
  async shut(): Promise<void> {
    await this.devTools;
    const browser = await app.browser();
    await browser.send('Target.closeTarget', { targetId: this.targetId }).catch(() => {});
  }
  hasGone(): void {
    all.delete(this.id);
    this.emit('destroyed');
  }

  // As in Electron.

  static fromDevToolsTargetId(targetId: string): WebContents | undefined {
    return [...all.values()].find((contents) => contents.targetId === targetId);
  }
  static fromId(id: number): WebContents | undefined {
    return all.get(id);
  }
  static getAllWebContents(): WebContents[] {
    return [...all.values()];
  }
  static windowOf(contents: WebContents): WindowOfContents {
    return contents.window;
  }
  getURL(): string {
    return ownAddress(this.address);
  }
  isDestroyed(): boolean {
    return !all.has(this.id);
  }
  isCrashed(): boolean {
    return false;
  }
  send(name: string, ...values: unknown[]): void {
    const { worldId } = this;
    if (worldId === null) return;
    const message: ToWindow = { kind: 'message', name, values: structuredClone(values) };
    void this.devTools.then((page) => this.deliver(page, worldId, message));
  }
  reload(): void {
    void this.devTools.then((page) => page.send('Page.reload').catch(() => {}));
  }
  forcefullyCrashRenderer(): void {
    void this.devTools.then((page) => page.send('Page.crash').catch(() => {}));
  }
  close(): void {
    void nextTurn().then(() => this.window.close());
  }
  async executeJavaScript(expression: string): Promise<unknown> {
    const page = await this.devTools;
    const { result, exceptionDetails } = await page.send<{
      result: { value?: unknown };
      exceptionDetails?: { text: string; exception?: { description?: string } };
    }>('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true, userGesture: true });
    if (exceptionDetails !== undefined) {
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    return result.value;
  }
  async printToPDF(options: {
    printBackground?: boolean;
    preferCSSPageSize?: boolean;
    pageSize?: string;
  }): Promise<Buffer> {
    const { printBackground = false, preferCSSPageSize = false, pageSize = 'Letter' } = options;
    const a4 = pageSize === 'A4' ? { paperWidth: 8.27, paperHeight: 11.7 } : {};
    const page = await this.devTools;
    const { data } = await page.send<{ data: string }>('Page.printToPDF', {
      ...a4,
      printBackground,
      preferCSSPageSize,
    });
    return Buffer.from(data, 'base64');
  }
  setWindowOpenHandler(handler: WindowOpenHandler): void {
    this.openHandler = handler;
  }
  getLastWebPreferences(): object {
    return this.window.options.webPreferences ?? {};
  }
  openDevTools(): void {}
  setVisualZoomLevelLimits(): Promise<void> {
    return Promise.resolve();
  }
}
