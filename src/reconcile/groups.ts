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

/** Whatever is tied to the same thing, directly or by way of others, is one group. */
export function groupsOf(
  ties: readonly { entry: AccountEntry; receivables: ReadonlySet<OpenReceivable> }[],
): Group[] {
  /** Whom each receivable has been joined to; whoever is not in it stands for its group. */
  const joined = new Map<OpenReceivable, OpenReceivable>();
  const headOf = (receivable: OpenReceivable): OpenReceivable => {
    let head = receivable;
    for (let next = joined.get(head); next !== undefined; next = joined.get(head)) head = next;
    // The next one who asks finds it at once.
    for (let at = receivable; at !== head;) {
      const next = joined.get(at) ?? head;
      joined.set(at, head);
      at = next;
    }
    return head;
  };
  for (const { receivables } of ties) {
    const [first, ...rest] = receivables;
    if (first === undefined) continue;
    for (const other of rest) {
      const [head, otherHead] = [headOf(first), headOf(other)];
      if (head !== otherHead) joined.set(otherHead, head);
    }
  }
  const tiesOf = Map.groupBy(ties, ({ receivables: [first] }) => first && headOf(first));
  tiesOf.delete(undefined);
  return [...tiesOf.values()].map((own) => {
    const receivables = new Set(own.flatMap((tie) => [...tie.receivables]));
    return {
      receivables: [...receivables],
      entries: own.map(({ entry }) => entry),
      // Whoever names as many as there are names all of them.
      isUniform: own.every((tie) => tie.receivables.size === receivables.size),
    };
  });
}

/** Null where it cannot be told what should come. */
export function sumsOf({ receivables, entries }: Pick<Group, 'receivables' | 'entries'>): Sums | null {
  let [expectedMinor, toleranceMinor] = [0, 0];
  for (const receivable of receivables) {
    if (receivable.expectedMinor === null) return null;
    expectedMinor += receivable.expectedMinor;
    toleranceMinor += receivable.toleranceMinor;
  }
  return { expectedMinor, arrivedMinor: totalOf(entries), toleranceMinor };
}

/** Minor units. */
export function totalOf(entries: readonly AccountEntry[]): number {
  return entries.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
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
