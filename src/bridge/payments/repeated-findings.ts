/**
 * The same finding again and again: recovery looks at the terminal with each heartbeat, and finds nothing new. It is
 * journaled once. How often it was made since, and when last, is counted in memory; in older journals it stands as often
 * as it was made.
 */
import type { Clock } from '../../base/clock.ts';
import type { InDoubtView } from '../../contract/in-doubt.ts';
import type { JournalEvent, JournalEventOf, StoredEvent } from '../../contract/journal-events.ts';
import { canonicalJson, type Journal } from '../journal/index.ts';

/** So many different findings of one doubt are kept, in case that a terminal always finds new words. */
const maxFindings = 20;

export type Repeat = NonNullable<InDoubtView['repeats']>[number];
type Finding = JournalEventOf<'evidence_found'>;

export interface RepeatedFindings {
  /** It is in the journal, and nothing has happened to the operation since but findings: counts it, and says true. */
  isRepeat(finding: Finding): boolean;
  /** By the number of the journal's event. */
  of(operationId: string): ReadonlyMap<number, Repeat>;
}

export function createRepeatedFindings(
  journal: Pick<Journal, 'eventsOf' | 'subscribe'>,
  clock: Pick<Clock, 'now'>,
): RepeatedFindings {
  const counted = new Map<string, Map<number, Repeat>>();
  journal.subscribe(({ event }) => {
    if (event.type === 'operation_ended') counted.delete(event.operationId);
  });

  return {
    isRepeat(finding) {
      const latest = latestFindings(journal.eventsOf(finding.operationId));
      const text = canonicalJson(finding);
      const same = latest.find(({ event }) => canonicalJson(event) === text);
      // One too many is counted with the newest of its kind: that the terminal is idle is always news.
      const alike =
        latest.length < maxFindings
          ? undefined
          : latest.findLast(({ event }) => isIdle(event) === isIdle(finding));
      const seq = (same ?? alike)?.seq;
      if (seq === undefined) return false;
      const repeats = counted.get(finding.operationId) ?? new Map<number, Repeat>();
      const count = (repeats.get(seq)?.count ?? 0) + 1;
      repeats.set(seq, { seq, count, lastAt: new Date(clock.now()).toISOString() });
      counted.set(finding.operationId, repeats);
      return true;
    },
    of: (operationId) => counted.get(operationId) ?? new Map<number, Repeat>(),
  };
}

function isIdle(event: JournalEvent): boolean {
  return event.type === 'evidence_found' && event.idle === undefined;
}

/** Those at the end: what happened to the operation before them may make the same finding news. */
function latestFindings(events: readonly StoredEvent[]): StoredEvent[] {
  const before = events.findLastIndex(({ event }) => event.type !== 'evidence_found');
  return events.slice(before + 1);
}

/** Each finding once, where it was made first, and how often it was made again. */
export function withoutRepeats(
  events: readonly StoredEvent[],
  counted: ReadonlyMap<number, Repeat>,
): { facts: StoredEvent[]; repeats: Repeat[] } {
  const facts: StoredEvent[] = [];
  const repeats = new Map<number, Repeat>();
  let first = new Map<string, number>();
  for (const stored of events) {
    if (stored.event.type !== 'evidence_found') {
      first = new Map();
      facts.push(stored);
      continue;
    }
    const text = canonicalJson(stored.event);
    const seq = first.get(text);
    const again = counted.get(stored.seq);
    if (seq === undefined) {
      first.set(text, stored.seq);
      facts.push(stored);
      if (again !== undefined) repeats.set(stored.seq, again);
    } else {
      const count = (repeats.get(seq)?.count ?? 0) + 1 + (again?.count ?? 0);
      repeats.set(seq, { seq, count, lastAt: again?.lastAt ?? stored.at });
    }
  }
  return { facts, repeats: [...repeats.values()] };
}
