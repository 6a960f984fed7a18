/** Payments as a table. */
import type { JournalReading } from '../../bridge/bridge.ts';
import type { PaymentRow } from '../../bridge/journal/index.ts';
import {
  maxPaymentPage,
  type PaymentFilter,
  type PaymentOrder,
  type PaymentView,
} from '../../contract/console/index.ts';
import { formatAmount } from '../../contract/money.ts';
import { paymentView } from '../views/payment-views.ts';
import { sortedAmounts } from '../views/payments-by-amount.ts';
import { csvLine } from './csv.ts';

/** Of each payment. */
const columns: [name: string, read: (payment: PaymentView) => string | null][] = [
  ['created_at', ({ createdAt }) => createdAt],
  ['reference', ({ reference }) => reference],
  ['amount', ({ amountMinor, currency }) => formatAmount(amountMinor, currency)],
  [
    'approved_amount',
    (payment) =>
      payment.approvedMinor === null ? null : formatAmount(payment.approvedMinor, payment.currency),
  ],
  ['currency', ({ currency }) => currency],
  ['status', ({ status }) => status],
  ['completed_at', ({ completedAt }) => completedAt],
  ['reason', ({ reason }) => reason],
  ['card', ({ maskedCardNumber }) => maskedCardNumber],
  ['card_scheme', ({ cardScheme }) => cardScheme],
  ['approval_code', ({ approvalCode }) => approvalCode],
  ['receipt_number', ({ receiptNumber }) => receiptNumber],
  ['trace_number', ({ traceNumber }) => traceNumber],
  ['batch_number', ({ batchNumber }) => batchNumber],
  ['terminal_id', ({ terminal }) => terminal.terminalId],
  ['condition_code', ({ conditionCode }) => conditionCode],
  ['decided_by', ({ decisions }) => decisions.map(({ by }) => by).join('; ')],
  ['decided_at', ({ decisions }) => decisions.map(({ at }) => at).join('; ')],
  ['decision_reason', ({ decisions }) => decisions.map(({ reason }) => reason).join('; ')],
  ['transaction_id', ({ transactionId }) => transactionId],
  ['simulated', ({ simulated }) => (simulated ? 'yes' : 'no')],
];

/** The header of a table of payments. */
export function paymentHeader(): string {
  return csvLine(columns.map(([name]) => name));
}

export function paymentLine(payment: PaymentView): string {
  return csvLine(columns.map(([, read]) => read(payment) ?? ''));
}

/** A header, then one line for each payment that fits, in the wanted order; pieces of some lines each, or of none. */
export function* paymentsCsv(
  journal: JournalReading,
  filter: PaymentFilter,
  order: PaymentOrder = 'newest',
): Generator<string> {
  yield paymentHeader();
  const pages =
    order === 'newest' || order === 'oldest'
      ? pagesByTime(journal, filter, order)
      : pagesByAmount(journal, filter, order);
  for (const payments of pages) {
    yield payments
      .map((row) => paymentView(row, journal))
      .map(paymentLine)
      .join('');
  }
}

function* pagesByTime(
  journal: JournalReading,
  filter: PaymentFilter,
  order: 'newest' | 'oldest',
): Generator<PaymentRow[]> {
  let before: number | null = null;
  do {
    const page = journal.searchPayments({ ...filter, order, before, limit: maxPaymentPage });
    yield page.payments;
    before = page.next;
  } while (before !== null);
}

function* pagesByAmount(
  journal: JournalReading,
  filter: PaymentFilter,
  order: 'highest' | 'lowest',
): Generator<PaymentRow[]> {
  const sorting = sortedAmounts(journal, { filter, order });
  let part = sorting.next();
  for (; part.done !== true; part = sorting.next()) yield [];
  const amounts = part.value;
  for (let from = 0; from < amounts.length; from += maxPaymentPage) {
    const page = amounts.slice(from, from + maxPaymentPage);
    yield journal.paymentsAt(page.map(({ position }) => position));
  }
}
