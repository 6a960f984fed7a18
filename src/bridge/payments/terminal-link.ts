/** The connection to the terminal that is in use now. What an earlier one still reports is ignored. */
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../log/index.ts';
import type {
  ConnectTerminal,
  DriverWatch,
  TerminalConnection,
  TerminalDriver,
  TerminalProtocol,
} from '../terminals/terminal-driver.ts';
import type { TerminalEvent } from './terminal-machine.ts';

type LockAnswer = { kind: 'held'; release(): void } | { kind: 'taken' | 'unreachable'; message: string };

/** What stands around the terminal, so that nothing here knows sockets or lock files. */
export interface TerminalEnvironment {
  lineName: string;
  connect: ConnectTerminal;
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

type Attempt = { opening: AbortController; connection: TerminalConnection | null };

export function createTerminalLink(
  { connect, log }: TerminalEnvironment,
  watch: DriverWatch,
  report: (event: Extract<TerminalEvent, { kind: 'line_open' | 'open_failed' | 'line_lost' }>) => void,
): TerminalLink {
  let current: Attempt | null = null;

  async function end(connection: TerminalConnection | null, signOff: boolean): Promise<void> {
    if (connection === null) return;
    if (signOff && !connection.closed) {
      await connection.driver
        .signOff()
        .catch((error: unknown) => log.error('a fault while signing off', { err: error }));
    }
    // After a sign-off nothing is under way. Else what was sent is given up, and must not arrive later.
    await connection.close(signOff ? 'send' : 'drop');
  }

  return {
    get driver() {
      return current?.connection?.driver ?? null;
    },
    async open(closed) {
      const opening = new AbortController();
      const mine: Attempt = { opening, connection: null };
      current = mine;
      await closed;
      const connection = opening.signal.aborted
        ? null
        : await connect(watch, opening.signal, (reason) => {
            if (current === mine) report({ kind: 'open_failed', reason });
          });
      if (connection === null) return;
      if (current !== mine) return void connection.close();
      mine.connection = connection;
      connection.onClose((reason) => {
        if (current === mine) report({ kind: 'line_lost', reason });
      });
      report({ kind: 'line_open' });
      if (connection.closed) report({ kind: 'line_lost', reason: 'the line closed at once' });
    },
    close(signOff) {
      const before = current;
      current = null;
      before?.opening.abort();
      return end(before?.connection ?? null, signOff);
    },
  };
}
