/**
 * Which batches an amount may be the money of. A reading counts only if nothing stands against it: its entry has no other
 * one, and none of its batches occurs in another.
 */
import type { OpenReceivable } from './receivables.ts';
import type { Acquirer } from './rules.ts';

/** Batches that an amount pays exactly. */
export type Run = readonly OpenReceivable[];

interface Runs {
  /** Every run of one acquirer that comes to the amount. */
  exact: Run[];
  /** All that it may pay with something in it of which nobody can tell what should come. */
  vague: ReadonlySet<OpenReceivable>;
}

export interface RunSearch {
  /** What `amountMinor` may pay on `day`. */
  runs(acquirer: Acquirer, amountMinor: number, day: number): Runs;
}

/**
 * `receivables` in the order of closing. Those that a person has decided, `isOpen` leaves out. Whoever has had its money for
 * certain, `isPaid`, may stand between two that are paid in one.
 */
export function runSearch(
  receivables: readonly OpenReceivable[],
  isOpen: (receivable: OpenReceivable) => boolean,
  isPaid: (receivable: OpenReceivable) => boolean,
): RunSearch {
  const streams = new Map<string, OpenReceivable[][]>();
  for (const [acquirer, owed] of Map.groupBy(receivables, ({ acquirer }) => acquirer ?? '')) {
    // What comes to nothing is in every sum and in none.
    const something = owed.filter((each) => each.expectedMinor !== 0 && isOpen(each));
    const byTerminal = [...Map.groupBy(something, ({ batch }) => batch.terminal).values()];
    const isTogether = something[0]?.rule?.combines.terminals === true && byTerminal.length > 1;
    const all = isTogether ? [something, ...byTerminal] : byTerminal;
    streams.set(
      acquirer,
      all.flatMap((stream) => {
        const unpaid = stream.filter((each) => !isPaid(each));
        return unpaid.length === stream.length ? [stream] : [stream, unpaid];
      }),
    );
  }
  const placeOf = new Map(receivables.map((receivable, place) => [receivable, place]));
  return {
    runs(acquirer, amountMinor, day) {
      const exact = new Map<string, Run>();
      const vague = new Set<OpenReceivable>();
      for (const stream of streams.get(acquirer.name) ?? []) {
        for (const run of runsIn(stream, acquirer.combines.batches, amountMinor, day)) {
          if (run.some(({ expectedMinor }) => expectedMinor === null))
            for (const each of run) vague.add(each);
          else exact.set(run.map((each) => placeOf.get(each)).join(' '), run);
        }
      }
      return { exact: [...exact.values()], vague };
    },
  };
}

function runsIn(stream: readonly OpenReceivable[], longest: number, amountMinor: number, day: number): Run[] {
  const found: Run[] = [];
  // `closeDay` only grows: who is closed after that day begins no run. Neither does what was searched long enough.
  for (let from = firstSearched(stream, day); from < stream.length; from += 1) {
    const begin = stream[from];
    if (begin === undefined || begin.closeDay > day) break;
    let [low, high, paid] = [0, 0, 0];
    for (let to = from; to < stream.length; to += 1) {
      const next = stream[to];
      if (next === undefined || next.closeDay > day || next.lastDayByAmount < day) break;
      // What is to be given back is kept from the next payout, however batches are paid.
      if ((next.expectedMinor ?? 0) >= 0) paid += 1;
      if (paid > longest) break;
      low += next.lowMinor;
      high += next.highMinor;
      if (low <= amountMinor && amountMinor <= high) found.push(stream.slice(from, to + 1));
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
