/** SubmitBatch: closes the day, unless the journal and the terminal both say that there is nothing to close. */
import { refuse, type Result } from '../../../contract/errors.ts';
import type { BatchResult } from '../../../contract/journal-events.ts';
import { formatAmount } from '../../../contract/money.ts';
import type { OperationRow, PaymentRow } from '../../journal/index.ts';
import type { PaidAmount } from '../../terminals/terminal-driver.ts';
import { newestKept } from '../anchor.ts';
import { batchToClose, currencyOfClose, totalOf } from '../batch.ts';
import { terminalReferenceOf } from '../terminal-reference.ts';
import { obstacle, undecided, type CommandView, type Decision, type JournalView } from './decision.ts';

export interface BatchCloseResult {
  /** Null when there was nothing to settle. */
  batch: BatchResult | null;
  text: string;
}

export function decideBatchClose(view: CommandView): Decision<BatchCloseResult> {
  const { journal } = view;
  const open = journal.openOperations().find((row) => row.kind === 'batch_close');
  if (open !== undefined) return { kind: 'join', operationId: open.operationId };
  const inTheWay = obstacle(view, 'batch_close');
  if (inTheWay !== null) return inTheWay;
  const payments = batchToClose(journal);
  if (payments.length === 0 && holdsNothing(journal)) {
    return { kind: 'answer', value: { batch: null, text: 'There is nothing to settle.' } };
  }
  const currency = currencyOfClose(payments, view.currency);
  const started = view.newOperation();
  const { terminalId } = started.terminal;
  const newest = newestKept(journal, payments);
  const others = journal.unsettledPayments().length > 0 ? { othersUnsettled: true as const } : {};
  const knownBy = newest === null ? others : { newest };
  const amounts: [number: string, PaidAmount][] = payments.flatMap((payment) => {
    const number = terminalReferenceOf(journal, payment.transactionId);
    return number === null ? [] : [[number, paidAmount(payment)]];
  });
  const numbers = amounts.map(([number]) => number);
  const unsettled = numbers.length === 0 ? {} : { unsettled: numbers, amounts: Object.fromEntries(amounts) };
  return {
    kind: 'begin',
    operation: {
      ...started,
      type: 'operation_started',
      kind: 'batch_close',
      currency,
      batchEpoch: journal.terminalState().batchEpoch,
      expected: totalOf(payments.filter((payment) => payment.currency === currency)),
    },
    order: (driver, watch) => driver.closeBatch({ currency, terminalId, ...knownBy, ...unsettled }, watch),
  };
}

/** `neverSent`: not one byte of it could be written. */
export function endOfBatchClose(
  journal: JournalView,
  row: OperationRow,
  neverSent: boolean,
): Result<BatchCloseResult> {
  if (row.outcome === 'closed') {
    const ended = journal.eventsOf(row.operationId).find(({ event }) => event.type === 'operation_ended');
    const batch = ended?.event.type === 'operation_ended' ? ended.event.batch : null;
    if (batch === null) throw new Error(`closed batch ${row.operationId} has no totals`);
    return { ok: true, value: { batch, text: textOf(batch) } };
  }
  if (row.outcome === 'not_closed') {
    const code = neverSent ? 'terminal_unavailable' : 'terminal_error';
    return refuse(code, `The batch was not closed: ${row.reason}`);
  }
  return undecided(row, 'the batch close');
}

/** What the terminal shows says by itself that its open batch is empty. One that never shows a record says nothing. */
function holdsNothing(journal: JournalView): boolean {
  const { terminal, lastRecord } = journal.terminalState();
  switch (lastRecord.kind) {
    case 'record':
      return lastRecord.record.kind === 'batch_close' && lastRecord.record.approved;
    case 'empty':
      return terminal !== null && journal.terminalKnowledge(terminal).showsRecords;
    case 'unavailable':
      return false;
  }
}

function paidAmount({ amountMinor, currency, result }: PaymentRow): PaidAmount {
  return { askedMinor: amountMinor, takenMinor: result?.amountMinor ?? amountMinor, currency };
}

function textOf(batch: BatchResult): string {
  const figures = [
    ...(batch.count === null ? [] : [`${batch.count} ${batch.count === 1 ? 'payment' : 'payments'}`]),
    ...(batch.totalMinor === null
      ? []
      : [`${formatAmount(batch.totalMinor, batch.currency)} ${batch.currency}`]),
  ];
  if (figures.length === 0) return 'The batch was closed. The terminal sent no totals to compare with.';
  const closed = `The batch was closed: ${figures.join(', ')}.`;
  if (batch.reconciled) return closed;
  return `${closed} The terminal’s totals were not found equal to the journal’s; see the differences.`;
}
