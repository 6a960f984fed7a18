/** The one session: its handlers are recorded. */
import { records } from './records.ts';
import { protocol } from './schemes.ts';

type DisplayMediaHandler = (request: object, callback: (streams: object | null) => void) => void;

export const session = {
  /** Another session: its network is Node's. */
  fromPartition: () => ({ fetch }),
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
    setDisplayMediaRequestHandler(handler: DisplayMediaHandler): void {
      records.displayMediaHandler = (request: object, answer: (streams: object | null) => void) =>
        handler(request, (streams) => {
          // As Electron does: only `null` denies without an error.
          if (streams !== null && !('video' in streams))
            throw new TypeError('Video was requested, but no video stream was provided');
          answer(streams);
        });
    },
    setSpellCheckerEnabled(): void {},
    on(): void {},
    webRequest: { onBeforeRequest() {}, onHeadersReceived() {}, onBeforeSendHeaders() {} },
    clearStorageData: () => Promise.resolve(),
  },
};
