/** Random histories for tests of the journal: events that can follow on each other, and what they add up to. */
import type {
  BatchStarted,
  JournalEvent,
  SaleStarted,
  VoidStarted,
} from '../../../src/contract/journal-events.ts';
import type { TransactionStatus } from '../../../src/contract/operation.ts';
import { continuitySchema } from '../../../src/contract/terminal.ts';
import {
  batch,
  closed,
  ended,
  evidenceOf,
  inDoubt,
  lastRecord,
  record,
  resultOf,
  sale,
  terminal,
  voidOf,
} from './sample-events.ts';

/** What is expected, told in another way than the projection does it: by what happened to each payment last. */
interface Expected {
  sale: SaleStarted;
  status: TransactionStatus;
  epoch: number;
  batchNumber: string | null;
}

/** A till that does one legal thing after the other, as `pick` says, and notes what should come of it. */
export function makeTill(pick: (choices: number) => number) {
  const payments: Expected[] = [];
  let currentOperation: {
    operation: SaleStarted | VoidStarted | BatchStarted;
    payment: Expected | null;
    doubt: boolean;
  } | null = null;
  let epoch = 0;
  let closedBatches = 0;
  let receipt = 0;

  function oneOf<T>(choices: readonly T[]): T {
    return choices[pick(choices.length)] as T;
  }

  function begin(): JournalEvent {
    const approved = payments.filter(({ status }) => status === 'approved');
    const kind = oneOf(approved.length > 0 ? ['sale', 'sale', 'void', 'batch'] : ['sale', 'sale', 'batch']);
    if (kind === 'sale') {
      const started = sale({ amountMinor: 1 + pick(10_000), reference: `P-${payments.length}` });
      const payment: Expected = { sale: started, status: 'in_progress', epoch, batchNumber: null };
      payments.push(payment);
      currentOperation = { operation: started, payment, doubt: false };
      return started;
    }
    if (kind === 'void') {
      const payment = oneOf(approved);
      payment.status = 'voiding';
      const operation = voidOf(payment.sale);
      currentOperation = { operation, payment, doubt: false };
      return operation;
    }
    const operation = batch();
    currentOperation = { operation, payment: null, doubt: false };
    return operation;
  }

  function goOn({ operation, payment, doubt }: NonNullable<typeof currentOperation>): JournalEvent {
    const step = oneOf(['result', 'doubt', 'evidence', 'cancel', 'end', 'end']);
    if (step === 'result')
      return { ...resultOf(operation, record({ receiptNumber: `${receipt}` })), late: doubt };
    if (step === 'evidence') return evidenceOf(operation, pick(2) === 1);
    if (step === 'cancel') return { type: 'cancel_requested', operationId: operation.operationId };
    if (step === 'doubt') {
      if (operation.kind === 'sale' && payment !== null) payment.status = 'unknown';
      currentOperation = { operation, payment, doubt: true };
      return inDoubt(operation, `Doubt ${pick(100)}`);
    }
    currentOperation = null;
    const result = pick(2) === 1 ? record({ receiptNumber: `${(receipt += 1)}` }) : null;
    if (operation.kind === 'sale' && payment !== null) {
      const outcome = oneOf(['approved', 'declined', 'cancelled', 'failed'] as const);
      payment.status = outcome;
      if (outcome === 'approved' && !doubt) payment.epoch = epoch;
      return ended(operation, outcome, { result, receiptLines: pick(2) === 1 ? ['PAID'] : [] });
    }
    if (operation.kind === 'void' && payment !== null) {
      const outcome = oneOf(['voided', 'not_voided'] as const);
      payment.status = outcome === 'voided' ? 'voided' : 'approved';
      return ended(operation, outcome, { result });
    }
    if (operation.kind !== 'batch_close' || pick(3) === 0) return ended(operation, 'not_closed', { result });
    const covered = payments.filter(({ status }) => status === 'approved' && pick(4) > 0);
    closedBatches += 1;
    epoch += 1;
    for (const each of covered) {
      each.status = 'settled';
      each.batchNumber = `${closedBatches}`;
    }
    const ids = covered.map((each) => each.sale.operationId);
    return closed(operation, ids, `${closedBatches}`);
  }

  function terminalSpeaks(): JournalEvent {
    const continuity = oneOf(continuitySchema.options);
    if (['batch', 'gap', 'changed_terminal'].includes(continuity)) epoch += 1;
    const seen = { lastRecord: lastRecord(`${receipt}`), continuity };
    return oneOf([
      { type: 'terminal_ready', terminal: { ...terminal, terminalId: `${pick(3)}` }, ...seen },
      { type: 'record_seen', ...seen },
    ] as JournalEvent[]);
  }

  return {
    next: (): JournalEvent =>
      pick(4) === 0 ? terminalSpeaks() : currentOperation === null ? begin() : goOn(currentOperation),
    expected: () => ({
      payments,
      open: currentOperation === null ? [] : [currentOperation.operation.operationId],
      epoch,
      closedBatches,
    }),
  };
}
