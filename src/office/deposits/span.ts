/** Of which days a look at a merchant's money has to tell. */
import { accountNumber, dayOf } from '../../reconcile/index.ts';
import type { Queries } from '../database/database.ts';
import { closedBatches, type ShopName } from './inputs.ts';
import type { Merchant } from './rules.ts';

const dayMs = 86_400_000;
/** What has arrived can still be taken back, or get a second reading, for so long. */
const usualDays = 30;
/** What is older and still open stays as it was found last, unless a statement or a person says more. */
const openDays = 180;
const maxDays = 800;
/** Money may come for a batch so many days after its close: those closed earlier take no part. */
const lookBackDays = 120;
/** Whether a day is known may be told by statements so many days before it. */
export const aroundDays = 45;

export interface LookSpan {
  /** Batches closed since then are told of, in milliseconds since 1970. */
  tellFrom: number;
  /** Batches and entries since then take part. */
  since: number;
}

/** `lookedAt`: when it was looked last; null: never, or by other rules. */
export async function spanOf(
  queries: Queries,
  merchant: Merchant,
  shops: readonly ShopName[],
  { now, lookedAt }: { now: number; lookedAt: string | null },
): Promise<LookSpan> {
  const [deleted] = await queries.query<{ before: string }>('SELECT before FROM deposits_deleted');
  const oldest = Math.max(
    now - maxDays * dayMs,
    // Of what is told, all that takes part is to be there.
    deleted === undefined ? -Infinity : Date.parse(deleted.before) + lookBackDays * dayMs,
  );
  const accounts = merchant.rules.acquirers.map(({ account }) => accountNumber(account));
  const [moments] = await queries.query<Record<string, string | null>>(
    `SELECT
       (SELECT min(closed_at) FROM deposits
        WHERE merchant = $1 AND (needs_person OR state = 'waiting') AND closed_at >= $2) AS open,
       (SELECT min(booked_on)::timestamptz FROM deposit_entries
        WHERE merchant = $1 AND unexplained AND booked_on >= $2::timestamptz::date) AS unexplained,
       (SELECT min(from_day)::timestamptz FROM statements JOIN statement_files USING (file_id)
        WHERE account = ANY ($3::text[]) AND ($4::timestamptz IS NULL OR handed_in_at >= $4)) AS handed_in,
       (SELECT min(closed_at) FROM deposit_decisions JOIN deposits
          ON deposits.merchant = deposit_decisions.merchant AND batch_id = ANY (batch_ids)
        WHERE deposit_decisions.merchant = $1 AND ($4::timestamptz IS NULL OR deposit_decisions.decided_at >= $4)) AS decided,
       (SELECT min(booked_on)::timestamptz FROM deposit_decisions JOIN deposit_entries
          ON deposit_entries.merchant = deposit_decisions.merchant AND entry_id = ANY (entry_ids)
        WHERE deposit_decisions.merchant = $1 AND ($4::timestamptz IS NULL OR decided_at >= $4)) AS settled`,
    [merchant.name, new Date(now - openDays * dayMs).toISOString(), accounts, lookedAt],
  );
  const [unseen] = await queries.query<{ at: string | null }>(
    `SELECT min(closed_at) AS at FROM (${closedBatches}) AS closed
     WHERE NOT EXISTS (SELECT FROM deposits WHERE deposits.batch_id = closed.batch_id)
       AND closed_at >= (SELECT min(from_day) FROM statements WHERE account = ANY ($4::text[]))`,
    [shops.map(({ shop_id }) => shop_id), merchant.simulated, new Date(oldest).toISOString(), accounts],
  );
  const wanted = [...Object.values(moments ?? {}), unseen?.at ?? null].flatMap((at) =>
    at === null ? [] : Date.parse(at) - dayMs,
  );
  const tellFrom = Math.max(oldest, Math.min(now - usualDays * dayMs, ...wanted));
  return { tellFrom, since: tellFrom - lookBackDays * dayMs };
}

/**
 * Before this day nothing takes part in the looks to come, unless something that old is handed in or said: `YYYY-MM-DD`.
 * Null: nobody has given rules, and there are no looks.
 */
export async function lookedBackTo(queries: Queries, now: number): Promise<string | null> {
  const [row] = await queries.query<{ open: string | null; unexplained: string | null }>(
    `SELECT
       (SELECT min(closed_at) FROM deposits WHERE (needs_person OR state = 'waiting') AND closed_at >= $1) AS open,
       (SELECT min(booked_on)::timestamptz FROM deposit_entries
        WHERE unexplained AND booked_on >= $1::timestamptz::date) AS unexplained
     WHERE EXISTS (SELECT FROM deposit_rules)`,
    [new Date(now - openDays * dayMs).toISOString()],
  );
  if (row === undefined) return null;
  const open = [row.open, row.unexplained].flatMap((at) => (at === null ? [] : Date.parse(at) - dayMs));
  const tellFrom = Math.min(now - usualDays * dayMs, ...open);
  return new Date(tellFrom - (lookBackDays + aroundDays) * dayMs).toISOString().slice(0, 10);
}

/** The same as long as nothing that a look is made from has changed: rules, batches, statements, decisions, the day. */
export async function madeFrom(
  queries: Queries,
  merchant: Merchant,
  shops: readonly ShopName[],
  { today, digest }: { today: string; digest: string },
): Promise<string> {
  const accounts = merchant.rules.acquirers.map(({ account }) => accountNumber(account));
  const [counts] = await queries.query(
    `SELECT count(*) AS batches, max(ended_at) AS newest, max(closed_at) AS latest,
       (SELECT count(*) FROM statements WHERE account = ANY ($4::text[])) AS statements,
       (SELECT max(handed_in_at) FROM statements JOIN statement_files USING (file_id)
        WHERE account = ANY ($4::text[])) AS handed_in,
       (SELECT max(decision) FROM deposit_decisions WHERE merchant = $5) AS decision
     FROM (${closedBatches}) AS closed`,
    [
      shops.map(({ shop_id }) => shop_id),
      merchant.simulated,
      // From a day on that stays the same until there is another day.
      new Date(((dayOf(today) ?? 0) - maxDays) * dayMs).toISOString(),
      accounts,
      merchant.name,
    ],
  );
  return JSON.stringify([digest, today, counts]);
}
