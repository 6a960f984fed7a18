/** For people: which entries may be a batch's money, and why others are not. */
import type { AcquirerEntry } from './entries.ts';
import type { OpenReceivable } from './receivables.ts';
import {
  maxListed,
  type AccountEntry,
  type MoneyMatch,
  type ReceivableResult,
  type RuledOutReason,
} from './types.ts';

export interface EntrySituation {
  /** By day; without those that a person has matched. */
  ofAcquirers: readonly AcquirerEntry[];
  /** Those of them that no match has. */
  unexplained: readonly AcquirerEntry[];
  /** Entries of nobody that the rules know that pay exactly this one, or a run with it. */
  strangersFor(receivable: OpenReceivable): readonly AccountEntry[];
  /** By which more is to be given back than paid. */
  negatives: readonly OpenReceivable[];
  matched: ReadonlyMap<AccountEntry, OpenReceivable>;
  isUnmatched(receivable: OpenReceivable, entryId: string): boolean;
}

/** Batches so near to each other may be paid in one, so that a debit can be a batch's money and a credit its opposite's. */
const mixedDays = 10;

/**
 * Credits that could be the money although they fit nothing: unexplained ones of the same acquirer, and, however late,
 * whatever is exactly as much and nobody's. As long as there is one, nobody can say that the money has not come.
 */
export function possibleEntries(
  receivable: OpenReceivable,
  { unexplained, negatives, strangersFor, isUnmatched }: EntrySituation,
): AccountEntry[] {
  const { rule, closeDay, lastDayByNumber, expectedMinor } = receivable;
  if (rule === null) return [];
  const mixed = negatives.some(
    (each) =>
      each.rule === rule && rule.combines.batches > 1 && Math.abs(each.closeDay - closeDay) <= mixedDays,
  );
  const ofAcquirer = within(unexplained, ({ day }) => day, closeDay, Infinity)
    .filter(
      ({ acquirers, entry, day }) =>
        acquirers.includes(rule) &&
        (mixed || entry.amountMinor < 0 === (expectedMinor ?? 0) < 0) &&
        (day <= lastDayByNumber || entry.amountMinor === expectedMinor),
    )
    .map(({ entry }) => entry);
  return [...ofAcquirer, ...strangersFor(receivable)].filter(({ id }) => !isUnmatched(receivable, id));
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
  const near = within(
    situation.ofAcquirers,
    ({ day }) => day,
    closeDay - daysBefore,
    lastDayByAmount + daysAfter,
  );
  for (const each of near) {
    const { entry } = each;
    if (ruledOut.length === maxListed) break;
    if (rule === null || !each.acquirers.includes(rule) || open.has(entry)) continue;
    if (match?.entryIds.includes(entry.id) === true) continue;
    const why = whyNot(receivable, each, situation);
    if (why !== null) ruledOut.push({ entryId: entry.id, why });
  }
  return { possible: nearest.slice(0, maxListed).map(({ id }) => id), ruledOut };
}

function whyNot(
  receivable: OpenReceivable,
  { entry, day, naming }: AcquirerEntry,
  { matched, isUnmatched }: EntrySituation,
): RuledOutReason | null {
  const isExact = entry.amountMinor === receivable.expectedMinor;
  if (isUnmatched(receivable, entry.id)) return 'by-a-person';
  if (day < receivable.closeDay) return isExact ? 'before-the-close' : null;
  if (day > receivable.lastDayByAmount) return isExact ? 'too-late' : null;
  if (naming.kind === 'one' && !naming.receivables.has(receivable)) return 'names-another';
  if (matched.has(entry)) return 'of-another';
  return 'other-amount';
}

/** How far an entry is from what should come. */
function distance({ amountMinor }: AccountEntry, { expectedMinor }: OpenReceivable): number {
  return Math.abs(amountMinor - (expectedMinor ?? amountMinor));
}

/** Those of `sorted` whose day is in the span. */
function within<T>(sorted: readonly T[], dayOfItem: (item: T) => number, from: number, until: number): T[] {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = sorted[middle];
    if (item !== undefined && dayOfItem(item) < from) low = middle + 1;
    else high = middle;
  }
  const found: T[] = [];
  for (let at = low; at < sorted.length; at += 1) {
    const item = sorted[at];
    if (item === undefined || dayOfItem(item) > until) break;
    found.push(item);
  }
  return found;
}
