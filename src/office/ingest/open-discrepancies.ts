/** The discrepancies of a journal that nobody has acknowledged: `open_discrepancies` in the database. */
import type { Queries } from '../database/database.ts';
import type { Journal } from './chains.ts';

export interface OpenDiscrepancy {
  discrepancy_id: string;
  /** The chain that it lies in, and its event there. */
  chain: number;
  seq: number;
  message: string;
}

const ofJournal = 'shop_id = $1 AND terminal = $2 AND simulated = $3';

/** Those that are open now, and of which the office knows their event. */
export function openDiscrepancies(
  queries: Queries,
  { shopId, terminal, simulated }: Journal,
): Promise<OpenDiscrepancy[]> {
  return queries.query<OpenDiscrepancy>(
    `SELECT discrepancy_id, chain, seq, message FROM open_discrepancies JOIN chains USING (chain)
     WHERE ${ofJournal} AND seq IS NOT NULL ORDER BY found_at, discrepancy_id`,
    [shopId, terminal, simulated],
  );
}

/** Those of them that the journal does not have any more, as it goes on now. */
export async function lostOf(
  queries: Queries,
  { shopId, terminal, simulated }: Journal,
  open: readonly OpenDiscrepancy[],
): Promise<OpenDiscrepancy[]> {
  const rows = await queries.query<{ discrepancy_id: string }>(
    `SELECT discrepancy_id FROM discrepancies JOIN chains USING (chain)
     WHERE ${ofJournal} AND discrepancy_id = ANY ($4::uuid[]) AND (in_journal_to IS NULL OR seq <= in_journal_to)`,
    [shopId, terminal, simulated, open.map((one) => one.discrepancy_id)],
  );
  const present = new Set(rows.map((row) => row.discrepancy_id));
  return open.filter((one) => !present.has(one.discrepancy_id));
}
