/**
 * The whole way from a command to a terminal in one process, whatever protocol it speaks: real journal on disk, real engine,
 * real driver, and a simulator with its ledger; all on one virtual clock, with the timers that are used in production.
 * Nothing is stubbed.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openJournal } from '../../src/bridge/journal/index.ts';
import type { Journal } from '../../src/bridge/journal/journal.ts';
import { openWithBackoff, type Line } from '../../src/bridge/lines/index.ts';
import { createPayments, type Payments } from '../../src/bridge/payments/index.ts';
import { overLine } from '../../src/bridge/terminals/over-line.ts';
import type {
  ConnectTerminal,
  LineProtocol,
  TerminalProtocol,
} from '../../src/bridge/terminals/terminal-driver.ts';
import type { Chance } from '../../src/base/chance.ts';
import type { Currency } from '../../src/contract/money.ts';
import type { TransactionStatus } from '../../src/contract/operation.ts';
import { silentLog, type Log } from '../../src/log/log.ts';
import { readLedger, type LedgerLine } from './ledger.ts';
import { seededChance } from './random.ts';
import { tempFolder } from './temp-folder.ts';
import { createVirtualClock, onClock, type VirtualClock } from './virtual-clock.ts';

export interface CoreRigOptions {
  clock?: VirtualClock;
  log?: Log;
  /** Put between engine and journal, to make a disk fail. */
  wrapJournal?: (journal: Journal) => Journal;
  /** A ledger that the terminal already has. */
  folder?: string;
  maxTipPercent?: number;
  /** Of chance: the same seed takes the same course. */
  seed?: number;
}

/** What a rig is given to make the terminal and the way to it. */
export interface TerminalParts {
  ledgerFile: string;
  clock: VirtualClock;
  chance: Chance;
}

/** The terminal of a rig, and the way to it. */
export interface RigTerminal {
  currency: Currency;
  lineName: string;
  /** For a bridge that starts now. */
  connection(log: Log): { protocol: TerminalProtocol; connect: ConnectTerminal };
  /** Ends the connection, and none can be made until it is put back. */
  pull(): void;
  put(): void;
  /** Ends the simulator. */
  close(): Promise<void>;
}

export interface CoreRig {
  clock: VirtualClock;
  /** Time goes on while an answer is waited for. */
  payments: Payments;
  journal: Journal;
  folder: string;
  ledger(): LedgerLine[];
  /** Resolves once the terminal is ready and nothing is in doubt that recovery can still decide. */
  ready(): Promise<void>;
  /** Begins a sale, in minor units, and does not wait for its end. Throws when it is refused. */
  begin(amountMinor: number, reference: string): Promise<void>;
  /** Gives the status of a sale at its end, which may be `unknown`. */
  sell(amountMinor: number, reference: string): Promise<TransactionStatus>;
  status(reference: string): TransactionStatus;
  /** Why a person is needed for what is in doubt. */
  asked(): string[];
  /** Waits until `look` gives something other than null. */
  until<T>(look: () => T | null | undefined | false, what: string): Promise<T>;
  /** Stops the bridge as a crash does: no goodbye to the terminal, no wait for what is under way. */
  crash(): Promise<void>;
  /** A new bridge on the same journal and the same terminal. */
  restart(): void;
  close(): Promise<void>;
}

