/** How payments ended, remembered: each end is read once, however often its day is added up. */
import type { OperationTimes } from '../../contract/journal-events.ts';

/** What the end of a payment tells of its money, and of the terminal's time: null where it tells nothing. */
export interface Taken {
  amountMinor: number | null;
  scheme: string | null;
  times: OperationTimes | null;
}

export const nothing: Taken = { amountMinor: null, scheme: null, times: null };

/** By the event's number; an event never changes. */
export interface KnownEnds {
  readonly size: number;
  get(endedSeq: number): Taken | undefined;
  keep(endedSeq: number, taken: Taken): void;
}

/** Some days of a busy till, in some megabytes. */
const maxEnds = 10_000;

/**
 * Keeps the newest, because today is asked for again and again: where there is no more room, older ones make place for a
 * newer one, and one that is older than all of them is not kept. So a span that is longer than there is room finds all
 * that there is room for.
 */
export function createKnownEnds(most = maxEnds): KnownEnds {
  const ends = new Map<number, Taken>();
  let oldest = Number.MAX_SAFE_INTEGER;

  /** A tenth at once, so that it need not be looked for each time. */
  function dropOldest(): void {
    const inOrder = [...ends.keys()].toSorted((one, other) => one - other);
    const dropped = Math.ceil(most / 10);
    for (const seq of inOrder.slice(0, dropped)) ends.delete(seq);
    oldest = inOrder[dropped] ?? Number.MAX_SAFE_INTEGER;
  }

  return {
    get size() {
      return ends.size;
    },
    get: (endedSeq) => ends.get(endedSeq),
    keep(endedSeq, taken) {
      if (ends.size >= most) {
        if (endedSeq < oldest) return;
        dropOldest();
      }
      oldest = Math.min(oldest, endedSeq);
      ends.set(endedSeq, taken);
    },
  };
}
