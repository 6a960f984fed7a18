/**
 * What the app asked of the desktop, where Electron itself has no way to look at it again. Tests that read this run on
 * the double alone. In the main process: `globalThis.electronDouble`.
 */

export interface Records {
  /** Each a `Tray` of the double. */
  trays: object[];
  /** Dialogs in the order in which they were shown, with the options that they were given. */
  dialogs: { kind: 'message' | 'save' | 'error'; options: unknown }[];
  notifications: { title: string; body: string }[];
  /** Each a `Notification` of the double that has not been closed: `emit('click')` clicks on it. */
  shownNotifications: Set<object>;
  /** Those that are on, by number. */
  powerSaveBlockers: Map<number, string>;
  /** The handlers that the session was given: recorded, not enforced. */
  permissionRequestHandler: unknown;
  permissionCheckHandler: unknown;
  devicePermissionHandler: unknown;
  displayMediaHandler: unknown;
  sandboxEnabled: boolean;
  hardwareAcceleration: boolean;
  /** Each with the arguments of the next start. */
  relaunches: { args?: string[] }[];
  crashReporter: object | null;
  /** Each a `Menu` of the double. */
  popups: { menu: object }[];
  /** How often the system's key store was asked for anything; a person may have been, too. */
  keyStoreQuestions: number;
}

export const records: Records = {
  trays: [],
  dialogs: [],
  notifications: [],
  powerSaveBlockers: new Map(),
  shownNotifications: new Set(),
  permissionRequestHandler: null,
  permissionCheckHandler: null,
  devicePermissionHandler: null,
  displayMediaHandler: null,
  sandboxEnabled: false,
  hardwareAcceleration: true,
  relaunches: [],
  crashReporter: null,
  popups: [],
  keyStoreQuestions: 0,
};

Object.assign(globalThis, { electronDouble: records });
