/** Receivables and entries that belong together, because remarks or people say so. */
import type { OpenReceivable } from './receivables.ts';
import type { AccountEntry } from './types.ts';

export interface Group {
  receivables: OpenReceivable[];
  entries: AccountEntry[];
  /** Each entry is said to be the money of all of these receivables. */
  isUniform: boolean;
}

export interface Sums {
  expectedMinor: number;
  arrivedMinor: number;
  toleranceMinor: number;
}

interface Growing {
  receivables: Set<OpenReceivable>;
  entries: AccountEntry[];
  /** How many receivables each of the entries names. */
  sizes: Set<number>;
}

/** Whatever is tied to the same thing, directly or by way of others, is one group. */
export function groupsOf(
  ties: readonly { entry: AccountEntry; receivables: ReadonlySet<OpenReceivable> }[],
): Group[] {
  const groups = new Set<Growing>();
  const groupOf = new Map<OpenReceivable, Growing>();
  for (const { entry, receivables } of ties) {
    const joined: Growing = {
      receivables: new Set(receivables),
      entries: [entry],
      sizes: new Set([receivables.size]),
    };
    for (const group of new Set([...receivables].map((each) => groupOf.get(each)))) {
      if (group === undefined) continue;
      groups.delete(group);
      for (const receivable of group.receivables) joined.receivables.add(receivable);
      for (const size of group.sizes) joined.sizes.add(size);
      joined.entries.push(...group.entries);
    }
    groups.add(joined);
    for (const receivable of joined.receivables) groupOf.set(receivable, joined);
  }
  return [...groups].map(({ receivables, entries, sizes }) => ({
    receivables: [...receivables],
    entries,
    // Whoever names as many as there are names all of them.
    isUniform: sizes.size === 1 && sizes.has(receivables.size),
  }));
}

/** Null where it cannot be told what should come. */
export function sumsOf({ receivables, entries }: Pick<Group, 'receivables' | 'entries'>): Sums | null {
  let [expectedMinor, toleranceMinor] = [0, 0];
  for (const receivable of receivables) {
    if (receivable.expectedMinor === null) return null;
    expectedMinor += receivable.expectedMinor;
    toleranceMinor += receivable.toleranceMinor;
  }
  const arrivedMinor = entries.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  return { expectedMinor, arrivedMinor, toleranceMinor };
}

/** How what arrived compares with what should have. */
export function comparison({
  expectedMinor,
  arrivedMinor,
  toleranceMinor,
}: Sums): 'arrived' | 'short' | 'over' {
  const difference = arrivedMinor - expectedMinor;
  if (Math.abs(difference) <= toleranceMinor) return 'arrived';
  return difference < 0 ? 'short' : 'over';
}
