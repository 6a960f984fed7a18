/**
 * One look at the money of one merchant, by one process of the office at a time. What it is made from is read in one
 * transaction, and what was found is written as a whole in another one. Between them no transaction is open, and nobody
 * waits: with PGlite one transaction holds up everybody.
 */
import { accountNumber, dateOf, localTime } from '../../reconcile/index.ts';
import type { Database, Queries } from '../database/database.ts';
import { storableJson } from '../database/storable.ts';
import { locks } from '../database/migrate.ts';
import { depositColumns, type FoundMoney, type FoundPiece, type LookHead } from './find-money.ts';
import { batchesToLookAt, decisionsOf, firstDays, readInPieces, type ShopName } from './inputs.ts';
import type { MoneySearch, OpenMoneySearch } from './money-search.ts';
import type { Merchant } from './rules.ts';
import { aroundDays, madeFrom, spanOf } from './span.ts';
import { countingStatements } from './statements.ts';

export type Look =
  | { kind: 'looked'; batches: number }
  /** Nothing that it is made from has changed since. */
  | { kind: 'same' }
  /** Another process of the office is at it. */
  | { kind: 'elsewhere' };

export interface LookParts {
  /** Milliseconds since 1970. */
  now: number;
  /** Of the rules. */
  digest: string;
  openSearch: OpenMoneySearch;
  /** Ends it where it is, and nothing of it stays. */
  signal: AbortSignal;
}

/** Rejects with DatabaseError, with SearchBrokenError, and with the signal's reason. */
export async function lookForMoney(
  database: Database,
  merchant: Merchant,
  shops: readonly ShopName[],
  parts: LookParts,
): Promise<Look> {
  const turn = await database.alone(locks.deposits, async (): Promise<Look> => {
    const search = parts.openSearch(parts.signal);
    try {
      const read = await database.transaction((queries) =>
        readFor(search, queries, { merchant, shops, ...parts }),
      );
      if (read === null) return { kind: 'same' };
      const found = await search.find(read.head);
      return await database.transaction((queries) =>
        write(queries, { read, found, search, signal: parts.signal }),
      );
    } finally {
      await search.end();
    }
  });
  return turn?.value ?? { kind: 'elsewhere' };
}

interface Read {
  head: LookHead;
  batches: number;
  /** Of what is looked at now, and of what was looked at last; null: never. */
  made: string;
  madeBefore: string | null;
  /** The newest word of a person that was read. */
  lastDecision: number;
}

/** Null: nothing has changed since. */
async function readFor(
  search: MoneySearch,
  queries: Queries,
  { merchant, shops, now, digest, signal }: { merchant: Merchant; shops: readonly ShopName[] } & LookParts,
): Promise<Read | null> {
  const local = localTime(merchant.rules.timeZone);
  const { day } = local(now);
  const today = dateOf(day);
  const made = await madeFrom(queries, merchant, shops, { today, digest });
  const [before] = await queries.query<{ made_from: string; looked_at: string }>(
    'SELECT made_from, looked_at FROM deposit_looks WHERE merchant = $1',
    [merchant.name],
  );
  if (before?.made_from === made) return null;
  const lookedAt = before !== undefined && sameRules(before.made_from, digest) ? before.looked_at : null;
  const { tellFrom, since } = await spanOf(queries, merchant, shops, { now, lookedAt });
  const { decisions, nobodys, last } = await decisionsOf(queries, merchant);
  const batches = await readInPieces(
    queries,
    batchesToLookAt,
    [shops.map(({ shop_id }) => shop_id), merchant.simulated, new Date(since).toISOString()],
    {
      rowsInPiece: 2_000,
      onPiece(rows) {
        signal.throwIfAborted();
        search.give({ batches: rows });
      },
    },
  );
  const sinceDay = local(since).day;
  const accounts = merchant.rules.acquirers.map(({ account }) => accountNumber(account));
  await readInPieces(
    queries,
    countingStatements,
    // Whether a day is known may be told by the statements around it.
    [accounts, dateOf(sinceDay - aroundDays), today],
    {
      // Each may have thousands of entries.
      rowsInPiece: 10,
      onPiece(rows) {
        signal.throwIfAborted();
        search.give({ statements: rows });
      },
    },
  );
  const head: LookHead = {
    merchant,
    shops: new Map(shops.map(({ shop_id, name }) => [shop_id, name])),
    decisions,
    nobodys,
    firstDays: await firstDays(queries, merchant),
    now,
    today,
    sinceDay: dateOf(sinceDay),
    tellFrom,
  };
  return { head, batches, made, madeBefore: before?.made_from ?? null, lastDecision: last };
}

function sameRules(made: string, digest: string): boolean {
  return made.startsWith(JSON.stringify([digest]).slice(0, -1));
}

