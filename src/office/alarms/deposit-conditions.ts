/** Money that has not come by its last day, not all of it, or nobody can say so, as the office has found it last. */
import type { Queries } from '../database/database.ts';
import type { Condition } from './condition.ts';
import { missingDeposit, type MissingDeposit } from './condition-messages.ts';

interface DepositRow extends MissingDeposit {
  batch_id: string;
  shop_id: string;
  terminal: string;
  simulated: boolean;
  since: string;
}

/**
 * One batch is one subject, whatever its state: what was late and is unclear then is still missing. Where no rule says who
 * pays, there is no last day.
 *
 * Values: names of shops or null for all, whether of simulated terminals as well, and how many at most.
 */
export async function missingDeposits(
  queries: Queries,
  which: readonly [shops: string[] | null, simulated: boolean, limit: number],
): Promise<Condition[]> {
  const rows = await queries.query<DepositRow>(
    `SELECT batch_id, acquirer, shop_id, terminal, simulated, batch_number, closed_on, deposits.currency, state,
       expected_minor, arrived_minor, due_by, reason, since
     FROM deposits JOIN shops USING (shop_id)
     WHERE needs_person AND (state IN ('late', 'short') OR (state = 'unclear' AND past_due)) AND ($1::text[] IS NULL OR shops.name = ANY ($1))
       AND (NOT simulated OR $2)
     ORDER BY since, batch_id, acquirer LIMIT $3`,
    [...which],
  );
  return rows.map((row) => ({
    subject: `deposit:${row.batch_id}/${row.acquirer}`,
    shop_id: row.shop_id,
    terminal: row.terminal,
    simulated: row.simulated,
    message: missingDeposit(row),
    since: Date.parse(row.since),
  }));
}
