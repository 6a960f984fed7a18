/** What was found of where the money is, with all that it speaks of: who reads it needs neither journal nor account. */
import { z } from 'zod';
import {
  accountEntrySchema,
  batchMoneySchema,
  closedBatchSchema,
} from '../../contract/console/batch-money.ts';
import type { AccountEntry, ClosedBatch, Reconciliation } from '../../reconcile/index.ts';

/** What was found, by which rules and when. */
export interface KeptResults extends Reconciliation {
  /** ISO 8601 */
  at: string;
  rulesVersion: string;
  /** Those of `batches`. */
  closed: ClosedBatch[];
  /** Those that the batches name: as their money, as possible, or as ruled out. */
  entries: AccountEntry[];
}

export const keptResultsSchema: z.ZodType<KeptResults> = z.object({
  at: z.iso.datetime(),
  rulesVersion: z.string(),
  batches: z.array(batchMoneySchema),
  unexplained: z.array(accountEntrySchema),
  closed: z.array(closedBatchSchema),
  entries: z.array(accountEntrySchema),
});

/**
 * Of `found` the batches that were closed on `from` (`YYYY-MM-DD`) or later, and the entries of these days, with what they
 * speak of.
 */
export function resultsSince(
  from: string,
  found: Reconciliation,
  about: { closed: readonly ClosedBatch[]; entries: readonly AccountEntry[] },
): Omit<KeptResults, 'at' | 'rulesVersion'> {
  const batches = found.batches.filter(({ parts }) =>
    parts.some(({ closedOn }) => (closedOn ?? from) >= from),
  );
  const ids = new Set(batches.map(({ batchId }) => batchId));
  const named = new Set(
    batches.flatMap(({ parts }) =>
      parts.flatMap(({ match, possible, ruledOut }) => [
        ...(match?.entryIds ?? []),
        ...possible,
        ...ruledOut.map(({ entryId }) => entryId),
      ]),
    ),
  );
  return {
    batches,
    unexplained: found.unexplained.filter(({ date }) => date >= from),
    closed: about.closed.filter(({ id }) => ids.has(id)),
    entries: about.entries.filter(({ id }) => named.has(id)),
  };
}