async function write(
  queries: Queries,
  {
    read,
    found,
    search,
    signal,
  }: { read: Read; found: Omit<FoundMoney, 'pieces'>; search: MoneySearch; signal: AbortSignal },
): Promise<Look> {
  const { head, made, madeBefore, batches } = read;
  const { merchant, now } = head;
  await queries.query('SELECT pg_advisory_xact_lock($1)', [locks.settling]);
  const [before] = await queries.query<{ made_from: string }>(
    'SELECT made_from FROM deposit_looks WHERE merchant = $1',
    [merchant.name],
  );
  // Whoever had lost the lock meanwhile does not write over what another process has found since.
  if ((before?.made_from ?? null) !== madeBefore) return { kind: 'elsewhere' };
  if (found.message === null) {
    const settled = await settledSince(queries, merchant, read.lastDecision);
    for (let piece = await search.next(); piece !== null; piece = await search.next()) {
      signal.throwIfAborted();
      await (piece.table === 'deposits' ? writeDeposits : writeEntries)(queries, merchant, piece, settled);
    }
  }
  await queries.query(
    `INSERT INTO deposit_looks (merchant, simulated, made_from, looked_at, trouble, accounts)
     VALUES ($1, $2, $3, $4, $5, $6::jsonb)
     ON CONFLICT (merchant) DO UPDATE SET simulated = excluded.simulated, made_from = excluded.made_from,
       looked_at = excluded.looked_at, trouble = excluded.trouble, accounts = excluded.accounts`,
    [
      merchant.name,
      merchant.simulated,
      made,
      new Date(now).toISOString(),
      found.message,
      storableJson(found.accounts),
    ],
  );
  return { kind: 'looked', batches };
}

interface SettledSince {
  batchIds: string[];
  entryIds: string[];
}

/** What people have settled since the look was begun: it stays as they have said, until the next look knows of it. */
async function settledSince(queries: Queries, { name }: Merchant, last: number): Promise<SettledSince> {
  const rows = await queries.query<{ batch_ids: string[]; entry_ids: string[] }>(
    'SELECT batch_ids, entry_ids FROM deposit_decisions WHERE merchant = $1 AND decision > $2',
    [name, last],
  );
  return {
    batchIds: rows.flatMap(({ batch_ids }) => batch_ids),
    entryIds: rows.flatMap(({ entry_ids }) => entry_ids),
  };
}

const foundColumns = depositColumns.filter((column) => column !== 'since');

/**
 * Most are as they were: those are not written anew. What is there of these days and was not found goes: the rules may call
 * an acquirer otherwise now, or a shop may be another merchant's.
 */
async function writeDeposits(
  queries: Queries,
  { name }: Merchant,
  { from, until, rows }: FoundPiece,
  { batchIds }: SettledSince,
): Promise<void> {
  await queries.query(
    `WITH found AS MATERIALIZED (
       SELECT * FROM json_populate_recordset(NULL::deposits, $1::json) WHERE batch_id <> ALL ($2::uuid[])
     ), gone AS (
       DELETE FROM deposits
       WHERE merchant = $3 AND closed_at >= $4::timestamptz AND ($5::timestamptz IS NULL OR closed_at < $5)
         AND batch_id <> ALL ($2) AND (batch_id, acquirer) NOT IN (SELECT batch_id, acquirer FROM found)
     )
     INSERT INTO deposits (${depositColumns.join(', ')}) SELECT ${depositColumns.join(', ')} FROM found
     ON CONFLICT (batch_id, acquirer) DO UPDATE SET
       ${foundColumns.map((column) => `${column} = excluded.${column}`).join(', ')},
       since = CASE WHEN deposits.state = excluded.state THEN deposits.since ELSE excluded.since END
     WHERE (${foundColumns.map((column) => `deposits.${column}`).join(', ')})
       IS DISTINCT FROM (${foundColumns.map((column) => `excluded.${column}`).join(', ')})`,
    [rows, batchIds, name, from, until],
  );
}

async function writeEntries(
  queries: Queries,
  { name }: Merchant,
  { from, until, rows }: FoundPiece,
  { entryIds }: SettledSince,
): Promise<void> {
  await queries.query(
    `WITH found AS MATERIALIZED (
       SELECT * FROM json_populate_recordset(NULL::deposit_entries, $1::json) WHERE entry_id <> ALL ($2::text[])
     ), gone AS (
       DELETE FROM deposit_entries
       WHERE merchant = $3 AND booked_on >= $4::date AND ($5::date IS NULL OR booked_on < $5)
         AND entry_id <> ALL ($2) AND entry_id NOT IN (SELECT entry_id FROM found)
     )
     INSERT INTO deposit_entries SELECT * FROM found
     ON CONFLICT (merchant, entry_id) DO UPDATE SET unexplained = excluded.unexplained, settled_by = excluded.settled_by,
       settled_reason = excluded.settled_reason, settled_at = excluded.settled_at,
       since = CASE WHEN deposit_entries.unexplained = excluded.unexplained THEN deposit_entries.since ELSE excluded.since END`,
    [rows, entryIds, name, from, until],
  );
}
