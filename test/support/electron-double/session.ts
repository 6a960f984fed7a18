/** The one session: its handlers are recorded. */
import { records } from './records.ts';
import { protocol } from './schemes.ts';

export const session = {
  defaultSession: {
    protocol,
    setPermissionRequestHandler(handler: unknown): void {
      records.permissionRequestHandler = handler;
    },
    setPermissionCheckHandler(handler: unknown): void {
      records.permissionCheckHandler = handler;
    },
    setDevicePermissionHandler(handler: unknown): void {
      records.devicePermissionHandler = handler;
    },
    setDisplayMediaRequestHandler(handler: unknown): void {
      records.displayMediaHandler = handler;
    },
    setSpellCheckerEnabled(): void {},
    on(): void {},
    webRequest: { onBeforeRequest() {}, onHeadersReceived() {}, onBeforeSendHeaders() {} },
    clearStorageData: () => Promise.resolve(),
  },
};