export function createCoreRig<Terminal extends RigTerminal>(
  options: CoreRigOptions,
  plugIn: (parts: TerminalParts) => Terminal,
): { rig: CoreRig; terminal: Terminal } {
  const folder = options.folder ?? tempFolder('rig');
  const clock = options.clock ?? createVirtualClock();
  const faults: string[] = [];
  const log = options.log ?? faultLog((fault) => alive && faults.push(fault));
  /** False from a crash to the next start: what a dead bridge still tries is no fault. */
  let alive = true;
  const ledgerFile = join(folder, 'ledger.jsonl');
  const chance = seededChance(clock, options.seed);
  const terminal = plugIn({ ledgerFile, clock, chance });
  let stopWatching = () => {};

  function start() {
    const opened = openJournal({ folder, clock, log, version: 'test' });
    if (opened.kind !== 'opened') throw new Error(opened.message);
    const journal = options.wrapJournal?.(opened.journal) ?? opened.journal;
    const payments = createPayments({
      journal,
      clock,
      chance,
      log,
      currency: terminal.currency,
      simulated: true,
      maxTipPercent: options.maxTipPercent ?? 0,
      runner: { heartbeatMs: 30_000 },
      stopTimeoutMs: 60_000,
      environment: {
        lineName: terminal.lineName,
        lockLine: () => ({ kind: 'held', release() {} }),
        ...terminal.connection(log),
        clock,
        log,
      },
    });
    // The payments tell later what the journal tells at once.
    const watched = [journal.subscribe(() => clock.recheck()), payments.subscribe(() => clock.recheck())];
    stopWatching = () => watched.forEach((end) => end());
    payments.start();
    return { journal, payments: onClock(clock, payments) };
  }

  let running = start();

  const rig: CoreRig = {
    clock,
    get payments() {
      return running.payments;
    },
    get journal() {
      return running.journal;
    },
    folder,
    ledger: () => readLedger(ledgerFile),
    async ready() {
      await rig.until(() => {
        const { terminal: shown, currentOperation } = rig.payments.status();
        return (
          shown.connection === 'ready' &&
          currentOperation === null &&
          rig.payments.operationsInDoubt().every((doubt) => doubt.needsDecision)
        );
      }, 'a ready terminal');
    },
    async begin(amountMinor, reference) {
      const answer = await rig.payments.createPayment({ amountMinor, reference, conditionCode: '00' });
      if (!answer.ok) throw new Error(`${answer.refusal.code}: ${answer.refusal.message}`);
    },
    async sell(amountMinor, reference) {
      await rig.begin(amountMinor, reference);
      await rig.until(() => rig.status(reference) !== 'in_progress', `an end of ${reference}`);
      return rig.status(reference);
    },
    status(reference) {
      const answer = rig.payments.queryPayment(reference);
      if (!answer.ok) throw new Error(answer.refusal.message);
      return answer.value.status;
    },
    asked: () =>
      rig.payments
        .operationsInDoubt()
        .filter(({ needsDecision }) => needsDecision)
        .flatMap(({ facts }) =>
          facts.flatMap(({ event }) => (event.type === 'evidence_found' ? [event.evidence.explanation] : [])),
        ),
    until: (look, what) =>
      clock.until(look, what).catch((error: unknown) => {
        const facts = rig.payments
          .operationsInDoubt()
          .flatMap((doubt) => doubt.facts.map(({ event }) => JSON.stringify(event)));
        const status = JSON.stringify(rig.payments.status());
        throw new Error(`${String(error)}\n${[status, ...facts].join('\n')}`, { cause: error });
      }),
    async crash() {
      stopWatching();
      alive = false;
      // What the old engine still wants to write after its death must not reach the journal.
      running.journal.close();
      terminal.pull();
      await running.payments.stop().catch(() => {});
      terminal.put();
    },
    restart() {
      alive = true;
      running = start();
    },
    async close() {
      stopWatching();
      await running.payments.stop().catch(() => {});
      running.journal.close();
      await clock.run(terminal.close(), 'the end of the simulator');
      rmSync(folder, { recursive: true, force: true });
      if (faults.length > 0) throw new Error(`faults of the bridge itself: ${faults.join('; ')}`);
    },
  };
  return { rig, terminal };
}

/** A protocol of bytes on a line, as `RigTerminal.connection` gives it. */
export function connectionOver(line: Line, protocol: LineProtocol, { clock, chance }: TerminalParts) {
  return overLine(protocol, (signal, onFailure) =>
    openWithBackoff(line, { clock, signal, onFailure, random: chance.fraction }),
  );
}

/** Keeps what the engine calls a fault of its own: the bridge goes on after one, but a test must not pass over it. */
function faultLog(note: (fault: string) => void): Log {
  const log: Log = {
    ...silentLog,
    error(message, fields) {
      if (!/fault|subscriber|no place/.test(message)) return;
      const error = fields?.['err'];
      note(
        error instanceof Error
          ? `${message}: ${error.stack ?? error.message}`
          : `${message} ${JSON.stringify(fields)}`,
      );
    },
    with: () => log,
  };
  return log;
}
