/** Of many entries those whose amount is nearest to what should come, without looking at all of them. */
import type { AcquirerEntry } from './entries.ts';
import { firstFrom } from './lists.ts';
import type { AccountEntry } from './types.ts';

export interface NearestQuestion {
  /** Days since 1970, both included. */
  from: number;
  until: number;
  /** Minor units; null: it cannot be told, and none is nearer than another. */
  expectedMinor: number | null;
  /** Credits and debits, and not only those with the sign of what is expected. */
  isMixed: boolean;
  isWanted(entry: AccountEntry): boolean;
}

/** What was booked on one day. */
interface BookedDay {
  day: number;
  byId: AccountEntry[];
  /** By amount, those of one amount by their ids. */
  amounts: { amountMinor: number; entries: AccountEntry[] }[];
}

/** Gives, of each day, `count` of those that are nearest, or more; all of them where there are no more. */
export function nearestFinder(
  entries: readonly AcquirerEntry[],
  count: number,
): (question: NearestQuestion) => AccountEntry[] {
  const days = [...Map.groupBy(entries, ({ day }) => day)]
    .map(([day, booked]): BookedDay => {
      const byId = booked.map(({ entry }) => entry).toSorted((one, other) => (one.id < other.id ? -1 : 1));
      const amounts = [...Map.groupBy(byId, ({ amountMinor }) => amountMinor)]
        .map(([amountMinor, own]) => ({ amountMinor, entries: own }))
        .toSorted((one, other) => one.amountMinor - other.amountMinor);
      return { day, byId, amounts };
    })
    .toSorted((one, other) => one.day - other.day);

  return ({ from, until, expectedMinor, isMixed, isWanted }) => {
    const isNegative = (expectedMinor ?? 0) < 0;
    const fits = (entry: AccountEntry) =>
      (isMixed || entry.amountMinor < 0 === isNegative) && isWanted(entry);
    return days
      .slice(
        firstFrom(days, ({ day }) => day, from),
        firstFrom(days, ({ day }) => day, until + 1),
      )
      .flatMap((booked) =>
        expectedMinor === null
          ? some(booked.byId, count, fits)
          : nearestOfDay(booked, { expectedMinor, count, fits }),
      );
  };
}

function nearestOfDay(
  { amounts }: BookedDay,
  {
    expectedMinor,
    count,
    fits,
  }: { expectedMinor: number; count: number; fits: (entry: AccountEntry) => boolean },
): AccountEntry[] {
  const found: AccountEntry[] = [];
  let above = firstFrom(amounts, ({ amountMinor }) => amountMinor, expectedMinor);
  let below = above - 1;
  while (found.length < count) {
    const [higher, lower] = [amounts[above], amounts[below]];
    if (higher === undefined && lower === undefined) break;
    const up = higher === undefined ? Infinity : higher.amountMinor - expectedMinor;
    const down = lower === undefined ? Infinity : expectedMinor - lower.amountMinor;
    // Both where they are equally near: which of them is first, their ids say.
    if (up <= down) {
      found.push(...some(higher?.entries ?? [], count, fits));
      above += 1;
    }
    if (down <= up) {
      found.push(...some(lower?.entries ?? [], count, fits));
      below -= 1;
    }
  }
  return found;
}

function some(
  entries: readonly AccountEntry[],
  count: number,
  fits: (entry: AccountEntry) => boolean,
): AccountEntry[] {
  const found: AccountEntry[] = [];
  for (const entry of entries) {
    if (found.length >= count) break;
    if (fits(entry)) found.push(entry);
  }
  return found;
}
