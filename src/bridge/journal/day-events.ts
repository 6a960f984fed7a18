/** What else a day consists of beside its payments: doubts, decisions by hand, voids, batches, discrepancies. */
import type { Span } from '../../contract/payment-queries.ts';
import type { DayEventsPage } from './journal.ts';
import type { Statements } from './query-sql.ts';
import { storedEventOf } from './rows.ts';
import { stamps } from './span-positions.ts';

/** Events that one call looks at: the bridge answers tills from the same thread. */
const maxLookEvents = 2_000;

/**
 * The next of them, from the event `from` on; null for the first page. Events have no index of their own by time: they are
 * in its order, but for a clock that was set back, so that the day is found among them by halves. What was written while
 * the clock stood before another midnight may be missing.
 */
export function dayEvents(
  statement: Statements,
  span: Span,
  from: number | null,
  lookEvents = maxLookEvents,
): DayEventsPage {
  const { from: began, until } = stamps(span);
  const first = from ?? firstSeqAt(statement, began);
  const end = firstSeqAt(statement, until);
  if (first >= end) return { events: [], next: null };
  const next = Math.min(first + lookEvents, end);
  const rows = statement('dayEvents').all(first, next - 1, began, until);
  return { events: rows.map(storedEventOf), next: next < end ? next : null };
}

/** The number of the first event that is not older than `stamp`; one more than the newest when all are older. */
function firstSeqAt(statement: Statements, stamp: string): number {
  let low = 1;
  let high = Number(statement('head').get()?.['seq'] ?? 0) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const row = statement('eventAt').get(middle);
    if (row === undefined || String(row['at']) >= stamp) high = middle;
    else low = middle + 1;
  }
  return low;
}
