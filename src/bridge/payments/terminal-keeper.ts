/**
 * Keeps one terminal: takes its machine-wide lock, opens its line again and again with backoff, prepares the terminal,
 * watches it while idle, and lends it out for one operation at a time. It never sends anything that moves money by
 * itself, and it holds no queue: a claim is given at once or refused.
 */
import { pause, type Clock } from '../../contract/clock.ts';
import type { LastRecord, TerminalIdentity } from '../../contract/terminal.ts';
import type { LineConnection } from '../lines/line.ts';
import type { Log } from '../log/log.ts';
import type {
  DriverWatch,
  Readiness,
  TerminalDriver,
  TerminalProtocol,
} from '../terminals/terminal-driver.ts';
import type { TerminalConnection } from './payments-api.ts';
import type { Fitness } from './recovery.ts';

export interface KeeperSettings {
  /** How often the idle terminal is asked whether it is still there. */
  heartbeatMs: number;
  /** Pause before a terminal that is busy or silent is asked again. */
  retryMs: number;
  /** Pause before a terminal that needs a person is asked again. */
  attentionRetryMs: number;
  /** Silent answers in a row, on an open connection, after which the connection is given up and opened anew. */
  silencesBeforeReconnect: number;
}

export const defaultKeeperSettings: Omit<KeeperSettings, 'heartbeatMs'> = {
  retryMs: 1_000,
  attentionRetryMs: 5_000,
  silencesBeforeReconnect: 3,
};

/** What the engine gets to hear. Calls are synchronous. */
export interface KeeperHooks extends DriverWatch {
  stateChanged(): void;
  /**
   * The terminal is idle and told its last record: note it, and judge what is in doubt by it. `again`: something is
   * still in doubt that a further look may decide, or what was seen could not be kept; the terminal is not given out.
   */
  observed(terminal: TerminalIdentity, lastRecord: LastRecord, fitness: Fitness): 'settled' | 'again';
  /** Something is in doubt: the terminal has to be prepared anew, not just probed. */
  inDoubt(): boolean;
  connectionLost(reason: string): void;
}

type LockAnswer = { kind: 'held'; release(): void } | { kind: 'taken' | 'unreachable'; message: string };

