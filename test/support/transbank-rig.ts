/**
 * As `rig.ts`, for Transbank: real journal, real payments, real driver, a line in memory, and the simulator with its ledger,
 * all on one virtual clock. What is to go wrong, the simulator is told.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openJournal } from '../../src/bridge/journal/index.ts';
import { openWithBackoff } from '../../src/bridge/lines/index.ts';
import { createPayments, type Payments } from '../../src/bridge/payments/index.ts';
import { overLine } from '../../src/bridge/terminals/over-line.ts';
import { createTransbankProtocol } from '../../src/bridge/terminals/transbank/index.ts';
import type { TransactionStatus } from '../../src/contract/operation.ts';
import { silentLog } from '../../src/log/log.ts';
import { createSimulatorLine, createTransbankSimulator } from '../../src/simulator/index.ts';
import { readLedger, type LedgerLine } from './ledger.ts';
import { seededChance } from './random.ts';
import { tempFolder } from './temp-folder.ts';
import { createVirtualClock, onClock, type VirtualClock } from './virtual-clock.ts';

type SimulatorOptions = Parameters<typeof createTransbankSimulator>[0];

export interface TransbankRig {
  clock: VirtualClock;
  payments: Payments;
  simulator: ReturnType<typeof createTransbankSimulator>;
  ledger(): LedgerLine[];
  /** Resolves once the terminal is ready and nothing is in doubt that recovery can still decide. */
  ready(): Promise<void>;
  /** In whole pesos; gives the status at its end, which may be `unknown`. */
  sale(amount: number, reference: string): Promise<TransactionStatus>;
  status(reference: string): TransactionStatus;
  close(): Promise<void>;
}

export function createTransbankRig(options: Partial<SimulatorOptions> = {}): TransbankRig {
  const folder = tempFolder('transbank-rig');
  const clock = createVirtualClock();
  const chance = seededChance(clock);
  const log = silentLog;
  const ledgerFile = join(folder, 'ledger.jsonl');
  const simulator = createTransbankSimulator({ ledgerFile, timeScale: 1, clock, log, ...options });
  const line = createSimulatorLine(simulator);
  const opened = openJournal({ folder, clock, log, version: 'test' });
  if (opened.kind !== 'opened') throw new Error(opened.message);
  const { journal } = opened;
  const payments = createPayments({
    journal,
    clock,
    chance,
    log,
    currency: 'CLP',
    simulated: true,
    maxTipPercent: 0,
    runner: { heartbeatMs: 30_000 },
    stopTimeoutMs: 60_000,
    environment: {
      lineName: line.name,
      lockLine: () => ({ kind: 'held', release() {} }),
      ...overLine(createTransbankProtocol({ clock, log }), (signal, onFailure) =>
        openWithBackoff(line, { clock, signal, onFailure, random: chance.fraction }),
      ),
      clock,
      log,
    },
  });
  const watched = [journal.subscribe(() => clock.recheck()), payments.subscribe(() => clock.recheck())];
  payments.start();

  const rig: TransbankRig = {
    clock,
    payments: onClock(clock, payments),
    simulator,
    ledger: () => readLedger(ledgerFile),
    async ready() {
      await clock.until(() => {
        const { terminal, currentOperation } = payments.status();
        const decided = payments.operationsInDoubt().every(({ needsDecision }) => needsDecision);
        return terminal.connection === 'ready' && currentOperation === null && decided;
      }, 'a ready terminal');
    },
    async sale(amountMinor, reference) {
      const answer = await rig.payments.createPayment({ amountMinor, reference, conditionCode: '00' });
      if (!answer.ok) throw new Error(`${answer.refusal.code}: ${answer.refusal.message}`);
      await clock.until(() => rig.status(reference) !== 'in_progress', `an end of ${reference}`);
      return rig.status(reference);
    },
    status(reference) {
      const answer = payments.queryPayment(reference);
      if (!answer.ok) throw new Error(answer.refusal.message);
      return answer.value.status;
    },
    async close() {
      watched.forEach((end) => end());
      await clock.run(payments.stop(), 'the end of the bridge');
      journal.close();
      await clock.run(simulator.close(), 'the end of the simulator');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return rig;
}
