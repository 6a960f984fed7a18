/** The connection to the terminal that is in use now. What an earlier one still reports is ignored. */
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../log/index.ts';
import type { LineConnection } from '../lines/line.ts';
import type { DriverWatch, TerminalDriver, TerminalProtocol } from '../terminals/terminal-driver.ts';
import type { TerminalEvent } from './terminal-machine.ts';

type LockAnswer = { kind: 'held'; release(): void } | { kind: 'taken' | 'unreachable'; message: string };

/** What stands around the terminal, so that nothing here knows sockets or lock files. */
export interface TerminalEnvironment {
  lineName: string;
  /** A new connection, tried with backoff until there is one; null once `signal` aborts. */
  openLine(
    signal: AbortSignal,
    onFailure: (reason: string, nextTryMs: number) => void,
  ): Promise<LineConnection | null>;
  /** The machine-wide lock on this line. */
  lockLine(): LockAnswer | Promise<LockAnswer>;
  protocol: TerminalProtocol;
  clock: Clock;
  log: Log;
}

export interface TerminalLink {
  /** On the open line; null while there is none. */
  readonly driver: TerminalDriver | null;
  /** Tries until there is a line, once `closed` has resolved. Reports with `open_failed`, `line_open`, `line_lost`. */
  open(closed: Promise<void>): Promise<void>;
  /** Gives the connection up, and ends attempts to open it. Resolves when the line is closed. */
  close(signOff: boolean): Promise<void>;
}

type Connection = { opening: AbortController; line: LineConnection | null; driver: TerminalDriver | null };

export function createTerminalLink(
  { openLine, protocol, log }: TerminalEnvironment,
  watch: DriverWatch,
  report: (event: Extract<TerminalEvent, { kind: 'line_open' | 'open_failed' | 'line_lost' }>) => void,
): TerminalLink {
  let current: Connection | null = null;

  async function end(connection: Connection | null, signOff: boolean): Promise<void> {
    if (connection === null) return;
    const { driver, line } = connection;
    if (signOff && driver !== null && line?.closed === false) {
      await driver
        .signOff()
        .catch((error: unknown) => log.error('a fault while signing off', { err: error }));
    }
    // After a sign-off nothing is under way. Else what was sent is given up, and must not arrive later.
    await line?.close(signOff ? 'send' : 'drop');
  }

  return {
    get driver() {
      return current?.driver ?? null;
    },
    async open(closed) {
      const opening = new AbortController();
      const mine: Connection = { opening, line: null, driver: null };
      current = mine;
      await closed;
      const line = opening.signal.aborted
        ? null
        : await openLine(opening.signal, (reason) => {
            if (current === mine) report({ kind: 'open_failed', reason });
          });
      if (line === null) return;
      if (current !== mine) return void line.close();
      mine.line = line;
      mine.driver = protocol.attach(line, watch);
      line.onClose((reason) => {
        if (current === mine) report({ kind: 'line_lost', reason });
      });
      report({ kind: 'line_open' });
      if (line.closed) report({ kind: 'line_lost', reason: 'the line closed at once' });
    },
    close(signOff) {
      const connection = current;
      current = null;
      connection?.opening.abort();
      return end(connection, signOff);
    },
  };
}
