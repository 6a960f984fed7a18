/** The module `electron` of the double: what stands behind it, and what it proves, is in README.md beside it. */
export { app } from './app.ts';
export {
  crashReporter,
  dialog,
  nativeImage,
  nativeTheme,
  Notification,
  powerMonitor,
  powerSaveBlocker,
  screen,
  shell,
} from './desktop.ts';
export { ipcMain } from './ipc.ts';
export { Menu, MenuItem } from './menu.ts';
export { safeStorage } from './safe-storage.ts';
export { protocol } from './schemes.ts';
export { session } from './session.ts';
export { Tray } from './tray.ts';
export { MessageChannelMain } from './message-port.ts';
export { utilityProcess } from './utility-process.ts';
export { WebContents as webContents } from './web-contents.ts';
export { BrowserWindow } from './window.ts';
