/** The life of the app: ready, second start, quit. */
import { EventEmitter } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import type { DevTools } from './devtools.ts';
import { records } from './records.ts';
import { takeLock } from './single-instance.ts';

/** What quitting needs of a window; the windows register themselves here. */
interface OpenWindow {
  close(): void;
  isDestroyed(): boolean;
  destroy(): void;
}

/** A process of the app; utility processes register themselves here. */
interface Measured {
  metric(): { pid: number; type: string; name: string; serviceName: string }[];
}

interface QuitEvent {
  preventDefault(): void;
  readonly defaultPrevented: boolean;
}

/** An event as Electron hands it out. */
export function preventable<T extends object>(details: T): T & QuitEvent {
  let defaultPrevented = false;
  return Object.defineProperties(details as T & QuitEvent, {
    preventDefault: { value: () => void (defaultPrevented = true) },
    defaultPrevented: { get: () => defaultPrevented },
  });
}

class App extends EventEmitter {
  readonly windows = new Set<OpenWindow>();
  readonly utilities = new Set<Measured>();
  readonly isPackaged = false;
  readonly commandLine = {
    appendSwitch() {},
    appendArgument() {},
    hasSwitch: (name: string) => process.argv.some((argument) => argument.startsWith(`--${name}`)),
    getSwitchValue: () => '',
  };
  name = '';
  private version = '';
  private folder = '';
  private readonly paths = new Map<string, string>();
  private loginItem = { openAtLogin: false, args: [] as string[] };
  private ready = false;
  private quitting = false;
  private readonly browserPromise: Promise<DevTools>;
  private tellBrowser: (browser: DevTools) => void = () => {};

  constructor() {
    super();
    this.browserPromise = new Promise((resolve) => (this.tellBrowser = resolve));
    const home = os.homedir();
    const settings = process.env['XDG_CONFIG_HOME'] ?? path.join(home, '.config');
    for (const [name, folder] of [
      ['home', home],
      ['appData', settings],
      ['temp', os.tmpdir()],
      ['exe', process.execPath],
      ...['desktop', 'documents', 'downloads'].map((name) => [name, path.join(home, name)]),
    ] as [string, string][]) {
      this.paths.set(name, folder);
    }
  }

  // For run.ts and the windows alone.

  describe(folder: string, name: string, version: string): void {
    this.folder = folder;
    this.name = name;
    this.version = version;
    this.paths.set('userData', path.join(this.getPath('appData'), name));
  }
  becomeReady(browser: DevTools): void {
    this.ready = true;
    this.tellBrowser(browser);
    this.emit('ready', {}, {});
  }
  /** The browser that shows windows. */
  browser(): Promise<DevTools> {
    return this.browserPromise;
  }
  windowIsGone(window: OpenWindow): void {
    this.windows.delete(window);
    if (this.windows.size > 0 || this.quitting) return;
    if (!this.emit('window-all-closed')) this.quit();
  }

  // As in Electron.

  isReady(): boolean {
    return this.ready;
  }
  async whenReady(): Promise<void> {
    await this.browserPromise;
  }
  getName(): string {
    return this.name;
  }
  setName(name: string): void {
    this.name = name;
  }
  getVersion(): string {
    return this.version;
  }
  getAppPath(): string {
    return this.folder;
  }
  getLocale(): string {
    return (process.env['LANG'] ?? 'en-US').replace(/\..*/, '').replace('_', '-').replace(/^C$/, 'en-US');
  }
  getPath(name: string): string {
    const folder = this.paths.get(name);
    if (folder === undefined) throw new Error(`Failed to get '${name}' path`);
    return folder;
  }
  setPath(name: string, folder: string): void {
    this.paths.set(name, folder);
  }
  setAppUserModelId(): void {}
  enableSandbox(): void {
    if (this.ready) throw new Error('app.enableSandbox() can only be called before app is ready');
    records.sandboxEnabled = true;
  }
  requestSingleInstanceLock(additionalData?: unknown): boolean {
    const start = { argv: process.argv, workingDirectory: process.cwd(), additionalData };
    return takeLock(this.getPath('userData'), start, (second) => {
      this.emit('second-instance', {}, second.argv, second.workingDirectory, second.additionalData);
    });
  }
  setLoginItemSettings(item: { openAtLogin?: boolean; args?: string[] }): void {
    this.loginItem = { openAtLogin: item.openAtLogin ?? false, args: item.args ?? [] };
  }
  getLoginItemSettings(): { openAtLogin: boolean; args: string[] } {
    return this.loginItem;
  }
  focus(): void {}
  relaunch(options: { args?: string[] } = {}): void {
    records.relaunches.push(options);
    // For whoever looks from outside, once this process has gone.
    process.stderr.write(`electron double: starts again with ${JSON.stringify(options.args ?? [])}\n`);
  }
  disableHardwareAcceleration(): void {
    if (this.ready)
      throw new Error('app.disableHardwareAcceleration() can only be called before app is ready');
    records.hardwareAcceleration = false;
  }
  getAppMetrics(): { pid: number; type: string; name?: string; serviceName?: string }[] {
    return [
      { pid: process.pid, type: 'Browser' },
      ...[...this.utilities].flatMap((utility) => utility.metric()),
    ];
  }

  quit(): void {
    if (this.quitting) return;
    const before = preventable({});
    this.emit('before-quit', before);
    if (before.defaultPrevented) return;
    this.quitting = true;
    for (const window of this.windows) {
      window.close();
      if (!window.isDestroyed()) {
        this.quitting = false;
        return;
      }
    }
    const will = preventable({});
    this.emit('will-quit', will);
    if (will.defaultPrevented) {
      this.quitting = false;
      return;
    }
    this.exit(0);
  }
  exit(exitCode = 0): void {
    this.quitting = true;
    for (const window of this.windows) window.destroy();
    this.emit('quit', {}, exitCode);
    process.exit(exitCode);
  }
}

export const app = new App();

// As Electron on Linux: unless the app has handlers of its own.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (process.listenerCount(signal) === 1) app.quit();
  });
}
