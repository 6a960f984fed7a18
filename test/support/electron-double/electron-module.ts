/**
 * A double of the `electron` module for computers that do not have Electron's binary: Node runs the main process, and
 * windows are pages of Chromium. Playwright's `_electron.launch` drives it as it drives Electron; the same specs run on
 * both.
 *
 *     Playwright ──inspector──► Node: the app's main.js + this module ──DevTools pipe──► Chromium: the app's window
 *          └───────────────────────────── DevTools port ────────────────────────────────────────┘
 *
 * What is real: the built main, preload and renderer files; Chromium's engine with its content security policy; the
 * preload in an isolated world; `protocol.handle`, navigation guards, IPC and crashes of a window.
 *
 * What is not, so that no test here proves it:
 * - no asar, no fuses, no sandbox of the operating system, no code signature;
 * - tray, menus, notifications, dialogs and login items are records (`globalThis.electronDouble`, see records.ts), never
 *   drawn; a dialog that no test answers is cancelled;
 * - pages of `app://` have an `https://….invalid` address inside Chromium;
 * - IPC travels as JSON, and only top frames have a preload; messages to a document that still loads are dropped;
 * - permission handlers are recorded, not enforced; no device, no protected media, no `webview`;
 * - redirects, `data:` and `blob:` navigations pass no guard; whatever opens an address from outside the page (also
 *   Playwright's `page.goto`) counts as the page's own navigation;
 * - windows have no place on a screen; hidden ones are pages like others;
 * - the lock of a single instance is a file; a keyring is a key in a file; power events come only from tests.
 *
 * Results are those of a "Chromium and Node double"; they never ran in Electron.
 */
export { app } from './app.ts';
export { dialog, nativeImage, nativeTheme, Notification, powerMonitor, screen, shell } from './desktop.ts';
export { ipcMain } from './ipc.ts';
export { Menu, MenuItem } from './menu.ts';
export { safeStorage } from './safe-storage.ts';
export { protocol } from './schemes.ts';
export { session } from './session.ts';
export { Tray } from './tray.ts';
export { WebContents as webContents } from './web-contents.ts';
export { BrowserWindow } from './window.ts';
