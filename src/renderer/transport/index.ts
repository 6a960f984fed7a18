/** Which transport brings the console to this window. */
import type { ConsoleTransport, PreloadApi } from '../../contract/console/index.ts';
import { createHttpTransport } from './http-transport.ts';
import { createIpcTransport } from './ipc-transport.ts';

declare global {
  interface Window {
    /** Only in the desktop app. */
    readonly tillbridge?: PreloadApi;
  }
}

/** The desktop's preload API where there is one, else HTTP to where the page came from. */
export function chooseTransport(): ConsoleTransport {
  const api = window.tillbridge;
  return api === undefined ? createHttpTransport() : createIpcTransport(api);
}
