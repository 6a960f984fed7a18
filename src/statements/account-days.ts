/**
 * The statements of one account put together: each entry once, however many files have it, and the days that are known.
 *
 *     1 ─────── 15            a file of the first half
 *          8 ──────────── 31  one that overlaps: what both tell of a day must be the same
 *                       31    the rest of the last day: begins with the balance that the one before ended with
 */
import { createHash } from 'node:crypto';
import type { Currency } from '../contract/money.ts';
import { dateOf, type AccountEntry } from '../reconcile/index.ts';
import type { Statement, StatementEntry } from './camt053.ts';

export interface AccountDays {
  account: string;
  currency: Currency;
  entries: AccountEntry[];
  /** Days since 1970. */
  known: ReadonlySet<number>;
}

export type AccountReading = { ok: true; accounts: AccountDays[] } | { ok: false; message: string };

/** `isBankingDay`: on other days there are no statements, and nothing is booked. */
export function accountDays(
  statements: readonly Statement[],
  isBankingDay: (day: number) => boolean,
): AccountReading {
  const accounts: AccountDays[] = [];
  for (const own of Map.groupBy(statements, accountKey).values()) {
    const [first] = own;
    if (first === undefined) continue;
    const read = entriesOf(withoutRepeats(own));
    if (!read.ok) return read;
    const { account, currency } = first;
    accounts.push({ account, currency, entries: read.entries, known: knownDays(own, isBankingDay) });
  }
  return { ok: true, accounts };
}

function accountKey({ account, currency }: Statement): string {
  return `${account} ${currency}`;
}

/** The same statement in two files. */
function withoutRepeats(statements: readonly Statement[]): Statement[] {
  const told = ({ number, from, until, openingMinor, closingMinor, entries }: Statement) =>
    JSON.stringify([String(number), from, until, openingMinor, closingMinor, entries.map(keyOf).toSorted()]);
  return [...new Map(statements.map((each) => [told(each), each])).values()].toSorted(
    (one, other) =>
      one.from - other.from || one.until - other.until || Number((one.number ?? 0n) - (other.number ?? 0n)),
  );
}

/** All that it says: a file that says less of the same entry says something else. */
function keyOf({ reference, day, amountMinor, code, parts }: StatementEntry): string {
  const details = parts.map((part) => [part.reference, part.amountMinor, part.remark, part.sender]);
  return JSON.stringify([day, amountMinor, reference, code, details]);
}

/** Between two statements that follow each other, at most. */
const maxGapDays = 40;

/** Whether `next` begins where `one` ends, and is the one behind it by the bank's own count. */
function isNext(one: Statement, next: Statement): boolean {
  return (
    one.number !== null &&
    next.number === one.number + 1n &&
    next.openingMinor === one.closingMinor &&
    next.until >= one.until &&
    // Many banks begin to count anew with each year.
    next.from - one.until <= maxGapDays
  );
}

function knownDays(statements: readonly Statement[], isBankingDay: (day: number) => boolean): Set<number> {
  const known = new Set<number>();
  const add = (from: number, until: number) => {
    for (let day = from; day <= until; day += 1) known.add(day);
  };
  const byNumber = Map.groupBy(statements, ({ number }) => number);
  const byUntil = statements.toSorted((one, other) => one.until - other.until);
  for (const [place, one] of byUntil.entries()) {
    add(one.from, one.until);
    // Between two that follow each other there is nothing, however long the bank has written none.
    const next = one.number === null ? [] : (byNumber.get(one.number + 1n) ?? []);
    for (const each of next) if (isNext(one, each)) add(one.until + 1, each.until);
    const after = byUntil[place + 1];
    if (after === undefined || after.openingMinor !== one.closingMinor) continue;
    let day = one.until + 1;
    while (day < after.from && !isBankingDay(day)) day += 1;
    if (day >= after.from) add(one.until + 1, after.from - 1);
  }
  for (const day of seamDays(statements, isBankingDay)) known.delete(day);
  return known;
}

/**
 * Where a statement does not begin with what those before it ended with, and no day lies between: something of these days
 * is in none of them.
 */
function seamDays(statements: readonly Statement[], isBankingDay: (day: number) => boolean): Set<number> {
  const seams = new Set<number>();
  for (const next of statements) {
    let reach = next.from - 1;
    while (!isBankingDay(reach) && next.from - reach < maxGapDays) reach -= 1;
    const before = statements.filter(({ from, until }) => from < next.from && until >= reach);
    // The part of a day before this one begins on the same day.
    const parts = statements.filter(
      ({ from, until, openingMinor, closingMinor }) =>
        from === next.from && until === from && openingMinor !== closingMinor,
    );
    if (
      parts.some(({ closingMinor }) => closingMinor === next.openingMinor) ||
      before.some(
        (one) =>
          balanceBefore(one, next.from) === next.openingMinor ||
          (one.until <= next.from && one.closingMinor === next.openingMinor),
      )
    )
      continue;
    for (const { until } of before)
      for (let day = Math.min(until, next.from); day <= Math.max(until, next.from); day += 1) seams.add(day);
  }
  return seams;
}

