/**
 * Which batches an amount may be the money of. A reading counts only if nothing stands against it: its entry has no other
 * one, and none of its batches occurs in another.
 */
import type { OpenReceivable } from './receivables.ts';
import type { Acquirer } from './rules.ts';

/** Batches that an amount pays exactly. */
export type Run = readonly OpenReceivable[];

export interface RunSearch {
  /** Every run of one acquirer that comes to `amountMinor` and could be paid on `day`. */
  runs(acquirer: Acquirer, amountMinor: number, day: number): Run[];
}

/** `receivables` in the order of closing; those that a person has decided are left out by `isOpen`, and end a run. */
export function runSearch(
  receivables: readonly OpenReceivable[],
  isOpen: (receivable: OpenReceivable) => boolean,
): RunSearch {
  const streams = new Map<string, OpenReceivable[][]>();
  for (const [acquirer, owed] of Map.groupBy(receivables, ({ acquirer }) => acquirer ?? '')) {
    // What comes to nothing is in every sum and in none.
    const something = owed.filter(({ expectedMinor }) => expectedMinor !== 0);
    const together = something[0]?.rule?.combines.terminals === true;
    streams.set(
      acquirer,
      together ? [something] : [...Map.groupBy(something, ({ batch }) => batch.terminal).values()],
    );
  }
  return {
    runs(acquirer, amountMinor, day) {
      return (streams.get(acquirer.name) ?? []).flatMap((stream) =>
        runsIn(stream, acquirer.combines.batches, amountMinor, day, isOpen),
      );
    },
  };
}

function runsIn(
  stream: readonly OpenReceivable[],
  longest: number,
  amountMinor: number,
  day: number,
  isOpen: (receivable: OpenReceivable) => boolean,
): Run[] {
  const found: Run[] = [];
  // `closeDay` only grows: who is closed after that day begins no run. Neither does what was searched long enough.
  for (let from = firstSearched(stream, day); from < stream.length; from += 1) {
    const begin = stream[from];
    if (begin === undefined || begin.closeDay > day) break;
    let [sum, tolerance] = [0, 0];
    for (let to = from; to < Math.min(from + longest, stream.length); to += 1) {
      const next = stream[to];
      if (next === undefined || next.expectedMinor === null || !isOpen(next)) break;
      if (next.closeDay > day || next.lastDayByAmount < day) break;
      sum += next.expectedMinor;
      tolerance += next.toleranceMinor;
      if (Math.abs(amountMinor - sum) <= tolerance) found.push(stream.slice(from, to + 1));
    }
  }
  return found;
}

/** `lastDayByAmount` only grows, too. */
function firstSearched(stream: readonly OpenReceivable[], day: number): number {
  let [low, high] = [0, stream.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((stream[middle]?.lastDayByAmount ?? day) < day) low = middle + 1;
    else high = middle;
  }
  return low;
}
