/** The amounts of the payments that match, for sums and for putting them in order; so many rows looked at a call. */
import { takenStatuses } from '../../contract/operation.ts';
import type { AmountPage, AmountSearch, PaymentAmount, PaymentRow } from './journal.ts';
import { maxAmountRows, maxLookRows, maxReadRows, step, walkFilter } from './payment-search.ts';
import type { Statements } from './query-sql.ts';
import { paymentRowOf } from './rows.ts';
import type { Positions } from './span-positions.ts';
import { textMatch } from './text-match.ts';

/** `within`: where the payments of the span lie; null when it has none. */
export function paymentAmounts(
  statement: Statements,
  within: Positions | null,
  search: AmountSearch,
  lookRows?: number,
): AmountPage {
  if (within === null) return { amounts: [], next: null, nextAt: null };
  const match = textMatch(search.text);
  if (match === null) {
    const rows = lookRows ?? maxAmountRows;
    const part = step(statement, 'amounts', walkFilter(search, within, null, rows), search.before, rows);
    const amounts = [...part.rows].map((row) => row as unknown as PaymentAmount);
    return { amounts, next: part.next, nextAt: part.nextAt };
  }
  // Of most texts few rows pass; of those all is read, and the others are passed by quickly.
  const rows = lookRows ?? (search.amount === undefined ? maxLookRows : maxAmountRows);
  const part = step(statement, 'found', walkFilter(search, within, match, rows), search.before, rows);
  const amounts: PaymentAmount[] = [];
  let read = 0;
  for (const row of part.rows) {
    const payment = paymentRowOf(row);
    if (match.matches(payment)) amounts.push(amountOf(payment));
    read += 1;
    if (read === maxReadRows) return { amounts, next: payment.position, nextAt: payment.createdAt };
  }
  return { amounts, next: part.next, nextAt: part.nextAt };
}

/** As `query-sql.ts` has it. */
export function amountOf(payment: PaymentRow): PaymentAmount {
  const { position, currency, status, result, amountMinor } = payment;
  const minor = takenStatuses.includes(status) ? (result?.amountMinor ?? amountMinor) : amountMinor;
  return { position, currency, status, minor };
}
