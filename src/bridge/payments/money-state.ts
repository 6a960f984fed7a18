/** What may be said of the money after a command that moves money has failed. */
import type { PaymentState } from '../../contract/errors.ts';
import type { TransactionStatus } from '../../contract/operation.ts';
import type { Journal } from '../journal/journal.ts';
import type { MoneyCommand } from './payments-api.ts';

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
 * its payment is not reversed; for a batch, that none is being closed. Without a reference that could be read nobody
 * can tell which payment was meant.
 */
export function moneyState(
  journal: Pick<Journal, 'paymentByReference' | 'openOperations'>,
  command: MoneyCommand,
  reference: string | null,
): PaymentState {
  if (command === 'SubmitBatch') {
    return journal.openOperations().some(({ kind }) => kind === 'batch_close') ? 'unknown' : 'not_started';
  }
  if (reference === null) return 'unknown';
  const payment = journal.paymentByReference(reference);
  if (payment === null) return 'not_started';
  const harmless = command === 'VoidPayment' ? notReversed : withoutMoney;
  return harmless.includes(payment.status) ? 'not_started' : 'unknown';
}
