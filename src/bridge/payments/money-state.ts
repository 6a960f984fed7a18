/** What may be said of the money of a payment: what was taken, and whether a failed command can have moved any. */
import type { DiscrepancyKind, DiscrepancyView } from '../../contract/discrepancy.ts';
import type { PaymentState } from '../../contract/errors.ts';
import { takenStatuses, type TransactionStatus } from '../../contract/operation.ts';
import type { Journal, PaymentRow } from '../journal/index.ts';
import { holdsSales, isOpen } from './manual-decisions.ts';
import type { MoneyCommand } from './payments-api.ts';

/** The minor units that the terminal took; null where it took nothing, and while nobody knows. */
export function approvedMinor({ status, result, amountMinor }: PaymentRow): number | null {
  return takenStatuses.includes(status) ? (result?.amountMinor ?? amountMinor) : null;
}

/** Statuses of a payment that took no money and never will. */
const withoutMoney: readonly TransactionStatus[] = ['declined', 'cancelled', 'failed'];
/** Statuses of a payment that no reversal has touched. A reversal that is under way has `voiding`. */
const notReversed: readonly TransactionStatus[] = [
  ...withoutMoney,
  'approved',
  'settled',
  'in_progress',
  'unknown',
];

/**
 * `not_started` only where the journal proves it: for a sale, that its reference has moved no money; for a void, that
 * its payment is not reversed (and no open discrepancy says the opposite); for a batch, that none is being closed.
 * Without a reference that could be read nobody can tell which payment was meant.
 */
export function moneyState(
  journal: Pick<Journal, 'paymentByReference' | 'openOperations' | 'discrepanciesOf' | 'openDiscrepancies'>,
  command: MoneyCommand,
  reference: string | null,
): PaymentState {
  if (command === 'SubmitBatch') {
    return journal.openOperations().some(({ kind }) => kind === 'batch_close') ? 'unknown' : 'not_started';
  }
  if (reference === null) return 'unknown';
  const payment = journal.paymentByReference(reference);
  // What a journal has lost, it cannot say.
  if (payment === null) return holdsSales(journal) ? 'unknown' : 'not_started';
  // The terminal says otherwise, and nobody has looked yet.
  if (journal.discrepanciesOf(reference).some(contradictsOutcome)) return 'unknown';
  const harmless = command === 'VoidPayment' ? notReversed : withoutMoney;
  return harmless.includes(payment.status) ? 'not_started' : 'unknown';
}

function contradictsOutcome({ kind, acknowledged }: DiscrepancyView): boolean {
  return acknowledged === null && (kind === 'contradicted_outcome' || kind === 'late_result_refused');
}

/** What says something about a payment's own money, and not about its day or its terminal. */
const aboutItsMoney: readonly DiscrepancyKind[] = [
  'unexplained_reversal',
  'unexplained_payment',
  'amount_differs',
];

/**
 * Which of a payment's discrepancies (oldest first) is told with it, for a till can be told one: what contradicts how the
 * payment ended, else what is about its money, else the newest.
 */
export function discrepancyToTell(discrepancies: readonly DiscrepancyView[]): DiscrepancyView | null {
  const open = discrepancies.filter(isOpen);
  return (
    open.findLast(contradictsOutcome) ??
    open.findLast(({ kind }) => aboutItsMoney.includes(kind)) ??
    open.at(-1) ??
    null
  );
}
