/** From spans of time to what the tables know: hours, and the positions of the payments that began in them. */
import type { Span } from '../../contract/payment-queries.ts';
import type { Statements } from './query-sql.ts';

/** Both are in it. */
export interface Positions {
  first: number;
  last: number;
}

export const everyPosition: Positions = { first: 0, last: Number.MAX_SAFE_INTEGER - 1 };

/**
 * Positions between which all payments lie that began in `span`; null when there are none. Others lie there, too: those
 * of the rest of the first and last hour, and more where the clock had been set back.
 */
export function positionsOf(statement: Statements, span: Span): Positions | null {
  const { from, until } = stamps(span);
  const row = statement('positionsOfHours').get(hourOf(from), hourOf(until));
  const first = row?.['first'] ?? null;
  return first === null ? null : { first: Number(first), last: Number(row?.['last']) };
}

/** As the journal writes an instant, so that text compares as time does: UTC, with milliseconds. */
export function stamps({ from, until }: Span): Span {
  return { from: new Date(from).toISOString(), until: new Date(until).toISOString() };
}

/** As `payment_hours` has them. */
function hourOf(stamp: string): string {
  return stamp.slice(0, 13);
}
