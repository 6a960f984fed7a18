/** The console as a page of the headless bridge, on a loopback port of its own. */
import type { Clock } from '../../contract/clock.ts';
import type { ConsoleService } from '../../contract/console/index.ts';
import type { Log } from '../../bridge/log/index.ts';

export interface ServeConsoleOptions {
  service: ConsoleService;
  /** 0: any free port. */
  port: number;
  /** The built page. */
  rendererFolder: string;
  log: Log;
  clock: Clock;
}

export type ServedConsole =
  | {
      kind: 'serving';
      port: number;
      /** With the token: whoever has it may use the console. */
      link: string;
      close(): Promise<void>;
    }
  | { kind: 'failed'; message: string };

export function serveConsole(_options: ServeConsoleOptions): Promise<ServedConsole> {
  return Promise.resolve({ kind: 'failed', message: 'not built yet' });
}
