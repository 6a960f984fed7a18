/**
 * Less or more than it should be. That something is missing is said as carefully of a part as of a whole: not before the last
 * day, not while days of the account are unknown, and not while there is anything that it could be.
 */
import type { Difference } from './claims.ts';
import type { AcquirerEntry } from './entries.ts';
import { matchOf, unclear, type Finding } from './findings.ts';
import { addTo, within } from './lists.ts';
import type { OpenReceivable } from './receivables.ts';
import type { AccountEntry } from './types.ts';

export interface DifferenceInput {
  differences: readonly Difference[];
  /** In the order of closing: all that something should come for, and that nothing has paid. */
  unpaid: readonly OpenReceivable[];
  /** By day: of acquirers, and nobody's. */
  unexplained: readonly AcquirerEntry[];
  today: number;
  possible(receivable: OpenReceivable): AccountEntry[];
  isKnown(receivable: OpenReceivable): boolean;
  /** Whether a batch that is to be given back may have been kept from its payout. */
  isNetted(receivable: OpenReceivable): boolean;
}

export function differenceFindings(input: DifferenceInput): Map<OpenReceivable, Finding> {
  const { differences, today, possible, isKnown, isNetted } = input;
  const unpaid = Map.groupBy(input.unpaid, ({ acquirer }) => acquirer);
  const over = new Map<string | null, OpenReceivable[]>();
  for (const { group, kind } of differences) {
    if (kind === 'over') for (const each of group.receivables) addTo(over, each.acquirer, each);
  }
  const isOver = new Set([...over.values()].flat());

  function findingOf({ group, sums, kind }: Difference): Finding {
    const { receivables, entries } = group;
    const own = new Set(entries);
    const isDue = receivables.every(({ dueDay }) => today > dueDay);
    if (!isDue)
      return kind === 'short'
        ? { kind: 'waiting', entries: new Set(entries) }
        : unclear('several-readings', entries);
    const others =
      kind === 'short'
        ? receivables.flatMap((receivable) => possible(receivable)).filter((entry) => !own.has(entry))
        : receivables.flatMap((receivable) => debitsFor(receivable, sums.arrivedMinor - sums.expectedMinor));
    if (others.length > 0) return unclear('unexplained-entries', [...entries, ...others]);
    if (!receivables.every(isKnown)) return unclear('account-not-known', entries);
    // What one has too much may be what another one lacks.
    const opposite = kind === 'short' ? over : unpaid;
    const isShared = receivables.some(
      (receivable) =>
        isNetted(receivable) ||
        neighbours(opposite.get(receivable.acquirer) ?? [], receivable).some(
          (other) => !receivables.includes(other) && (kind === 'short' || !isOver.has(other)),
        ),
    );
    if (isShared) return unclear('several-readings', entries);
    return { kind: 'match', state: kind, match: matchOf(group, sums, ['number', 'high']) };
  }

  /** The acquirer may have taken back what was too much. */
  function debitsFor({ rule, closeDay, lastDayByNumber }: OpenReceivable, surplus: number): AccountEntry[] {
    return within(input.unexplained, ({ day }) => day, closeDay, lastDayByNumber)
      .filter(
        ({ entry, acquirers }) =>
          rule !== null && acquirers.includes(rule) && entry.amountMinor < 0 && -entry.amountMinor <= surplus,
      )
      .map(({ entry }) => entry);
  }

  return new Map(
    differences.flatMap((difference) => {
      const finding = findingOf(difference);
      return difference.group.receivables.map((receivable) => [receivable, finding] as const);
    }),
  );
}

/** Those of one acquirer whose money may have come on the same days. */
export function neighbours(
  inOrder: readonly OpenReceivable[],
  { closeDay, lastDayByNumber }: OpenReceivable,
): OpenReceivable[] {
  return within(
    inOrder,
    (each) => each.lastDayByNumber,
    closeDay,
    Infinity,
    (each) => each.closeDay > lastDayByNumber,
  );
}
