/** One close of the day: the terminal's totals against the journal's, and the payments that it settled. */
import type { JournalReading } from '../../bridge/bridge.ts';
import { maxReportItems, type BatchReport, type PaymentView } from '../../contract/console/index.ts';
import { decisionOf, endOf } from './manual-decisions.ts';
import { batchViewOf, paymentView } from './payment-views.ts';

/** Null: there is no such batch close. */
export function batchReport(journal: JournalReading, operationId: string): BatchReport | null {
  const row = journal.operation(operationId);
  const batch = row === null ? null : batchViewOf(journal, row);
  if (batch === null) return null;
  const end = endOf(journal, operationId);
  const settled = end?.event.settled ?? [];
  return {
    batch,
    decision: end === null ? null : decisionOf(end),
    payments: { count: settled.length, items: [...paymentsOf(journal, settled.slice(0, maxReportItems))] },
  };
}

/** All that a batch close settled, in the order of the journal. */
export function* settledPayments(journal: JournalReading, operationId: string): Generator<PaymentView> {
  yield* paymentsOf(journal, endOf(journal, operationId)?.event.settled ?? []);
}

function* paymentsOf(journal: JournalReading, transactionIds: readonly string[]): Generator<PaymentView> {
  for (const transactionId of transactionIds) {
    const row = journal.payment(transactionId);
    if (row !== null) yield paymentView(row, journal);
  }
}
