/** Money that came and went back: by the acquirer, or by a bank under a text of its own, in whatever account. */
import { dateOf, dayOf } from './banking-days.ts';
import type { Currency } from '../contract/money.ts';
import type { AccountEntry } from './types.ts';

/** How long after an entry one of the opposite amount may undo it, in days. */
const undoneDays = 60;

/** One of `entries`, not before `since` (`YYYY-MM-DD`), that undoes one of `group` or all of them; null: none does. */
export type UndoneBy = (
  group: readonly AccountEntry[],
  isIt: (entry: AccountEntry) => boolean,
  since?: string,
) => AccountEntry | null;

/** `entries` by day. */
export function undoneBy(entries: readonly AccountEntry[]): UndoneBy {
  const bySum = Map.groupBy(entries, ({ currency, amountMinor }) => sumKey(currency, amountMinor));
  return (group, isIt, since = '') => {
    const [first] = group;
    if (first === undefined) return null;
    const begin = group.map(({ date }) => date).reduce((one, other) => (one < other ? one : other));
    const end = dateOf((dayOf(begin) ?? 0) + undoneDays);
    const own = new Set(group);
    const whole = group.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    for (const amountMinor of new Set([...group.map((entry) => entry.amountMinor), whole])) {
      const found = bySum
        .get(sumKey(first.currency, -amountMinor))
        ?.find(
          (entry) =>
            entry.date >= begin &&
            entry.date >= since &&
            (since !== '' || entry.date <= end) &&
            !own.has(entry) &&
            isIt(entry),
        );
      if (found !== undefined && amountMinor !== 0) return found;
    }
    return null;
  };
}

function sumKey(currency: Currency, amountMinor: number): string {
  return `${currency} ${amountMinor}`;
}
