/** The discrepancies of a journal that nobody has acknowledged: `open_discrepancies` in the database. */
import type { Queries } from '../database/database.ts';
import type { Chain } from './chains.ts';

/** What those say that were open while the journal had so much of these chains, and that it does not have now. */
export async function discrepanciesLost(
  queries: Queries,
  had: readonly Chain[],
): Promise<{ message: string; seq: number }[]> {
  return await queries.query<{ message: string; seq: number }>(
    `SELECT message, seq FROM unnest($1::integer[], $2::bigint[]) AS had (chain, last)
       JOIN chains USING (chain) JOIN discrepancies USING (chain)
     WHERE acknowledged_at IS NULL AND seq > in_journal_to AND (last IS NULL OR seq <= last)
     ORDER BY found_at, discrepancy_id`,
    [had.map(({ chain }) => chain), had.map(({ in_journal_to: last }) => last)],
  );
}
