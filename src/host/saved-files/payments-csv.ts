/** Payments as a table (RFC 4180) that a spreadsheet can open without harm. */
import { printableLine } from '../../base/printable-text.ts';
import type { JournalReading } from '../../bridge/bridge.ts';
import { maskCardNumbers } from '../../log/index.ts';
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

/** Less than a spreadsheet takes. */
const maxCellCharacters = 2_000;

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

/** A header, then one line for each payment that fits, in the wanted order; pieces of some lines each, or of none. */
export function* paymentsCsv(
  journal: JournalReading,
  filter: PaymentFilter,
  order: PaymentOrder = 'newest',
): Generator<string> {
  yield lineOf(columns.map(([name]) => name));
  const pages =
    order === 'newest' || order === 'oldest'
      ? pagesByTime(journal, filter, order)
      : pagesByAmount(journal, filter, order);
  for (const payments of pages) {
    yield payments
      .map((row) => paymentView(row, journal))
      .map((payment) => lineOf(columns.map(([, read]) => read(payment) ?? '')))
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

function lineOf(values: string[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}

/** What a spreadsheet would take for a formula gets an apostrophe in front (OWASP, "CSV injection"). */
function cell(text: string): string {
  const clean = printableLine(maskCardNumbers(text), maxCellCharacters);
  // Full-width signs count for some of them, and so does what stands behind blanks.
  const harmless = /^\s*[=+\-@＝＋－＠]/u.test(clean) ? `'${clean}` : clean;
  return `"${harmless.replaceAll('"', '""')}"`;
}
