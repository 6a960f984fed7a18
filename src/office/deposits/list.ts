/** What is asked about the money: the worst first. */
import type {
  DepositAccountView,
  DepositEntryView,
  DepositList,
  DepositLookView,
  DepositView,
} from '../../contract/office-deposits.ts';
import type { Queries } from '../database/database.ts';

export interface DepositQuestion {
  /** A shop's id or its name. */
  shop?: string | undefined;
  /** Only what somebody should look at. */
  late: boolean;
  simulated: boolean;
}

const maxListed = 500;

/** $1: of simulated terminals, $2: a shop's id or name, $3: only what somebody should look at. */
const asked = `deposits.simulated = $1 AND ($2::text IS NULL OR shops.name = $2 OR shops.shop_id::text = $2)
  AND (NOT $3 OR needs_person)`;
const worstFirst = `NOT needs_person, array_position(ARRAY['late', 'short', 'unclear', 'over', 'waiting', 'arrived'], state),
  closed_at, shops.name, batch_number, batch_id`;

export async function listDeposits(
  queries: Queries,
  { shop, late, simulated }: DepositQuestion,
): Promise<DepositList> {
  const values = [simulated, shop ?? null, late];
  const deposits = await queries.query<DepositView>(
    `SELECT deposits.*, shops.name AS shop FROM deposits JOIN shops USING (shop_id)
     WHERE ${asked} ORDER BY ${worstFirst} LIMIT $4`,
    [...values, maxListed + 1],
  );
  const sums = await queries.query<DepositList['sums'][number]>(
    `SELECT state, deposits.currency, count(*)::integer AS count, coalesce(sum(expected_minor), 0)::bigint AS expected_minor
     FROM deposits JOIN shops USING (shop_id) WHERE ${asked} GROUP BY state, deposits.currency ORDER BY 1, 2`,
    values,
  );
  const listed = deposits.slice(0, maxListed);
  const named = listed.filter(({ needs_person }) => needs_person);
  const entries = await queries.query<DepositEntryView>(
    `SELECT deposit_entries.* FROM deposit_entries JOIN deposit_looks USING (merchant)
     WHERE simulated = $1 AND (
       ((unexplained OR (settled_by IS NOT NULL AND NOT $5)) AND $2::text IS NULL) OR entry_id = ANY ($3::text[])
     )
     ORDER BY unexplained DESC, settled_by IS NOT NULL, booked_on, entry_id LIMIT $4`,
    [
      simulated,
      shop ?? null,
      named.flatMap(({ entry_ids, possible_ids }) => [...entry_ids, ...possible_ids]),
      maxListed,
      late,
    ],
  );
  const looks = await queries.query<
    DepositLookView & { accounts: Omit<DepositAccountView, 'merchant' | 'simulated'>[]; simulated: boolean }
  >(
    `SELECT merchant, looked_at, trouble, accounts, simulated FROM deposit_looks WHERE simulated = $1 ORDER BY merchant`,
    [simulated],
  );
  const rules = await queries.query('SELECT FROM deposit_rules');
  return {
    rules: rules.length > 0 ? 'there' : 'missing',
    deposits: listed,
    entries,
    accounts: looks.flatMap(({ merchant, accounts }) =>
      accounts.map((account) => ({ merchant, simulated, ...account })),
    ),
    looks: looks.map(({ merchant, looked_at, trouble }) => ({ merchant, looked_at, trouble })),
    sums,
    more: deposits.length > maxListed,
  };
}
