/** One payment with all that is known of it: the facts of the journal and the lines of the log, by time. */
import type { JournalReading } from '../../bridge/bridge.ts';
import type { PaymentRow } from '../../bridge/journal/index.ts';
import type { LogBook } from '../../bridge/log/index.ts';
import type { PaymentDetail, TimelineEntry } from '../../contract/console/index.ts';
import type { DoubtView } from '../../contract/doubt.ts';
import { paymentView } from './payment-view.ts';
import { timelineEntryOf } from './timeline-entry.ts';
import { voidsOf } from './voids-of-payment.ts';

/** A longer timeline is shown from both ends. */
export const maxEntries = 1_000;

export function paymentDetail(options: {
  row: PaymentRow;
  journal: JournalReading;
  doubts: DoubtView[];
  book: LogBook | null;
}): PaymentDetail {
  const { row, journal, doubts, book } = options;
  const operationIds = [row.transactionId, ...voidsOf(row, journal)];
  const facts = operationIds
    .flatMap((operationId) => journal.eventsOf(operationId))
    .map((stored): TimelineEntry => ({ kind: 'fact', at: stored.at, stored }));
  const logged = book?.linesAbout({ operationIds, reference: row.reference }) ?? { lines: [], leftOut: 0 };
  const entries = inOrder([...facts, ...logged.lines.map(timelineEntryOf)]);
  const { kept, leftOut } = withoutMiddle(entries);
  return {
    payment: paymentView(row),
    timeline: kept,
    leftOut: leftOut + logged.leftOut,
    doubtOperationId:
      doubts.find(({ operationId }) => operationIds.includes(operationId))?.operationId ?? null,
  };
}

/** What was meant to happen is journaled before it happens, so within a millisecond facts come first. */
const rank: Record<TimelineEntry['kind'], number> = { fact: 0, frame: 1, log: 1, pos: 2 };

function inOrder(entries: TimelineEntry[]): TimelineEntry[] {
  // Stable: facts among themselves, and lines among themselves, stay in the order of their numbers.
  return entries.toSorted(
    (one, other) => one.at.localeCompare(other.at) || rank[one.kind] - rank[other.kind],
  );
}

function withoutMiddle(entries: TimelineEntry[]): { kept: TimelineEntry[]; leftOut: number } {
  if (entries.length <= maxEntries) return { kept: entries, leftOut: 0 };
  const half = maxEntries / 2;
  return { kept: [...entries.slice(0, half), ...entries.slice(-half)], leftOut: entries.length - maxEntries };
}
