/**
 * What is wrong with a journal itself, told once each and open until a named person has acknowledged it. What was seen to
 * and happens again is open again.
 */
import type { Journal } from './ingest/chains.ts';
import type { Queries } from './database/database.ts';
import { storableText } from './database/storable.ts';

export type FindingKind =
  /** An event does not fit its hash, or one is missing: what the bridge sent was changed after it was written. */
  | 'chain_broken'
  /** The journal ends before events that the office has of it: an older copy was put back. */
  | 'journal_behind'
  /** The journal goes on otherwise than the office has it. */
  | 'journal_branched'
  /** The journal goes on in two ways by turns: two computers work with copies of it, or one was put back once more. */
  | 'two_places'
  /** Operations are in doubt in a part of the journal that it does not have any more. */
  | 'operations_lost'
  /** One that nobody has acknowledged is in a part of the journal that it does not have any more. */
  | 'discrepancy_lost'
  /** Another bridge sends the journal from now on. */
  | 'other_bridge'
  /** Payments of the journal were already told of by another one. */
  | 'payments_elsewhere'
  /** Events that this office does not understand; they are kept. */
  | 'not_understood'
  /** Nothing is wrong with the journal: its bridge is newer than the office, and says what this one does not know. */
  | 'newer_bridge';

export interface Finding extends Journal {
  findingId: string;
  kind: FindingKind;
  bridgeId: string;
  chain: number | null;
  /** The event that it is about: the same of one chain is told once. */
  seq: number;
  message: string;
  at: string;
  /** It happens again: one that was found before this moment, and acknowledged, is open again. Left out: it stays as it is. */
  again?: string;
}

export async function tell(queries: Queries, finding: Finding): Promise<void> {
  const { findingId, chain, bridgeId, terminal, simulated, kind, seq, message, at, again } = finding;
  await queries.query(
    `INSERT INTO findings (
       finding_id, chain, bridge_id, terminal, simulated, kind, seq, message, found_at
     ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (bridge_id, terminal, simulated, kind, seq, chain) DO UPDATE SET
       message = excluded.message, found_at = excluded.found_at,
       acknowledged_at = NULL, acknowledged_by = NULL, acknowledged_reason = NULL
     WHERE findings.acknowledged_at IS NOT NULL AND findings.found_at < $10`,
    [findingId, chain, bridgeId, terminal, simulated, kind, seq, message, at, again ?? null],
  );
}

/** Null: there is no such finding, or somebody has acknowledged it before. Else the shop that it is of. */
export async function acknowledge(
  queries: Queries,
  findingId: string,
  { by, reason, at }: { by: string; reason: string; at: string },
): Promise<{ shopId: string; kind: string } | null> {
  const [row] = await queries.query<{ shop_id: string; kind: string }>(
    `UPDATE findings SET acknowledged_by = $2, acknowledged_reason = $3, acknowledged_at = $4
     FROM bridges
     WHERE finding_id = $1 AND acknowledged_at IS NULL AND bridges.bridge_id = findings.bridge_id
     RETURNING bridges.shop_id, findings.kind`,
    [findingId, storableText(by), storableText(reason), at],
  );
  return row === undefined ? null : { shopId: row.shop_id, kind: row.kind };
}
