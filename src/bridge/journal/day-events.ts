/** What else a day consists of beside its payments: doubts, decisions by hand, voids, batches, discrepancies. */
import type { Span } from '../../contract/payment-queries.ts';
import type { DayEventsPage } from './journal.ts';
import type { Statements } from './query-sql.ts';
import { storedEventOf } from './rows.ts';
import { stamps, type Positions } from './span-positions.ts';

/** Events that one call looks at: the bridge answers tills from the same thread. */
const maxLookEvents = 2_000;

interface DayEventsSearch {
  span: Span;
  /** The event to go on with; null: the first page. */
  from: number | null;
  lookEvents?: number;
}

/**
 * The next page of them. Events have no index of their own by time. They are in its order but for a clock that was wrong
 * for a while, and so the day is found among them by halves, and is no shorter than from its first payment to the first
 * one after it; `within` says where its payments lie, null when it has none. Of what a wrong clock gave to a day without
 * such payments some may be missing.
 */
export function dayEvents(
  statement: Statements,
  within: Positions | null,
  { span, from, lookEvents = maxLookEvents }: DayEventsSearch,
): DayEventsPage {
  const { from: began, until } = stamps(span);
  const first = from ?? Math.min(firstSeqAt(statement, began), within?.first ?? Infinity);
  const end = Math.max(firstSeqAt(statement, until), within === null ? 0 : seqAfter(statement, within.last));
  if (first >= end) return { events: [], next: null };
  const next = Math.min(first + lookEvents, end);
  const rows = statement('dayEvents').all(first, next - 1, began, until);
  return { events: rows.map(storedEventOf), next: next < end ? next : null };
}

/** Where the next payment after the one at `position` begins; one more than the newest event when there is none. */
function seqAfter(statement: Statements, position: number): number {
  return Number(statement('paymentAfter').get(position)?.['position'] ?? newestSeq(statement) + 1);
}

function newestSeq(statement: Statements): number {
  return Number(statement('head').get()?.['seq'] ?? 0);
}

/** The number of the first event that is not older than `stamp`; one more than the newest when all are older. */
function firstSeqAt(statement: Statements, stamp: string): number {
  let low = 1;
  let high = newestSeq(statement) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const row = statement('eventAt').get(middle);
    if (row === undefined || String(row['at']) >= stamp) high = middle;
    else low = middle + 1;
  }
  return low;
}
