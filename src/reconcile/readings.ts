/**
 * Which batches an amount may be the money of. A reading counts only if nothing stands against it: its entry has no other
 * one, and none of its batches occurs in another.
 */
import { addTo, firstFrom } from './lists.ts';
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
  const bySum = new Map<string, RunsBySum>();
  for (const [acquirer, owed] of Map.groupBy(receivables, ({ acquirer }) => acquirer ?? '')) {
    // What comes to nothing is in every sum and in none.
    const something = owed.filter((each) => each.expectedMinor !== 0 && isOpen(each));
    const rule = something[0]?.rule;
    const byTerminal = together(something, ({ batch }) => JSON.stringify([batch.shop, batch.terminal]));
    const byShop =
      rule?.combines.terminals === true ? together(something, ({ batch }) => batch.shop ?? '') : [];
    const all = [...(rule?.combines.shops === true ? [something] : []), ...byShop, ...byTerminal].flatMap(
      (stream) => {
        const unpaid = stream.filter((each) => !isPaid(each));
        return unpaid.length === stream.length ? [stream] : [stream, unpaid];
      },
    );
    const longest = rule?.combines.batches ?? 1;
    const isListed = (stream: Run) => isKnownExactly(stream) && widthOf(stream) * longest <= maxWidth;
    bySum.set(acquirer, runsBySum(all.filter(isListed), longest));
    streams.set(
      acquirer,
      all.filter((stream) => !isListed(stream)),
    );
  }
  const placeOf = new Map(receivables.map((receivable, place) => [receivable, place]));
  const keyOf = (run: Run) => run.map((each) => placeOf.get(each)).join(' ');
  return {
    runs(acquirer, amountMinor, day) {
      const exact = new Map<string, Run>();
      const vague = new Set<OpenReceivable>();
      for (const { stream, from, to } of bySum.get(acquirer.name)?.get(amountMinor) ?? []) {
        const run = stream.slice(from, to);
        if (isSearched(run, day)) exact.set(keyOf(run), run);
      }
      for (const stream of streams.get(acquirer.name) ?? []) {
        for (const run of runsIn(stream, acquirer.combines.batches, amountMinor, day)) {
          if (run.some(({ expectedMinor }) => expectedMinor === null))
            for (const each of run) vague.add(each);
          else exact.set(keyOf(run), run);
        }
      }
      return { exact: [...exact.values()], vague };
    },
  };
}

function together(
  receivables: readonly OpenReceivable[],
  keyOf: (receivable: OpenReceivable) => string,
): OpenReceivable[][] {
  return [...Map.groupBy(receivables, keyOf).values()];
}

/** Those of one stream from one place on, before another one. */
interface Span {
  stream: Run;
  from: number;
  to: number;
}

/** All runs that there are by what they come to: an amount leads to those that it may pay, however many shops there are. */
type RunsBySum = ReadonlyMap<number, Span[]>;

/** A run is listed once for each sum that it may come to: no more than so many. */
const maxWidth = 20;

function isKnownExactly(stream: Run): boolean {
  return stream.every(({ expectedMinor }) => expectedMinor !== null);
}

/** How far what may come for one of them is from what may come for it at least. */
function widthOf(stream: Run): number {
  return stream.reduce((width, { lowMinor, highMinor }) => Math.max(width, highMinor - lowMinor), 0);
}

function runsBySum(streams: readonly Run[], longest: number): RunsBySum {
  const sums = new Map<number, Span[]>();
  for (const stream of streams) {
    for (let from = 0; from < stream.length; from += 1) {
      let [low, high, paid] = [0, 0, 0];
      for (let to = from; to < stream.length; to += 1) {
        const [begin, next] = [stream[from], stream[to]];
        if (begin === undefined || next === undefined || next.closeDay > begin.lastDayByAmount) break;
        paid += countsAs(next);
        if (paid > longest) break;
        low += next.lowMinor;
        high += next.highMinor;
        for (let minor = low; minor <= high; minor += 1) addTo(sums, minor, { stream, from, to: to + 1 });
      }
    }
  }
  return sums;
}

/** What is to be given back is kept from the next payout, however batches are paid. */
function countsAs({ expectedMinor }: OpenReceivable): number {
  return (expectedMinor ?? 0) >= 0 ? 1 : 0;
}

/** `closeDay` and `lastDayByAmount` only grow within a run. */
function isSearched(run: Run, day: number): boolean {
  return (run.at(-1)?.closeDay ?? Infinity) <= day && day <= (run[0]?.lastDayByAmount ?? -Infinity);
}

function runsIn(stream: Run, longest: number, amountMinor: number, day: number): Run[] {
  const found: Run[] = [];
  // Who is closed after that day begins no run. Neither does what was searched long enough.
  const first = firstFrom(stream, ({ lastDayByAmount }) => lastDayByAmount, day);
  for (let from = first; from < stream.length; from += 1) {
    const begin = stream[from];
    if (begin === undefined || begin.closeDay > day) break;
    let [low, high, paid] = [0, 0, 0];
    for (let to = from; to < stream.length; to += 1) {
      const next = stream[to];
      if (next === undefined || next.closeDay > day || next.lastDayByAmount < day) break;
      paid += countsAs(next);
      if (paid > longest) break;
      low += next.lowMinor;
      high += next.highMinor;
      if (low <= amountMinor && amountMinor <= high) found.push(stream.slice(from, to + 1));
    }
  }
  return found;
}
