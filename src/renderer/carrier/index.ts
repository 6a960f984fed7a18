/** Which carrier brings the console to this window. */
import type { ConsoleCarrier, ConsoleDoor } from '../../contract/console/index.ts';
import { createHttpCarrier } from './http-carrier.ts';
import { createIpcCarrier } from './ipc-carrier.ts';

declare global {
  interface Window {
    /** Only in the desktop app. */
    readonly tillbridge?: ConsoleDoor;
  }
}

/** The desktop's door where there is one, else HTTP to where the page came from. */
export function chooseCarrier(): ConsoleCarrier {
  const door = window.tillbridge;
  return door === undefined ? createHttpCarrier() : createIpcCarrier(door);
}
