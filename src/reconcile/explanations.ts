/** For people: which entries may be a batch's money, and why others are not. */
import { dateOf, dayOf } from './banking-days.ts';
import type { AcquirerEntry } from './entries.ts';
import { nearestFinder } from './nearest.ts';
import type { RunSearch } from './readings.ts';
import type { OpenReceivable } from './receivables.ts';
import type { Acquirer } from './rules.ts';
import { addTo, within } from './lists.ts';
import {
  maxListed,
  type AccountEntry,
  type MoneyMatch,
  type ReceivableResult,
  type RuledOutReason,
} from './types.ts';

export interface EntrySituation {
  /** By day. */
  ofAcquirers: readonly AcquirerEntry[];
  /** Those of them that no match has, and no person has decided on. */
  unexplained: readonly AcquirerEntry[];
  /** By day: of nobody that the rules know. */
  strangers: readonly AccountEntry[];
  search: RunSearch;
  acquirers: readonly Acquirer[];
  /** Of each day, so many that may be a batch's money are named, the likeliest; where only ten are told, ten are enough. */
  perDay: number;
  /** By which more is to be given back than paid, and that nothing has paid. */
  negatives: readonly OpenReceivable[];
  /** Whether a match has it, or a person has given it to a batch, be it one that is not looked at now. */
  isOfAnother(entry: AccountEntry): boolean;
  isUnmatched(receivable: OpenReceivable, entryId: string): boolean;
}

/** Batches so near to each other may be paid in one, so that a debit can be a batch's money and a credit its opposite's. */
const mixedDays = 10;

/**
 * What could be the money of a receivable although it fits nothing: unexplained entries of its acquirer, whatever names it
 * however late, and whatever is exactly as much and nobody's. As long as there is one, nobody can say that it has not come.
 */
export function possibleFinder(situation: EntrySituation): (receivable: OpenReceivable) => AccountEntry[] {
  const { unexplained, negatives, isUnmatched } = situation;
  const naming = new Map<OpenReceivable, AccountEntry[]>();
  for (const { entry, naming: of } of unexplained) {
    for (const receivable of [...of.receivables, ...of.before]) addTo(naming, receivable, entry);
  }
  const exact = once(() =>
    Map.groupBy(
      [...unexplained.map(({ entry }) => entry), ...situation.strangers],
      ({ currency, amountMinor }) => `${currency} ${amountMinor}`,
    ),
  );
  const strangersInRuns = once(() => runsOfStrangers(situation));
  const nearest = once(
    () =>
      new Map(
        situation.acquirers.map((rule) => [
          rule,
          nearestFinder(
            unexplained.filter(({ acquirers }) => acquirers.includes(rule)),
            situation.perDay,
          ),
        ]),
      ),
  );
  return (receivable) => {
    const { rule, closeDay, lastDayByNumber, expectedMinor, lowMinor, highMinor, batch } = receivable;
    if (rule === null) return [];
    const isMixed =
      rule.combines.batches > 1 &&
      negatives.some((each) => each.rule === rule && Math.abs(each.closeDay - closeDay) <= mixedDays);
    const near = nearest().get(rule)?.({
      from: closeDay,
      until: lastDayByNumber,
      expectedMinor,
      isMixed,
      isWanted: ({ id }) => !isUnmatched(receivable, id),
    });
    const sums =
      expectedMinor === null
        ? []
        : Array.from({ length: highMinor - lowMinor + 1 }, (_, at) => `${batch.currency} ${lowMinor + at}`);
    const alike = sums
      .flatMap((sum) => exact().get(sum) ?? [])
      .filter(({ date, amountMinor }) => date >= dateOf(closeDay) && amountMinor !== 0);
    const all = [
      ...(near ?? []),
      ...(naming.get(receivable) ?? []),
      ...alike,
      ...(strangersInRuns().get(receivable) ?? []),
    ];
    return [...new Set(all)].filter(({ id }) => !isUnmatched(receivable, id));
  };
}

/** Entries of nobody that the rules know that pay exactly a run with it. */
function runsOfStrangers({
  strangers,
  search,
  acquirers,
}: EntrySituation): Map<OpenReceivable, AccountEntry[]> {
  const found = new Map<OpenReceivable, AccountEntry[]>();
  for (const entry of strangers) {
    for (const acquirer of acquirers) {
      if (acquirer.account !== entry.account || acquirer.currency !== entry.currency) continue;
      const { exact } = search.runs(acquirer, entry.amountMinor, dayOf(entry.date) ?? 0);
      for (const receivable of new Set(exact.flat())) addTo(found, receivable, entry);
    }
  }
  return found;
}

/** How long before the close an entry of the same amount is worth a word, in days. */
const daysBefore = 7;
const daysAfter = 30;

export function ruledOutEntries(
  receivable: OpenReceivable,
  match: MoneyMatch | null,
  possible: readonly AccountEntry[],
  situation: EntrySituation,
): Pick<ReceivableResult, 'possible' | 'ruledOut'> {
  const nearest = possible.toSorted(
    (one, other) => distance(one, receivable) - distance(other, receivable) || (one.id < other.id ? -1 : 1),
  );
  const open = new Set(possible);
  const { rule, closeDay, lastDayByAmount } = receivable;
  const ruledOut: ReceivableResult['ruledOut'] = [];
  const own = new Set(match?.entryIds);
  const near = within(
    situation.ofAcquirers,
    ({ day }) => day,
    closeDay - daysBefore,
    lastDayByAmount + daysAfter,
  );
  for (const each of near) {
    const { entry } = each;
    if (ruledOut.length === maxListed) break;
    if (rule === null || !each.acquirers.includes(rule) || open.has(entry) || own.has(entry.id)) continue;
    const why = whyNot(receivable, each, situation);
    if (why !== null) ruledOut.push({ entryId: entry.id, why });
  }
  return { possible: nearest.slice(0, maxListed).map(({ id }) => id), ruledOut };
}

function whyNot(
  receivable: OpenReceivable,
  { entry, day, naming }: AcquirerEntry,
  { isOfAnother, isUnmatched }: EntrySituation,
): RuledOutReason | null {
  const isExact = entry.amountMinor === receivable.expectedMinor;
  if (isUnmatched(receivable, entry.id)) return 'by-a-person';
  if (day < receivable.closeDay) return isExact ? 'before-the-close' : null;
  if (day > receivable.lastDayByAmount) return isExact ? 'too-late' : null;
  if (naming.kind === 'one' && !naming.receivables.has(receivable)) return 'names-another';
  if (isOfAnother(entry)) return 'of-another';
  return 'other-amount';
}

/** How far an entry is from what should come. */
function distance({ amountMinor }: AccountEntry, { expectedMinor }: OpenReceivable): number {
  return Math.abs(amountMinor - (expectedMinor ?? amountMinor));
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
