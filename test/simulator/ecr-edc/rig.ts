/**
 * The whole way from a command to an ECR-EDC terminal in one process: real journal, real engine, real driver, a line in
 * memory, and the simulator with its ledger; all on one virtual clock, with the timers of production. Nothing is stubbed.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { openJournal } from '../../../src/bridge/journal/index.ts';
import { openWithBackoff, type Line } from '../../../src/bridge/lines/index.ts';
import type { LineConnection } from '../../../src/bridge/lines/line.ts';
import { createPayments, type Payments } from '../../../src/bridge/payments/index.ts';
import { createEcrEdcProtocol } from '../../../src/bridge/terminals/ecr-edc/index.ts';
import { overLine } from '../../../src/bridge/terminals/over-line.ts';
import type { TransactionStatus } from '../../../src/contract/operation.ts';
import { silentLog } from '../../../src/log/log.ts';
import {
  createEcrEdcSimulator,
  createSimulatorLine,
  type EcrEdcSimulator,
  type EcrEdcSimulatorOptions,
} from '../../../src/simulator/index.ts';
import { readLedger } from '../../support/ledger.ts';
import { seededChance } from '../../support/random.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { createVirtualClock, onClock, type VirtualClock } from '../../support/virtual-clock.ts';

type Profile = 'generic' | 'kbtg';

export interface Rig {
  clock: VirtualClock;
  simulator: EcrEdcSimulator;
  payments: Payments;
  /** Event, amount and invoice number of each line of the terminal's ledger, such as `charged 12.50 000001`. */
  ledger(): string[];
  /** Ready, and nothing in doubt that recovery can still decide. */
  ready(): Promise<void>;
  /** Gives the status that it ends with; `unknown` once it is in doubt. */
  sale(amountMinor: number, reference: string): Promise<TransactionStatus>;
  /** Begins it, and does not wait for its end. */
  begin(amountMinor: number, reference: string): Promise<void>;
  status(reference: string): TransactionStatus;
  /** Why a person is needed for what is in doubt. */
  asked(): string[];
  until<T>(look: () => T | null | undefined | false, what: string): Promise<T>;
  /** The bridge dies without a goodbye, and begins anew on the same journal and terminal. */
  crashAndRestart(): Promise<void>;
}

const cleaning: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const clean of cleaning.splice(0).reverse()) await clean();
});

export async function createRig(profile: Profile, more: Partial<EcrEdcSimulatorOptions> = {}): Promise<Rig> {
  const folder = tempFolder('ecr-edc');
  cleaning.push(() => rmSync(folder, { recursive: true, force: true }));
  const clock = createVirtualClock();
  const ledgerFile = join(folder, 'ledger.jsonl');
  const simulator = createEcrEdcSimulator({
    ledgerFile,
    timeScale: 1,
    clock,
    log: silentLog,
    profile,
    ...more,
  });
  cleaning.push(() => clock.run(simulator.close(), 'the end of the simulator'));
  const { line, cable } = pluggable(createSimulatorLine(simulator));
  const chance = seededChance(clock);

  function start() {
    const opened = openJournal({ folder, clock, log: silentLog, version: 'test' });
    if (opened.kind !== 'opened') throw new Error(opened.message);
    const { journal } = opened;
    const payments = createPayments({
      journal,
      clock,
      chance,
      log: silentLog,
      currency: 'THB',
      simulated: true,
      maxTipPercent: 0,
      runner: { heartbeatMs: 30_000 },
      stopTimeoutMs: 60_000,
      environment: {
        lineName: line.name,
        lockLine: () => ({ kind: 'held', release() {} }),
        ...overLine(
          createEcrEdcProtocol({ profile, currency: 'THB', clock, log: silentLog }),
          (signal, onFailure) => openWithBackoff(line, { clock, signal, onFailure, random: chance.fraction }),
        ),
        clock,
        log: silentLog,
      },
    });
    const watched = [journal.subscribe(() => clock.recheck()), payments.subscribe(() => clock.recheck())];
    payments.start();
    const stop = async () => {
      for (const end of watched) end();
      await payments.stop().catch(() => {});
    };
    return { journal, payments: onClock(clock, payments), stop };
  }

  let running = start();
  cleaning.push(async () => {
    await running.stop();
    running.journal.close();
  });

  const rig: Rig = {
    clock,
    simulator,
    get payments() {
      return running.payments;
    },
    ledger: () =>
      readLedger(ledgerFile).map(({ event, amount, receipt_number, count, total }) =>
        event === 'settled' ? `settled ${count} ${total}` : `${event} ${amount} ${receipt_number}`,
      ),
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
    async sale(amountMinor, reference) {
      await rig.begin(amountMinor, reference);
      await rig.until(() => rig.status(reference) !== 'in_progress', `an end of ${reference}`);
      return rig.status(reference);
    },
    async begin(amountMinor, reference) {
      const answer = await rig.payments.createPayment({ amountMinor, reference, conditionCode: '00' });
      if (!answer.ok) throw new Error(`${answer.refusal.code}: ${answer.refusal.message}`);
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
    until: (look, what) => clock.until(look, what),
    async crashAndRestart() {
      running.journal.close();
      cable.pull();
      await running.stop();
      cable.put();
      running = start();
    },
  };
  await rig.ready();
  return rig;
}

/** A line that somebody can pull, and put in again. */
function pluggable(inner: Line) {
  let open: LineConnection | null = null;
  let plugged = true;
  const line: Line = {
    name: inner.name,
    async open(signal) {
      if (!plugged) throw new Error('the cable is not plugged in');
      open = await inner.open(signal);
      return open;
    },
  };
  const cable = {
    pull() {
      plugged = false;
      void open?.close();
    },
    put() {
      plugged = true;
    },
  };
  return { line, cable };
}
