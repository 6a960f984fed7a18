/** The timeline of a payment: what journal and log have of it, in the order in which it happened. */
import type { LogLine, TimelineEntry } from '../../contract/console/index.ts';
import type { DiscrepancyView } from '../../contract/discrepancy.ts';
import type { StoredEvent } from '../../contract/journal-events.ts';
import { timelineEntriesOf } from './timeline-entries.ts';

/** A longer timeline is shown from both ends; `left_out` stands where entries are missing. */
const maxEntries = 1_000;
/** What the log may take of that when the journal has a lot to tell. */
const maxLogEntriesBesideManyEvents = 500;
/** Less than this is the clock being kept right, not put back. */
const smallestJumpMs = 1_000;

export interface TimelineSources {
  events: readonly StoredEvent[];
  discrepancies: readonly DiscrepancyView[];
  /** In the order of their numbers; of very many both ends, with `leftOut` others between them. */
  logged: { lines: readonly LogLine[]; leftOut: number };
}

export function timelineOf({ events, discrepancies, logged }: TimelineSources): {
  timeline: TimelineEntry[];
  leftOut: number;
} {
  const journal = withoutMiddle(
    journalEntries(events, discrepancies),
    maxEntries - Math.min(maxLogEntriesBesideManyEvents, 2 * logged.lines.length),
  );
  const fromLog = placed(logged.lines, ({ time }) => time).flatMap(({ item: line, ...place }) =>
    timelineEntriesOf(line).map((entry): Placed => ({ entry, ...place, at: eitherTime(entry, place.at) })),
  );
  const journalShown = journal.entries.filter(({ entry }) => entry.kind !== 'left_out').length;
  const firstHalf = logged.lines.slice(0, logged.lines.length >> 1);
  const lines = withoutMiddle(fromLog, maxEntries - journalShown, {
    at: firstHalf.flatMap(timelineEntriesOf).length,
    leftOut: logged.leftOut,
  });
  const timeline = [...journal.entries, ...lines.entries]
    .toSorted(
      (one, other) =>
        one.run - other.run ||
        one.at.localeCompare(other.at) ||
        rank[one.entry.kind] - rank[other.entry.kind],
    )
    .map(({ entry }) => entry);
  return { timeline, leftOut: journal.leftOut + lines.leftOut };
}

/** An entry with its place: journal and log have numbers, which order each of them, and only the clock orders both. */
interface Placed {
  entry: TimelineEntry;
  /** How often the clock had been put back before it. */
  run: number;
  /** By the clock, but never before the one before it in the same run. */
  at: string;
}

/** The order within one millisecond: request, journal event, what happens on the line, response. */
const rank: Record<TimelineEntry['kind'], number> = {
  pos_request: 0,
  journal_event: 1,
  discrepancy: 1,
  left_out: 2,
  frame: 2,
  log: 2,
  pos: 3,
};

function journalEntries(events: readonly StoredEvent[], discrepancies: readonly DiscrepancyView[]): Placed[] {
  const numbered = [
    ...events.map((stored) => ({
      seq: stored.seq,
      entry: { kind: 'journal_event', at: stored.at, stored } satisfies TimelineEntry,
    })),
    ...discrepancies.flatMap((discrepancy) =>
      discrepancyEntries(discrepancy).map((entry) => ({
        // When it was acknowledged has a time, and no number.
        seq: entry.step === 'found' ? discrepancy.seq : Number.MAX_SAFE_INTEGER,
        entry,
      })),
    ),
  ].toSorted((one, other) => one.seq - other.seq || one.entry.at.localeCompare(other.entry.at));
  return placed(numbered, ({ entry }) => entry.at).map(({ item: { entry }, run, at }) => ({
    entry,
    run,
    at,
  }));
}

function discrepancyEntries(discrepancy: DiscrepancyView) {
  const { foundAt, acknowledged } = discrepancy;
  const kind = 'discrepancy' as const;
  const found = { kind, at: foundAt, step: 'found' as const, discrepancy };
  return acknowledged === null
    ? [found]
    : [found, { kind, at: acknowledged.at, step: 'acknowledged' as const, discrepancy }];
}

function placed<T>(items: readonly T[], timeOf: (item: T) => string): { item: T; run: number; at: string }[] {
  let run = 0;
  let newest = '';
  return items.map((item) => {
    const time = timeOf(item);
    if (newest !== '' && Date.parse(time) <= Date.parse(newest) - smallestJumpMs) {
      run += 1;
      newest = time;
    } else if (time > newest) newest = time;
    return { item, run, at: newest };
  });
}

/** A request came before the line that tells of it. */
function eitherTime(entry: TimelineEntry, at: string): string {
  return entry.kind === 'pos_request' ? entry.at : at;
}

/** At most so many of them, from both ends. `cut`: where others are missing already, and how many. */
function withoutMiddle(
  entries: Placed[],
  most: number,
  cut: { at: number; leftOut: number } = { at: 0, leftOut: 0 },
): { entries: Placed[]; leftOut: number } {
  const tooMany = Math.max(0, entries.length - most);
  const leftOut = cut.leftOut + tooMany;
  if (leftOut === 0) return { entries, leftOut };
  const half = tooMany === 0 ? cut.at : most >> 1;
  const head = entries.slice(0, half);
  const tail = entries.slice(half + tooMany);
  const place = tail[0] ?? head.at(-1);
  if (place === undefined) return { entries, leftOut };
  const gap: Placed = { ...place, entry: { kind: 'left_out', at: place.entry.at, count: leftOut } };
  return { entries: [...head, gap, ...tail], leftOut };
}
