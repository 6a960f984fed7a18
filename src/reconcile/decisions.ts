/** What people have decided of receivables and entries, as it holds now. */
import type { OpenReceivable } from './receivables.ts';
import type { Decision } from './types.ts';

export interface Decided {
  /** The latest match; null: none holds. */
  matchOf(receivable: OpenReceivable): Decision | null;
  isUnmatched(receivable: OpenReceivable, entryId: string): boolean;
}

interface Held {
  match: Decision | null;
  unmatched: Set<string>;
}

/** A later decision takes an earlier one back, as far as they are about the same. */
export function decidedBy(decisions: readonly Decision[]): Decided {
  const held = new Map<string, Held>();
  const inTurn = decisions.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
  for (const decision of inTurn) {
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
    isUnmatched: (receivable, entryId) =>
      held.get(receivableKey(receivable))?.unmatched.has(entryId) === true,
  };
}

function receivableKey({ batchId, acquirer }: { batchId: string; acquirer: string | null }): string {
  return JSON.stringify([batchId, acquirer]);
}

/** ISO moments sort as text. */
function key(decision: Decision): string {
  return `${decision.at} ${JSON.stringify(decision)}`;
}