/** What the account had when the day began, in minor units. */
function balanceBefore({ openingMinor, entries }: Statement, before: number): number {
  return entries.reduce(
    (sum, { day, amountMinor }) => (day < before ? sum + amountMinor : sum),
    openingMinor,
  );
}

/** What one statement says of one day. */
interface Told {
  statement: Statement;
  entries: StatementEntry[];
}

function entriesOf(
  statements: readonly Statement[],
): { ok: true; entries: AccountEntry[] } | { ok: false; message: string } {
  const byDay = new Map<number, Told[]>();
  for (const statement of statements) {
    const own = Map.groupBy(statement.entries, ({ day }) => day);
    const days = new Set(own.keys());
    for (let day = statement.from; day <= statement.until; day += 1) days.add(day);
    for (const day of days) {
      const told = { statement, entries: own.get(day) ?? [] };
      const before = byDay.get(day);
      if (before === undefined) byDay.set(day, [told]);
      else before.push(told);
    }
  }
  const entries: AccountEntry[] = [];
  for (const [day, told] of byDay) {
    const together = entriesOfDay(day, told);
    if (!Array.isArray(together)) return together;
    entries.push(...toAccountEntries(together, told[0]?.statement));
  }
  return { ok: true, entries };
}

/** Each once; what several statements tell of a day must be the same, unless one begins where the other ends. */
function entriesOfDay(day: number, told: readonly Told[]): StatementEntry[] | { ok: false; message: string } {
  const [first, ...others] = chainsOf(
    day,
    told.filter(({ entries }) => entries.length > 0),
  );
  if (first === undefined) return [];
  const silent = told.filter(
    ({ statement, entries }) =>
      entries.length === 0 &&
      statement.from < day &&
      day < statement.until &&
      !first.some((one) => isNext(statement, one.statement) || isNext(one.statement, statement)),
  );
  const stranger =
    others.find((chain) => keysOf(chain) !== keysOf(first) || beginOf(chain, day) !== beginOf(first, day)) ??
    (silent.length > 0 ? silent : undefined);
  if (stranger !== undefined) return differ(day, [...first, ...stranger]);
  return first.flatMap(({ entries }) => entries);
}

/** Those together of which each begins where the one before it ends, as the parts of a day do. */
function chainsOf(day: number, told: readonly Told[]): Told[][] {
  const chains = told.map((one) => [one]);
  for (;;) {
    const next = chains.findIndex((chain) => chains.some((one) => goesOn(one, chain, day)));
    const [chain] = next === -1 ? [] : chains.splice(next, 1);
    if (chain === undefined) return chains;
    chains.find((one) => goesOn(one, chain, day))?.push(...chain);
  }
}

/** Whether `next` is what comes behind `one` on this day: by the bank's count, and where it has none by the balances. */
function goesOn(one: readonly Told[], next: readonly Told[], day: number): boolean {
  const [last, first] = [one.at(-1)?.statement, next[0]?.statement];
  if (one === next || last === undefined || first === undefined) return false;
  if (isNext(last, first)) return true;
  return (
    (last.number === null || first.number === null || last.number === first.number) &&
    first.openingMinor === last.closingMinor &&
    last.until <= day &&
    first.from >= day &&
    first.from - last.until <= maxGapDays &&
    // What begins with the same balance may be the same, told once more.
    !next.some((each) => one.some((other) => beginOf([other], day) === beginOf([each], day)))
  );
}

function beginOf([first]: readonly Told[], day: number): number | null {
  return first === undefined ? null : balanceBefore(first.statement, day);
}

function keysOf(chain: readonly Told[]): string {
  return chain
    .flatMap(({ entries }) => entries.map(keyOf))
    .toSorted()
    .join('\n');
}

function differ(day: number, told: readonly Told[]): { ok: false; message: string } {
  const files = [...new Set(told.map(({ statement }) => statement.file))].join(' and ');
  const account = told[0]?.statement.account ?? '';
  return {
    ok: false,
    message:
      `${files} contradict each other on ${dateOf(day)}, account ${account}. ` +
      'Download the statement from the bank again, keep that one and remove the other.',
  };
}

function toAccountEntries(
  entries: readonly StatementEntry[],
  statement: Statement | undefined,
): AccountEntry[] {
  if (statement === undefined) return [];
  const { account, currency } = statement;
  const seen = new Map<string, number>();
  return entries.flatMap(({ day, code, parts }) =>
    parts.map(({ reference, amountMinor, remark, sender }) => {
      const date = dateOf(day);
      const own = reference === '' || parts.length > 1 ? [remark, sender, code] : [];
      const base = `${date}.${nameOf([account, currency, amountMinor, reference, own])}`;
      const count = (seen.get(base) ?? 0) + 1;
      seen.set(base, count);
      return {
        id: count === 1 ? base : `${base}.${count}`,
        account,
        date,
        currency,
        amountMinor,
        remark,
        sender,
        code,
      };
    }),
  );
}

/**
 * The same from every file that has it: people name it in decisions. Letters only, for what has many digits is masked as
 * if it were a card number.
 */
function nameOf(facts: unknown): string {
  const hash = createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, nameLength);
  return hash.replaceAll(/\d/g, (digit) => String.fromCharCode('g'.charCodeAt(0) + Number(digit)));
}

const nameLength = 10;
