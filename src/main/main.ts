/** Electron's main process. */
export {};