/** The world around the keeper, so that it knows neither sockets nor lock files. */
export interface KeeperWorld {
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

export type Claim =
  | { kind: 'granted'; run: <T>(operate: (driver: TerminalDriver) => Promise<T>) => Promise<T> }
  | { kind: 'housekeeping' }
  | { kind: 'busy' }
  | { kind: 'unavailable'; text: string };

export interface TerminalKeeper {
  readonly connection: TerminalConnection;
  readonly text: string;
  start(): void;
  /** Gives the terminal back: signs off, closes the line, frees the lock. The caller has waited for the operation. */
  stop(): Promise<void>;
  /** Synchronous: what is granted must be `run` in the same turn. `operate` also journals how it ended. */
  tryClaim(purpose: 'payment' | 'batch_close'): Claim;
  /** Resolves when housekeeping in progress has ended, or after `timeoutMs`. */
  settled(timeoutMs: number): Promise<void>;
  /** Asks the running sale to stop; false when no operation runs. */
  cancel(): boolean;
  /** Something was decided: look at the terminal again now. */
  kick(): void;
}

export function createTerminalKeeper(
  world: KeeperWorld,
  settings: KeeperSettings,
  hooks: KeeperHooks,
): TerminalKeeper {
  const { clock, log } = world;
  const stopping = new AbortController();
  let connection: TerminalConnection = 'stopped';
  let text = 'The terminal connection is stopped.';
  let running: Promise<void> | null = null;
  /** The driver while the terminal is idle and may be claimed, with what it may be claimed for. */
  let idle: { driver: TerminalDriver; purposes: 'all' | 'batch_close' } | null = null;
  /** The driver while an operation runs on it. */
  let operating: { driver: TerminalDriver; ended: Promise<void> } | null = null;
  let housekeeping = false;
  let wake = new AbortController();
  const settledWaiters = new Set<() => void>();

  function show(next: TerminalConnection, words: string) {
    if (connection === next && text === words) return;
    connection = next;
    text = words;
    hooks.stateChanged();
  }

  function kick() {
    // With a reason of its own; without one, an exception with a stack is made for nobody.
    wake.abort('kick');
    wake = new AbortController();
  }

  function endHousekeeping() {
    housekeeping = false;
    for (const resolve of settledWaiters) resolve();
    settledWaiters.clear();
  }

  /** Waits for a claim, a kick, the end of the connection or of the program, or the time. */
  async function rest(delayMs: number, closed: AbortSignal) {
    await pause(clock, delayMs, AbortSignal.any([wake.signal, closed, stopping.signal]));
  }

  async function keep(): Promise<void> {
    const lock = await takeLock();
    if (lock === null) return;
    try {
      while (!stopping.signal.aborted) {
        show('connecting', `Connecting to the terminal on ${world.lineName}.`);
        const line = await world.openLine(stopping.signal, (reason) => {
          show('lost', `The terminal on ${world.lineName} cannot be reached: ${reason}`);
        });
        if (line === null) break;
        const reason = await serve(line).catch((error: unknown) => {
          log.error('a fault while serving the terminal', { error });
          return 'a fault in the bridge; the log has it';
        });
        if (!stopping.signal.aborted) {
          show('lost', `The connection to the terminal on ${world.lineName} was lost: ${reason}`);
          hooks.connectionLost(reason);
        }
        await line.close();
        await pause(clock, settings.retryMs, stopping.signal);
      }
    } finally {
      lock.release();
      show('stopped', 'The terminal connection is stopped.');
    }
  }

  async function takeLock() {
    while (!stopping.signal.aborted) {
      const lock = await world.lockLine();
      if (lock.kind === 'held') return lock;
      show('lost', lock.message);
      await pause(clock, settings.attentionRetryMs, stopping.signal);
    }
    return null;
  }

  /** One connection from its first byte to its end; gives the reason for the end. */
  async function serve(line: LineConnection): Promise<string> {
    const closed = new AbortController();
    let closeReason = 'the bridge is stopping';
    line.onClose((reason) => {
      closeReason = reason;
      idle = null;
      closed.abort();
    });
    const driver = world.protocol.attach(line, hooks);
    const over = () => closed.signal.aborted || stopping.signal.aborted;
    let silences = 0;
    let prepared = false;
    show('preparing', 'The terminal is being prepared.');
    while (!over()) {
      housekeeping = true;
      const readiness: Readiness = prepared ? await driver.probe() : await driver.prepare();
      const next: { prepared: boolean; delayMs: number } | null = closed.signal.aborted
        ? null
        : judge(driver, readiness);
      // Idle is set before waiters run, so that a command that waited for housekeeping can claim at once.
      endHousekeeping();
      if (next === null) break;
      prepared = next.prepared;
      silences = readiness.kind === 'silent' ? silences + 1 : 0;
      if (silences >= settings.silencesBeforeReconnect) {
        closeReason = readiness.kind === 'silent' ? readiness.reason : closeReason;
        break;
      }
      if (over()) break;
      await rest(next.delayMs, closed.signal);
      idle = null;
      // A stop has already waited for the operation as long as it may; closing the line settles it.
      if (operating !== null && !stopping.signal.aborted) {
        await Promise.race([operating.ended, aborted(stopping.signal)]);
        prepared = prepared && !hooks.inDoubt();
      }
    }
    idle = null;
    endHousekeeping();
    if (!closed.signal.aborted && stopping.signal.aborted && operating === null) await driver.signOff();
    return closeReason;
  }

  /** What follows from what the terminal answered: whether it may be claimed, and when to look again. */
  function judge(driver: TerminalDriver, readiness: Readiness): { prepared: boolean; delayMs: number } {
    switch (readiness.kind) {
      case 'ready': {
        const verdict = hooks.observed(readiness.terminal, readiness.lastRecord, 'ready');
        if (verdict === 'again') {
          show(
            'recovering',
            hooks.inDoubt()
              ? 'The terminal is back; what is in doubt is being cleared up.'
              : 'What the terminal shows cannot be written to the journal; it is not used until it can.',
          );
          return { prepared: false, delayMs: settings.retryMs };
        }
        idle = { driver, purposes: 'all' };
        show('ready', 'The terminal is ready.');
        return { prepared: true, delayMs: settings.heartbeatMs };
      }
      case 'attention':
        return judgeUnready(driver, readiness);
      case 'busy':
        show('recovering', readiness.text);
        return { prepared: false, delayMs: settings.retryMs };
      case 'silent':
        log.info('the terminal does not answer', { reason: readiness.reason });
        show('recovering', `The terminal does not answer: ${readiness.reason}`);
        return { prepared: false, delayMs: settings.retryMs };
    }
  }

  function judgeUnready(driver: TerminalDriver, readiness: Extract<Readiness, { kind: 'attention' }>) {
    const closable = readiness.cure === 'batch_close';
    const fitness = closable ? 'batch_close_only' : 'unfit';
    const verdict = hooks.observed(readiness.terminal, readiness.lastRecord, fitness);
    if (closable && verdict === 'settled') idle = { driver, purposes: 'batch_close' };
    show('attention', readiness.text);
    return { prepared: false, delayMs: settings.attentionRetryMs };
  }

  function run<T>(driver: TerminalDriver, operate: (driver: TerminalDriver) => Promise<T>): Promise<T> {
    idle = null;
    // Nothing may go wrong between the first byte and the moment when the terminal counts as taken.
    show('operating', 'The terminal is working.');
    const answer = operate(driver).finally(() => {
      operating = null;
      // Until the last record has been read again the terminal is not given out.
      housekeeping = true;
    });
    const ended = answer.then(
      () => undefined,
      () => undefined,
    );
    operating = { driver, ended };
    kick();
    return answer;
  }

  return {
    get connection() {
      return connection;
    },
    get text() {
      return text;
    },
    start() {
      running ??= keep().catch((error: unknown) =>
        log.error('a fault ended the care for the terminal', { error }),
      );
    },
    async stop() {
      stopping.abort();
      await running;
      running = null;
    },
    tryClaim(purpose) {
      if (operating !== null) return { kind: 'busy' };
      if (idle !== null && (idle.purposes === 'all' || purpose === 'batch_close')) {
        const { driver } = idle;
        return { kind: 'granted', run: (operate) => run(driver, operate) };
      }
      const soon = connection === 'ready' || connection === 'operating' || connection === 'attention';
      if (housekeeping && soon) return { kind: 'housekeeping' };
      return { kind: 'unavailable', text };
    },
    async settled(timeoutMs) {
      if (!housekeeping && operating === null) return;
      await new Promise<void>((resolve) => {
        const done = () => {
          cancelTimer();
          settledWaiters.delete(done);
          resolve();
        };
        const cancelTimer = clock.after(timeoutMs, done);
        settledWaiters.add(done);
      });
    },
    cancel() {
      if (operating === null) return false;
      operating.driver.cancel();
      return true;
    },
    kick,
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
