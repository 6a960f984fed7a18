/**
 * The whole way from a command to a terminal in one process: real journal on disk, real engine, real driver, a serial
 * line in memory with a tap on it, and the simulator with its ledger; all on one virtual clock, with the timers that are
 * used in production. Nothing is stubbed.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openWithBackoff } from '../../src/bridge/lines/index.ts';
import { openJournal } from '../../src/bridge/journal/index.ts';
import type { Journal } from '../../src/bridge/journal/journal.ts';
import { silentLog, type Log } from '../../src/log/log.ts';
import { createPayments, type Payments } from '../../src/bridge/payments/index.ts';
import { overLine } from '../../src/bridge/terminals/over-line.ts';
import { createZvtProtocol } from '../../src/bridge/terminals/zvt/index.ts';
import { zvtSettingsSchema } from '../../src/contract/configuration.ts';
import { parseAmount } from '../../src/contract/money.ts';
import type { TransactionStatus } from '../../src/contract/operation.ts';
import { createSimulatorLine, createZvtSimulator, type ZvtSimulator } from '../../src/simulator/index.ts';
import { seededChance } from './random.ts';
import { readLedger, type LedgerLine } from './ledger.ts';
import { tempFolder } from './temp-folder.ts';
import { createVirtualClock, onClock, type VirtualClock } from './virtual-clock.ts';
import { tapLine, type WireTap } from './wire-tap.ts';

export interface RigOptions {
  clock?: VirtualClock;
  log?: Log;
  receipts?: 'terminal' | 'pos';
  /** Put between engine and journal, to make a disk fail. */
  wrapJournal?: (journal: Journal) => Journal;
  /** A ledger that the terminal already has. */
  folder?: string;
  simulator?: Partial<Parameters<typeof createZvtSimulator>[0]>;
  maxTipPercent?: number;
  /** Of chance: the same seed takes the same course. */
  seed?: number;
}

export interface Rig {
  clock: VirtualClock;
  /** Time goes on while an answer is waited for. */
  payments: Payments;
  journal: Journal;
  simulator: ZvtSimulator;
  tap: WireTap;
  folder: string;
  ledger(): LedgerLine[];
  /** Resolves once the terminal is ready and nothing is in doubt that recovery can still decide. */
  ready(): Promise<void>;
  sale(amount: string, reference: string): Promise<TransactionStatus>;
  status(reference: string): TransactionStatus;
  /** Waits until `look` gives something other than null. */
  until<T>(look: () => T | null | undefined | false, what: string): Promise<T>;
  /** Stops the bridge as a crash does: no goodbye to the terminal, no wait for what is under way. */
  crash(): Promise<void>;
  /** A new bridge on the same journal and the same terminal. */
  restart(): void;
  close(): Promise<void>;
}

export function createRig(options: RigOptions = {}): Rig {
  const folder = options.folder ?? tempFolder('rig');
  const clock = options.clock ?? createVirtualClock();
  const faults: string[] = [];
  const log = options.log ?? faultLog((fault) => alive && faults.push(fault));
  /** False from a crash to the next start: what a dead bridge still tries is no fault. */
  let alive = true;
  const ledgerFile = join(folder, 'ledger.jsonl');
  const simulator = createZvtSimulator({
    ledgerFile,
    framing: 'serial',
    timeScale: 1,
    clock,
    log: silentLog,
    currency: 'EUR',
    ...options.simulator,
  });
  const tap = tapLine(createSimulatorLine(simulator));
  let stopWatching = () => {};
  const chance = seededChance(clock, options.seed);

  function start() {
    const opened = openJournal({ folder, clock, log, version: 'test' });
    if (opened.kind !== 'opened') throw new Error(opened.message);
    const journal = options.wrapJournal?.(opened.journal) ?? opened.journal;
    const payments = createPayments({
      journal,
      clock,
      chance,
      log,
      currency: 'EUR',
      simulated: true,
      maxTipPercent: options.maxTipPercent ?? 0,
      runner: { heartbeatMs: 30_000 },
      stopTimeoutMs: 60_000,
      environment: {
        lineName: tap.line.name,
        lockLine: () => ({ kind: 'held', release() {} }),
        ...overLine(
          createZvtProtocol({
            framing: 'serial',
            settings: zvtSettingsSchema.parse({ receipts: options.receipts ?? 'terminal' }),
            currency: 'EUR',
            clock,
            log,
          }),
          (signal, onFailure) =>
            openWithBackoff(tap.line, { clock, signal, onFailure, random: chance.fraction }),
        ),
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

  const rig: Rig = {
    clock,
    get payments() {
      return running.payments;
    },
    get journal() {
      return running.journal;
    },
    simulator,
    tap,
    folder,
    ledger: () => readLedger(ledgerFile),
    async ready() {
      await rig.until(() => {
        const { terminal, currentOperation } = rig.payments.status();
        return (
          terminal.connection === 'ready' &&
          currentOperation === null &&
          rig.payments.operationsInDoubt().every((doubt) => doubt.needsDecision)
        );
      }, 'a ready terminal');
    },
    async sale(amount, reference) {
      const answer = await rig.payments.createPayment({
        amountMinor: minorUnits(amount),
        reference,
        conditionCode: '00',
      });
      if (!answer.ok) throw new Error(`${answer.refusal.code}: ${answer.refusal.message}`);
      await rig.until(() => rig.status(reference) !== 'in_progress', `an end of ${reference}`);
      return rig.status(reference);
    },
    status(reference) {
      const answer = rig.payments.queryPayment(reference);
      if (!answer.ok) throw new Error(answer.refusal.message);
      return answer.value.status;
    },
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
      tap.plugged = false;
      tap.cut();
      await running.payments.stop().catch(() => {});
      tap.plugged = true;
    },
    restart() {
      alive = true;
      running = start();
    },
    async close() {
      stopWatching();
      await running.payments.stop().catch(() => {});
      running.journal.close();
      await clock.run(simulator.close(), 'the end of the simulator');
      rmSync(folder, { recursive: true, force: true });
      if (faults.length > 0) throw new Error(`faults of the bridge itself: ${faults.join('; ')}`);
    },
  };
  return rig;
}

/** "12.00" in cents. */
export function minorUnits(amount: string): number {
  const parsed = parseAmount(amount, 'EUR');
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.amountMinor;
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
