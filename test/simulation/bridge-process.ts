/**
 * One life of the bridge as the operating system sees it: real journal, engine, protocol and commands of the listener,
 * which can be killed at any write, stopped and continued, or put to sleep. A dead one touches nothing any more.
 */
import { openJournal } from '../../src/bridge/journal/index.ts';
import { JournalWriteError, type Journal } from '../../src/bridge/journal/journal.ts';
import { silentLog, type Log } from '../../src/log/log.ts';
import { createPayments, type Payments } from '../../src/bridge/payments/index.ts';
import type { ConnectTerminal, Readiness } from '../../src/bridge/terminals/terminal-driver.ts';
import { chanceOf } from '../../src/base/chance.ts';
import type { JournalEvent, StoredEvent } from '../../src/contract/journal-events.ts';
import type { Currency } from '../../src/contract/money.ts';
import type { Random } from '../support/random.ts';
import { createBridgeClock, type BridgeClock } from './bridge-clock.ts';
import type { CableUser } from './cable.ts';
import { createDoor, type Door } from './door.ts';
import { Killed } from './killed.ts';
import type { Installation } from './protocols/index.ts';
import type { WorldClock } from './world-clock.ts';

export interface ProcessOptions {
  world: WorldClock;
  random: Random;
  /** The terminal on its cable. */
  installation: Installation;
  currency: Currency;
  folder: string;
  maxTipPercent: number;
  heartbeatMs: number;
  /** Called where the process may be killed: before and after each write to journal and line. */
  onMoment(moment: Moment): void;
  /** These are in the journal now, up to `seq`; null where the bridge was told that they are not. */
  onWritten(events: readonly JournalEvent[], seq: number | null): void;
  /** The disk fails in such a way that what it calls lost is there. */
  keepsWhatItRefuses(): boolean;
  onResent(): void;
  /** The idle terminal has shown its last record. */
  onLook(): void;
  onFault(text: string): void;
  lock(process: BridgeProcess): { kind: 'held'; release(): void } | { kind: 'taken'; message: string };
  /** It is about to hand bytes to the line. */
  onWrite(process: BridgeProcess): void;
  trace(text: () => string): void;
}

export type Moment = 'journal:before' | 'journal:after' | 'line:before' | 'line:after';

export interface BridgeProcess extends CableUser {
  readonly clock: BridgeClock;
  readonly dead: boolean;
  /** The payments and commands of this life; null while its journal is damaged. */
  readonly payments: Payments | null;
  readonly door: Door | null;
  /** Why it cannot work: the journal waits for a person's choice. */
  readonly damage: string | null;
  /** `kill -9`. The caller closes the journal with `letGo`. */
  kill(): void;
  /** The operating system takes back what a dead process had. */
  letGo(): void;
  /** Stops as a person asks it to; over as well when it is killed meanwhile. */
  stop(): Promise<void>;
}

export function startProcess(options: ProcessOptions): BridgeProcess {
  const { world, random, installation, currency, folder } = options;
  const clock = createBridgeClock(world);
  let dead = false;
  const death = Promise.withResolvers<void>();
  const log = faultLog((text) => {
    if (!dead) options.onFault(text);
  });

  function moment(which: Moment): void {
    options.onMoment(which);
    if (dead) throw new Killed();
  }

  const me: BridgeProcess & { payments: Payments | null; door: Door | null; damage: string | null } = {
    clock,
    get dead() {
      return dead;
    },
    payments: null,
    door: null,
    damage: null,
    beforeWrite() {
      options.onWrite(me);
      options.onMoment('line:before');
    },
    onResent: () => options.onResent(),
    afterWrite: () => options.onMoment('line:after'),
    kill() {
      if (dead) return;
      dead = true;
      clock.end();
      installation.cable.drop(me);
      me.door?.cutOff();
      death.resolve();
    },
    letGo: () => journal?.close(),
    async stop() {
      await Promise.race([me.payments?.stop(), death.promise]);
      me.kill();
    },
  };

  const opened = openJournal({ folder, clock, log, version: 'simulation' });
  const journal = opened.kind === 'opened' ? opened.journal : null;
  if (opened.kind === 'damaged') me.damage = opened.message;
  else if (opened.kind !== 'opened') throw new Error(opened.message);
  if (journal === null) return me;

  /** Null: refused, and there all the same. */
  function written(store: Journal, events: readonly JournalEvent[]): StoredEvent[] | null {
    try {
      return store.append(...events);
    } catch (error) {
      if (!(error instanceof JournalWriteError) || !options.keepsWhatItRefuses()) throw error;
      return null;
    }
  }

  const guarded: Journal = {
    ...journal,
    append(...events) {
      moment('journal:before');
      const stored = written(journal, events);
      options.onWritten(events, stored?.at(-1)?.seq ?? null);
      if (stored === null) throw new JournalWriteError('The journal could not be written: disk I/O error');
      moment('journal:after');
      return stored;
    },
  };
  const chance = chanceOf(clock, (count) => Uint8Array.from({ length: count }, () => random.integer(0, 255)));
  const bridgeSide = installation.bridgeSide({ user: me, random, chance });
  const payments = createPayments({
    journal: guarded,
    clock,
    log,
    chance,
    currency,
    maxTipPercent: options.maxTipPercent,
    simulated: true,
    runner: { heartbeatMs: options.heartbeatMs },
    stopTimeoutMs: 60_000,
    environment: {
      lockLine: () => options.lock(me),
      ...bridgeSide,
      connect: noting(bridgeSide.connect, options.onLook),
      clock,
      log,
    },
  });
  me.payments = payments;
  me.door = createDoor({ payments, clock, log, random, world, currency });
  payments.start();
  return me;
}

/** The same connections, whose looks at the terminal's last record are noted. */
function noting(connect: ConnectTerminal, onLook: () => void): ConnectTerminal {
  const noted = (ask: () => Promise<Readiness>) => async () => {
    const readiness = await ask();
    if (readiness.kind === 'ready' && readiness.lastRecord.kind === 'record') onLook();
    return readiness;
  };
  return async (...parts) => {
    const connection = await connect(...parts);
    if (connection === null) return null;
    const { driver } = connection;
    return {
      driver: {
        ...driver,
        prepare: noted(() => driver.prepare()),
        probe: noted(() => driver.probe()),
      },
      get closed() {
        return connection.closed;
      },
      onClose: (handler) => connection.onClose(handler),
      close: (unsent) => connection.close(unsent),
    };
  };
}

/** Keeps what the bridge calls a fault of its own: it goes on after one, but nobody may pass over it. */
function faultLog(note: (fault: string) => void): Log {
  const log: Log = {
    ...silentLog,
    error(message, fields) {
      if (!/fault|subscriber|no place/i.test(message)) return;
      const error = fields?.['error'];
      if (error instanceof Killed) return;
      const detail = error instanceof Error ? (error.stack ?? error.message) : JSON.stringify(fields);
      note(`${message}: ${detail}`);
    },
    with: () => log,
  };
  return log;
}
