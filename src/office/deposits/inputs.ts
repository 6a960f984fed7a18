/** What a look at a merchant's money is made from, as it lies in the database. */
import { accountNumber, type Decision } from '../../reconcile/index.ts';
import type { Queries } from '../database/database.ts';
import type { NobodysEntry } from './find-money.ts';
import { merchantOfShop, type Merchant } from './rules.ts';

/** A shop by its id and name. */
export interface ShopName {
  shop_id: string;
  name: string;
}

/** The shops of each merchant. */
export async function shopsOf(
  queries: Queries,
  merchants: readonly Merchant[],
): Promise<Map<Merchant, ShopName[]>> {
  const shops = await queries.query<ShopName>('SELECT shop_id, name FROM shops');
  const found = new Map<Merchant, ShopName[]>(merchants.map((merchant) => [merchant, []]));
  for (const shop of shops) {
    for (const simulated of [false, true]) {
      const merchant = merchantOfShop(merchants, shop.name, simulated);
      if (merchant !== null) found.get(merchant)?.push(shop);
    }
  }
  return found;
}

/**
 * $1: the ids of shops, $2: of simulated terminals or of real ones, $3: closed since. Where the till's time cannot be true, a
 * batch counts from its arrival on: nothing is older than what is looked at because a clock was wrong. A batch is counted once, whoever tells
 * of it: a journal that was copied to another shop has the same ones.
 */
export const closedBatches = `
  SELECT batches.*, coalesce(arrived_at, started_at) AS closed_at, chains.shop_id, chains.terminal, chains.simulated
  FROM chains JOIN batches USING (chain)
  WHERE chains.shop_id = ANY ($1::uuid[]) AND chains.simulated = $2 AND outcome = 'closed'
    AND coalesce(arrived_at, started_at) >= $3
    AND NOT EXISTS (
      SELECT FROM batches AS other
      WHERE other.batch_id = batches.batch_id AND other.chain < batches.chain AND other.outcome = 'closed'
    )`;

/** Values as of `closedBatches`. */
export const batchesToLookAt = `
  SELECT batch_id, shop_id, terminal, coalesce(told_terminal_id, terminal_id) AS terminal_id, told_merchant_id,
    told_number, closed_at, arrived_at IS NOT NULL AS clock_is_wrong, coalesce(told_currency, currency) AS currency,
    CASE WHEN told_currency IS NULL THEN expected_count ELSE count END AS count,
    coalesce(total_minor, expected_minor) AS total_minor, totals
  FROM (${closedBatches}) AS batches`;

/**
 * Hands the rows of `sql` over in pieces, each row as the database's own JSON: who takes it apart is another thread. In a
 * transaction. Gives how many there were.
 */
export async function readInPieces(
  queries: Queries,
  sql: string,
  values: readonly unknown[],
  { rowsInPiece, onPiece }: { rowsInPiece: number; onPiece: (rows: string[]) => void },
): Promise<number> {
  // All rows are wanted, so the plan is to be the one that is quickest for all.
  await queries.run('SET LOCAL cursor_tuple_fraction = 1');
  await queries.query(
    `DECLARE pieces NO SCROLL CURSOR FOR SELECT row_to_json(row_of)::text AS row FROM (${sql}) AS row_of`,
    values,
  );
  let count = 0;
  for (;;) {
    const rows = await queries.query<{ row: string }>(`FETCH ${rowsInPiece} FROM pieces`);
    count += rows.length;
    if (rows.length > 0) onPiece(rows.map(({ row }) => row));
    if (rows.length < rowsInPiece) break;
  }
  await queries.run('CLOSE pieces');
  return count;
}

/** What people have settled of a merchant's money, as it holds now. */
export interface SettledMoney {
  decisions: Decision[];
  nobodys: NobodysEntry[];
  /** The newest of all that was read; 0: there was none. */
  last: number;
}

export async function decisionsOf(queries: Queries, { name }: Merchant): Promise<SettledMoney> {
  const rows = await queries.query<DecisionRow>(
    `SELECT decision, kind, batch_ids, acquirer, entry_ids, decided_by, reason, decided_at FROM deposit_decisions
     WHERE merchant = $1 ORDER BY decision`,
    [name],
  );
  const matches = new Map<DecisionRow, Decision[]>();
  const nobodys = new Map<string, NobodysEntry>();
  for (const row of rows) {
    const { kind, batch_ids, acquirer, entry_ids } = row;
    const word = { by: row.decided_by, reason: row.reason, at: row.decided_at };
    if (kind === 'match' && acquirer !== null)
      matches.set(
        row,
        batch_ids.map((batchId) => ({ kind, batchId, acquirer, entryIds: entry_ids, ...word })),
      );
    if (kind === 'nobody') for (const entryId of entry_ids) nobodys.set(entryId, { entryId, ...word });
    if (kind !== 'taken_back') continue;
    // Of several that were settled together, nobody has said what is left for the others.
    for (const before of matches.keys())
      if (before.acquirer === acquirer && before.batch_ids.some((id) => batch_ids.includes(id)))
        matches.delete(before);
    if (acquirer === null) for (const entryId of entry_ids) nobodys.delete(entryId);
  }
  return {
    decisions: [...matches.values()].flat(),
    nobodys: [...nobodys.values()],
    last: rows.at(-1)?.decision ?? 0,
  };
}

interface DecisionRow {
  decision: number;
  kind: string;
  batch_ids: string[];
  acquirer: string | null;
  entry_ids: string[];
  decided_by: string;
  reason: string;
  decided_at: string;
}

/** From which day on there are statements of the merchant's accounts, by the accounts' numbers. */
export async function firstDays(queries: Queries, { rules }: Merchant): Promise<[string, string][]> {
  const rows = await queries.query<{ account: string; from: string }>(
    `SELECT account, min(from_day) AS from FROM statements
     WHERE replaced_by IS NULL AND account = ANY ($1::text[]) GROUP BY account`,
    [rules.acquirers.map(({ account }) => accountNumber(account))],
  );
  return rows.map(({ account, from }) => [account, from]);
}
