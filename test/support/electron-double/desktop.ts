/** Dialogs, notifications, theme, power and pictures: recorded, answered as a user would who cancels. */
import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import type { MessageBoxOptions, NotificationConstructorOptions } from 'electron';
import { records } from './records.ts';

/** With or without a window as the first argument. */
function optionsOf(parameters: unknown[]): unknown {
  return parameters.at(-1);
}

/** No dump is ever written. */
export const crashReporter = {
  start(options: object): void {
    records.crashReporter = options;
  },
};

/** Tests put their own functions in place of these, on real Electron as here. */
export const dialog = {
  showMessageBox(...parameters: unknown[]): Promise<{ response: number; checkboxChecked: boolean }> {
    const options = optionsOf(parameters) as MessageBoxOptions;
    records.dialogs.push({ kind: 'message', options });
    return Promise.resolve({ response: options.cancelId ?? 0, checkboxChecked: false });
  },
  showSaveDialog(...parameters: unknown[]): Promise<{ canceled: boolean; filePath: string }> {
    records.dialogs.push({ kind: 'save', options: optionsOf(parameters) });
    return Promise.resolve({ canceled: true, filePath: '' });
  },
  showErrorBox(title: string, content: string): void {
    records.dialogs.push({ kind: 'error', options: { title, content } });
  },
};

export class Notification extends EventEmitter {
  private readonly options: NotificationConstructorOptions;

  constructor(options: NotificationConstructorOptions = {}) {
    super();
    this.options = options;
  }
  static isSupported(): boolean {
    return true;
  }
  show(): void {
    records.notifications.push({ title: this.options.title ?? '', body: this.options.body ?? '' });
    records.shownNotifications.add(this);
    this.emit('show');
  }
  close(): void {
    records.shownNotifications.delete(this);
    this.emit('close');
  }
}

/** Tests fire its events: `powerMonitor.emit('suspend')`. */
export const powerMonitor = new EventEmitter();

let lastBlocker = 0;
/** The computer of a test never sleeps; which blockers are on is recorded. */
export const powerSaveBlocker = {
  start(type: 'prevent-app-suspension' | 'prevent-display-sleep'): number {
    records.powerSaveBlockers.set((lastBlocker += 1), type);
    return lastBlocker;
  },
  stop: (id: number) => records.powerSaveBlockers.delete(id),
  isStarted: (id: number) => records.powerSaveBlockers.has(id),
};

class NativeTheme extends EventEmitter {
  #themeSource: 'system' | 'light' | 'dark' = 'system';

  get themeSource(): 'system' | 'light' | 'dark' {
    return this.#themeSource;
  }
  set themeSource(source: 'system' | 'light' | 'dark') {
    this.#themeSource = source;
    this.emit('updated');
  }
  get shouldUseDarkColors(): boolean {
    return this.#themeSource === 'dark';
  }
}
/** Windows follow it; see web-contents.ts. */
export const nativeTheme = new NativeTheme();

/** A picture is its file. */
function picture(file: string) {
  return {
    file,
    isEmpty: () => !existsSync(file),
    setTemplateImage() {},
    resize: () => picture(file),
    getSize: () => ({ width: 16, height: 16 }),
  };
}
export const nativeImage = { createFromPath: picture, createEmpty: () => picture('') };

/** One screen, with room for every window. */
const display = { workArea: { x: 0, y: 0, width: 1_920, height: 1_080 } };
export const screen = Object.assign(new EventEmitter(), {
  getDisplayMatching: () => display,
  getPrimaryDisplay: () => display,
});

export const shell = { openExternal: () => Promise.resolve(), openPath: () => Promise.resolve('') };
