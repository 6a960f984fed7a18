/** Entries of the accounts that the rules name, from the statements that there are of them. */
import {
  accountNumber,
  calendarOf,
  dateOf,
  type AccountEntry,
  type KnownSpan,
  type Rules,
} from '../reconcile/index.ts';
import { accountDays, type AccountDays } from './account-days.ts';
import type { Statement } from './camt053.ts';

export type EntriesOfAccounts =
  | {
      ok: true;
      entries: AccountEntry[];
      known: KnownSpan[];
      /** Those of the rules that there are statements of. */
      accounts: string[];
      /** What was left out, in sentences. */
      notes: string[];
    }
  | { ok: false; message: string };

/** Of the accounts in the rules, under the names that they have there. */
export function entriesOfAccounts(all: readonly Statement[], rules: Rules): EntriesOfAccounts {
  const names = Map.groupBy(new Set(rules.acquirers.map(({ account }) => account)), accountNumber);
  const twice = [...names.values()].find((each) => each.length > 1);
  if (twice !== undefined)
    return {
      ok: false,
      message: `The rules write one account in two ways: "${twice.join('" and "')}". Use only one.`,
    };
  const own = all.filter(({ account }) => names.has(accountNumber(account)));
  const calendar = calendarOf(rules);
  const read = accountDays(own, (day) => calendar.isBankingDay(day));
  if (!read.ok) return read;
  const accounts = [...Map.groupBy(read.accounts, ({ account }) => accountNumber(account))].flatMap(
    ([number, inCurrencies]) =>
      (names.get(number) ?? []).map((account) => {
        const currencies = rules.acquirers.filter((each) => each.account === account);
        const of = new Set(currencies.map(({ currency }) => currency));
        const days = inCurrencies.filter(({ currency }) => of.has(currency));
        return {
          account,
          entries: days.flatMap(({ entries }) => entries.map((entry) => ({ ...entry, account }))),
          // An account in two currencies is known on a day when both are.
          known: days.length < of.size ? [] : spansOf(account, days),
        };
      }),
  );
  const notes = [...Map.groupBy(own, ({ file }) => file)].flatMap(([file, statements]) => {
    const pending = statements.reduce((sum, each) => sum + each.pending, 0);
    return pending === 0 ? [] : [`${file}: entries that are not booked yet count for nothing (${pending}).`];
  });
  return {
    ok: true,
    entries: accounts.flatMap(({ entries }) => entries),
    known: accounts.flatMap(({ known }) => known),
    accounts: accounts.map(({ account }) => account),
    notes,
  };
}

/** The days that all of `accounts` are known on, as spans. */
function spansOf(account: string, [first, ...others]: readonly AccountDays[]): KnownSpan[] {
  const days = [...(first?.known ?? [])]
    .filter((day) => others.every(({ known }) => known.has(day)))
    .toSorted((one, other) => one - other);
  const starts = days.filter((day, place) => days[place - 1] !== day - 1);
  const ends = days.filter((day, place) => days[place + 1] !== day + 1);
  return starts.map((from, place) => ({
    account,
    from: dateOf(from),
    until: dateOf(ends[place] ?? from),
  }));
}
