/** The operations that a chain has begun and not ended. */
import type { Queries } from '../database/database.ts';
import { pieceValues, type Piece } from './chains.ts';
import type { OpenOperation, PaymentChange } from './fact-rows.ts';
import { factsOf, type Facts } from './facts.ts';

export function operationsOpenNow(queries: Queries, chain: number): Promise<OpenOperation[]> {
  return queries.query<OpenOperation>(
    `SELECT operation_id, kind, payment_id, reference, amount_minor, currency, started_at, doubt_since, needs_person, reason
     FROM open_operations WHERE chain = $1`,
    [chain],
  );
}

/**
 * Those that were open behind the event `seq` of a history. Whatever the chain has said of an operation since, or is still
 * open in it, may have been open then; their events up to there tell.
 */
export async function operationsOpenAt(
  queries: Queries,
  pieces: readonly Piece[],
  seq: number,
): Promise<OpenOperation[]> {
  return (await openFactsAt(queries, pieces, seq)).opened;
}

/** The same, with what was known of their payments then. */
export async function openAt(
  queries: Queries,
  pieces: readonly Piece[],
  seq: number,
): Promise<{ operations: OpenOperation[]; payments: PaymentChange[] }> {
  const { opened, newPayments, paymentChanges } = await openFactsAt(queries, pieces, seq);
  const open = new Set(opened.map(({ payment_id }) => payment_id));
  const payments = [...newPayments, ...paymentChanges].filter(({ payment_id }) => open.has(payment_id));
  return { operations: opened, payments };
}

/** What is in doubt in the chain `left`, and these pieces of another one know nothing of: references, or else ids. */
export async function inDoubtOnlyIn(
  queries: Queries,
  left: number,
  pieces: readonly Piece[],
): Promise<string[]> {
  const rows = await queries.query<{ name: string }>(
    `SELECT coalesce(reference, operation_id::text) AS name FROM open_operations
     WHERE chain = $3 AND doubt_since IS NOT NULL AND NOT EXISTS (
       SELECT FROM unnest($1::integer[], $2::bigint[]) AS piece (chain, last) JOIN events USING (chain)
       WHERE events.operation_id = open_operations.operation_id AND events.seq <= piece.last
     )
     ORDER BY started_at, operation_id`,
    [...pieceValues(pieces), left],
  );
  return rows.map(({ name }) => name);
}

async function openFactsAt(queries: Queries, pieces: readonly Piece[], seq: number): Promise<Facts> {
  const rows = await queries.query<{ seq: number; at: string; body: string }>(
    `WITH piece AS (SELECT * FROM unnest($1::integer[], $2::bigint[]) AS piece (chain, last)),
       asked AS (
         SELECT operation_id FROM events JOIN piece USING (chain) WHERE seq > $3 AND operation_id IS NOT NULL
         UNION SELECT operation_id FROM open_operations JOIN piece USING (chain)
       )
     SELECT seq, at, body FROM events JOIN asked USING (operation_id) JOIN piece USING (chain)
     WHERE seq <= least(piece.last, $3) ORDER BY seq`,
    [...pieceValues(pieces), seq],
  );
  const events = rows.map(({ seq: number, at, body }) => ({
    seq: number,
    at,
    body,
    hash: '',
    event: JSON.parse(body) as Record<string, unknown>,
  }));
  return factsOf(events, []);
}
