/** A manager's word on money, by name and reason: it holds until it is taken back, by name and reason as well. */
import type { SettleDeposit, UnsettleDeposit } from '../../contract/office-deposits.ts';
import type { Queries } from '../database/database.ts';
import { storableText } from '../database/storable.ts';
import { locks } from '../database/migrate.ts';

export type Settling =
  | { ok: true; merchant: string; shops: string[] }
  | { ok: false; error: 'not_found' | 'invalid_request'; message: string };

/** It counts from now on in what is shown, and from the next look on in what is found. */
export async function settle(
  queries: Queries,
  asked: SettleDeposit,
  { by, at }: { by: string; at: string },
): Promise<Settling> {
  const word = await wordOf(queries, asked.reason, by, at);
  return 'entryId' in asked
    ? await settleEntry(queries, asked, word)
    : await settleBatches(queries, asked, word);
}

interface Word {
  by: string;
  reason: string;
  at: string;
}

/** From now on what was found is not written until the word is, so neither goes over the other. */
async function wordOf(queries: Queries, reason: string, by: string, at: string): Promise<Word> {
  await queries.query('SELECT pg_advisory_xact_lock($1)', [locks.settling]);
  return { by: storableText(by), reason: storableText(reason), at };
}

function notFound(message: string): Settling {
  return { ok: false, error: 'not_found', message };
}

const noEntry = 'There is no such entry among those that nobody can explain.';

async function settleBatches(
  queries: Queries,
  { batchIds, acquirer, entryIds }: Extract<SettleDeposit, { batchIds: string[] }>,
  { by, reason, at }: Word,
): Promise<Settling> {
  const ids = [...new Set(batchIds)];
  const rows = await queries.query<{ merchant: string; shop_id: string }>(
    `UPDATE deposits SET needs_person = false, decided_by = $3, decided_reason = $4, decided_at = $5
     WHERE batch_id = ANY ($1::uuid[]) AND acquirer = $2 RETURNING merchant, shop_id`,
    [ids, acquirer, by, reason, at],
  );
  const merchants = new Set(rows.map(({ merchant }) => merchant));
  const [merchant] = merchants;
  if (merchant === undefined || rows.length !== ids.length || merchants.size > 1)
    return notFound('There is no such batch among those whose money was looked for.');
  const known = await queries.query<{ entry_id: string }>(
    'SELECT entry_id FROM deposit_entries WHERE merchant = $1 AND entry_id = ANY ($2::text[])',
    [merchant, entryIds],
  );
  if (known.length !== new Set(entryIds).size) return notFound(noEntry);
  await keep(
    queries,
    { merchant, kind: 'match', batchIds: ids, acquirer, entryIds: [...new Set(entryIds)] },
    { by, reason, at },
  );
  await queries.query(
    'UPDATE deposit_entries SET unexplained = false WHERE merchant = $1 AND entry_id = ANY ($2::text[])',
    [merchant, entryIds],
  );
  return { ok: true, merchant, shops: [...new Set(rows.map(({ shop_id }) => shop_id))] };
}

async function settleEntry(
  queries: Queries,
  { merchant, entryId }: Extract<SettleDeposit, { entryId: string }>,
  word: Word,
): Promise<Settling> {
  const found = await queries.query(
    `UPDATE deposit_entries SET unexplained = false, settled_by = $3, settled_reason = $4, settled_at = $5
     WHERE merchant = $1 AND entry_id = $2 AND unexplained RETURNING entry_id`,
    [merchant, entryId, word.by, word.reason, word.at],
  );
  if (found.length === 0) return notFound(noEntry);
  await keep(queries, { merchant, kind: 'nobody', batchIds: [], acquirer: null, entryIds: [entryId] }, word);
  return { ok: true, merchant, shops: [] };
}

/**
 * It counts no more from now on, and with the next look the money is looked for as if nobody had said anything. What was said
 * stays in `deposit_decisions`, with who has taken it back behind it.
 */
export async function unsettle(
  queries: Queries,
  asked: UnsettleDeposit,
  { by, at }: { by: string; at: string },
): Promise<Settling> {
  const word = await wordOf(queries, asked.reason, by, at);
  return 'entryId' in asked
    ? await unsettleEntry(queries, asked, word)
    : await unsettleBatches(queries, asked, word);
}

async function unsettleBatches(
  queries: Queries,
  { batchId, acquirer }: Extract<UnsettleDeposit, { batchId: string }>,
  word: Word,
): Promise<Settling> {
  const said = await queries.query<{ decision: number; merchant: string; kind: string; batch_ids: string[] }>(
    `SELECT decision, merchant, kind, batch_ids FROM deposit_decisions
     WHERE kind IN ('match', 'taken_back') AND acquirer = $2 AND $1::uuid = ANY (batch_ids) ORDER BY decision`,
    [batchId, acquirer],
  );
  // Settled again and again, and together with others: none of it holds any more.
  const holding = said.slice(said.findLastIndex(({ kind }) => kind === 'taken_back') + 1);
  const [first] = holding;
  if (first === undefined) return notFound('Nobody has settled such a batch.');
  const { merchant } = first;
  const batchIds = [...new Set(holding.flatMap(({ batch_ids }) => batch_ids))];
  await keep(queries, { merchant, kind: 'taken_back', batchIds, acquirer, entryIds: [] }, word);
  // Until the next look says more, a person should look at it again.
  const rows = await queries.query<{ shop_id: string }>(
    `UPDATE deposits SET needs_person = state <> 'arrived', decided_by = NULL, decided_reason = NULL, decided_at = NULL
     WHERE batch_id = ANY ($1::uuid[]) AND acquirer = $2 RETURNING shop_id`,
    [batchIds, acquirer],
  );
  return { ok: true, merchant, shops: [...new Set(rows.map(({ shop_id }) => shop_id))] };
}

async function unsettleEntry(
  queries: Queries,
  { merchant, entryId }: Extract<UnsettleDeposit, { entryId: string }>,
  word: Word,
): Promise<Settling> {
  const [last] = await queries.query<{ kind: string }>(
    `SELECT kind FROM deposit_decisions
     WHERE merchant = $1 AND $2 = ANY (entry_ids) AND (kind = 'nobody' OR (kind = 'taken_back' AND acquirer IS NULL))
     ORDER BY decision DESC LIMIT 1`,
    [merchant, entryId],
  );
  if (last?.kind !== 'nobody') return notFound('Nobody has settled such an entry.');
  await keep(
    queries,
    { merchant, kind: 'taken_back', batchIds: [], acquirer: null, entryIds: [entryId] },
    word,
  );
  await queries.query(
    `UPDATE deposit_entries SET unexplained = true, settled_by = NULL, settled_reason = NULL, settled_at = NULL
     WHERE merchant = $1 AND entry_id = $2`,
    [merchant, entryId],
  );
  return { ok: true, merchant, shops: [] };
}

async function keep(
  queries: Queries,
  decision: {
    merchant: string;
    kind: 'match' | 'nobody' | 'taken_back';
    batchIds: string[];
    acquirer: string | null;
    entryIds: string[];
  },
  { by, reason, at }: Word,
): Promise<void> {
  const { merchant, kind, batchIds, acquirer, entryIds } = decision;
  await queries.query(
    `INSERT INTO deposit_decisions (merchant, kind, batch_ids, acquirer, entry_ids, decided_by, reason, decided_at)
     VALUES ($1, $2, $3::uuid[], $4, $5::text[], $6, $7, $8)`,
    [merchant, kind, batchIds, acquirer, entryIds, by, reason, at],
  );
}
