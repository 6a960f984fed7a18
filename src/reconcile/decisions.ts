/** What people have decided of receivables and entries, as it holds now. */
import type { OpenReceivable } from './receivables.ts';
import type { Decision } from './types.ts';

export interface Decided {
  /** The latest match; null: none holds. */
  matchOf(receivable: Whose): Decision | null;
  /** All that hold, also of batches that are not looked at now. */
  matches: readonly Decision[];
  /** Whether `held`, which are matches with one key, are about all batches that the person has named together. */
  isWhole(held: readonly Decision[]): boolean;
  isUnmatched(receivable: OpenReceivable, entryId: string): boolean;
}

type Whose = Pick<Decision, 'batchId'> & { acquirer: string | null };

interface Held {
  match: Decision | null;
  unmatched: Set<string>;
}

/** A later decision takes an earlier one back, as far as they are about the same. */
export function decidedBy(decisions: readonly Decision[]): Decided {
  const held = new Map<string, Held>();
  const namedTogether = Map.groupBy(
    decisions.filter(({ kind }) => kind === 'match'),
    decisionKey,
  );
  const batchesOf = (together: readonly Decision[]) => new Set(together.map(receivableKey)).size;
  for (const decision of decisions.toSorted(inTime)) {
    const { kind, entryIds } = decision;
    const before = held.get(receivableKey(decision)) ?? { match: null, unmatched: new Set<string>() };
    held.set(
      receivableKey(decision),
      kind === 'match'
        ? {
            match: decision,
            unmatched: new Set([...before.unmatched].filter((id) => !entryIds.includes(id))),
          }
        : {
            match: before.match?.entryIds.some((id) => entryIds.includes(id)) === true ? null : before.match,
            unmatched: new Set([...before.unmatched, ...entryIds]),
          },
    );
  }
  return {
    matchOf: (receivable) => held.get(receivableKey(receivable))?.match ?? null,
    matches: [...held.values()].flatMap(({ match }) => match ?? []),
    isWhole: (together) =>
      together.every(
        (decision) => batchesOf(namedTogether.get(decisionKey(decision)) ?? []) === batchesOf(together),
      ),
    isUnmatched: (receivable, entryId) =>
      held.get(receivableKey(receivable))?.unmatched.has(entryId) === true,
  };
}

/** The same for all batches of one decision of one person. What names no entries is about one batch only. */
export function decisionKey({ batchId, acquirer, entryIds, by, reason, at }: Decision): string {
  return entryIds.length === 0
    ? JSON.stringify([batchId, acquirer])
    : JSON.stringify([[...new Set(entryIds)].toSorted(), by, reason, Date.parse(at)]);
}

function receivableKey({ batchId, acquirer }: Whose): string {
  return JSON.stringify([batchId, acquirer]);
}

/** Of two at the same instant the one that takes back counts. */
function inTime(one: Decision, other: Decision): number {
  const [first, second] = [one, other].map(
    ({ kind, entryIds, by, reason, at }) => fractionOf(at) + JSON.stringify([kind, by, reason, entryIds]),
  );
  return Date.parse(one.at) - Date.parse(other.at) || ((first ?? '') < (second ?? '') ? -1 : 1);
}

/** What a number of milliseconds does not hold. */
function fractionOf(at: string): string {
  const [, digits = ''] = /\.(\d+)/.exec(at) ?? [];
  return digits.slice(0, 12).padEnd(12, '0');
}
