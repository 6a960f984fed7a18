/** One payment with all that is known of it: its journal events and log lines, by time. */
import type { JournalReading } from '../../bridge/bridge.ts';
import type { PaymentRow } from '../../bridge/journal/index.ts';
import type { LogStore } from '../../log/index.ts';
import type { PaymentDetail, TimelineEntry } from '../../contract/console/index.ts';
import type { DiscrepancyView } from '../../contract/discrepancy.ts';
import type { InDoubtView } from '../../contract/in-doubt.ts';
import { paymentView } from './payment-view.ts';
import { timelineEntriesOf } from './timeline-entry.ts';

/** A longer timeline is shown from both ends. */
export const maxEntries = 1_000;

export function paymentDetail(options: {
  row: PaymentRow;
  journal: JournalReading;
  doubts: InDoubtView[];
  logStore: LogStore | null;
}): PaymentDetail {
  const { row, journal, doubts, logStore } = options;
  const operationIds = [row.transactionId, ...journal.voidsOf(row.transactionId)];
  const journaled = operationIds
    .flatMap((operationId) => journal.eventsOf(operationId))
    // Added below, with all others that name this payment.
    .filter(({ event }) => event.type !== 'discrepancy_found')
    .map((stored): TimelineEntry => ({ kind: 'journal_event', at: stored.at, stored }));
  const discrepancies = journal.discrepanciesOf(row.reference);
  const logged = logStore?.linesOf({ operationIds, reference: row.reference }) ?? { lines: [], leftOut: 0 };
  const entries = inOrder([
    ...journaled,
    ...discrepancies.flatMap(discrepancyEntries),
    ...logged.lines.flatMap(timelineEntriesOf),
  ]);
  const { kept, leftOut } = withoutMiddle(entries);
  return {
    payment: paymentView(row),
    timeline: kept,
    leftOut: leftOut + logged.leftOut,
    doubtOperationId:
      doubts.find(({ operationId }) => operationIds.includes(operationId))?.operationId ?? null,
    discrepancies: discrepancies.filter(({ acknowledged }) => acknowledged === null),
  };
}

function discrepancyEntries(discrepancy: DiscrepancyView): TimelineEntry[] {
  const { foundAt, acknowledged } = discrepancy;
  const kind = 'discrepancy' as const;
  const found: TimelineEntry = { kind, at: foundAt, step: 'found', discrepancy };
  return acknowledged === null
    ? [found]
    : [found, { kind, at: acknowledged.at, step: 'acknowledged', discrepancy }];
}

/** The order within one millisecond: request, journal event, what happens on the line, response. */
const rank: Record<TimelineEntry['kind'], number> = {
  pos_request: 0,
  journal_event: 1,
  discrepancy: 1,
  frame: 2,
  log: 2,
  pos: 3,
};

function inOrder(entries: TimelineEntry[]): TimelineEntry[] {
  // Stable: journal events among themselves, and lines among themselves, stay in the order of their numbers.
  return entries.toSorted(
    (one, other) => one.at.localeCompare(other.at) || rank[one.kind] - rank[other.kind],
  );
}

function withoutMiddle(entries: TimelineEntry[]): { kept: TimelineEntry[]; leftOut: number } {
  if (entries.length <= maxEntries) return { kept: entries, leftOut: 0 };
  const half = maxEntries / 2;
  return { kept: [...entries.slice(0, half), ...entries.slice(-half)], leftOut: entries.length - maxEntries };
}
