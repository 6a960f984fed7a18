/** The chains that the office has of a journal: where they end, where one branches off another, which places they have. */
import type { ChainPlace, JournalName } from '../../contract/office.ts';
import type { Queries } from '../database/database.ts';

/** A journal as it is told apart: a shop has one for each terminal of each of its bridges. */
export interface Journal extends JournalName {
  shopId: string;
}

export interface Chain {
  chain: number;
  chain_id: string;
  bridge_id: string;
  branch_of: number | null;
  branched_after: number | null;
  head_seq: number;
  head_hash: string;
  grown_at: string;
  /** Up to which event the journal still has it: 0 is nothing of it. Null: it is the one that goes on. */
  in_journal_to: number | null;
}

const chainColumns = `chain, chain_id, bridge_id, branch_of, branched_after, head_seq, encode(head_hash, 'hex') AS head_hash,
  grown_at, in_journal_to`;
const ofJournal = 'shop_id = $1 AND terminal = $2 AND simulated = $3';

/**
 * Of a row of `chains`: the journal goes on with it. What any other one has left open is not open for the shop: the journal's
 * own way had it from there and has gone on with it, or does not have it any more.
 */
export const goesOn = 'chains.in_journal_to IS NULL';

/** All chains under this name in the shop, the one that grew last first. Several tills of a shop may use the same name. */
export function chainsOf(queries: Queries, { shopId, terminal, simulated }: Journal): Promise<Chain[]> {
  return queries.query<Chain>(
    `SELECT ${chainColumns} FROM chains WHERE ${ofJournal} ORDER BY grown_at DESC, chain DESC`,
    [shopId, terminal, simulated],
  );
}

/** One of them, which nobody else changes until the transaction ends; null: this journal has no such chain. */
export async function lockChain(
  queries: Queries,
  { shopId, terminal, simulated }: Journal,
  chainId: string,
): Promise<Chain | null> {
  const [chain = null] = await queries.query<Chain>(
    `SELECT ${chainColumns} FROM chains WHERE ${ofJournal} AND chain_id = $4 FOR UPDATE`,
    [shopId, terminal, simulated, chainId],
  );
  return chain;
}

/** Nobody else begins a chain of this journal until the transaction ends. */
export async function lockJournal(queries: Queries, { shopId, terminal, simulated }: Journal): Promise<void> {
  await queries.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `${shopId} ${terminal} ${simulated}`,
  ]);
}

export async function makeChain(
  queries: Queries,
  { shopId, terminal, simulated }: Journal,
  made: { chainId: string; bridgeId: string; branchOf: number | null; after: ChainPlace; at: string },
): Promise<Chain> {
  const { chainId, bridgeId, branchOf, after, at } = made;
  const [chain] = await queries.query<Chain>(
    `INSERT INTO chains (
       shop_id, terminal, simulated, chain_id, bridge_id, branch_of, branched_after, head_seq, head_hash, grown_at
     ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, decode($9, 'hex'), $10) RETURNING ${chainColumns}`,
    [
      shopId,
      terminal,
      simulated,
      chainId,
      bridgeId,
      branchOf,
      branchOf === null ? null : after.seq,
      after.seq,
      after.hash,
      at,
    ],
  );
  if (chain === undefined) throw new Error('A chain was not made.');
  return chain;
}

/** A part of a journal's history: the events of `chain` up to and with `last`. */
export interface Piece {
  chain: number;
  last: number;
}

/** Of which pieces the history of `chain` is made, the newest first. */
export function historyOf(chain: Chain, all: readonly Chain[]): Piece[] {
  const pieces: Piece[] = [];
  let last = chain.head_seq;
  let part: Chain | undefined = chain;
  while (part !== undefined) {
    const { chain: number, branch_of: parent, branched_after: branchedAfter }: Chain = part;
    pieces.push({ chain: number, last });
    // A branch of a branch may begin below the place where that one began.
    last = Math.min(last, branchedAfter ?? last);
    part = all.find((other) => other.chain === parent);
  }
  return pieces;
}

/** The last event that both have, with the chain that it lies in; null: they have none in common. */
export function forkOf(
  one: Chain,
  other: Chain,
  all: readonly Chain[],
): { chain: number; seq: number } | null {
  const pieces = historyOf(other, all);
  for (const { chain, last } of historyOf(one, all)) {
    const common = pieces.find((piece) => piece.chain === chain);
    if (common !== undefined) return { chain, seq: Math.min(last, common.last) };
  }
  return null;
}

/** The journal goes on otherwise than it did. */
export interface Turn {
  /** The chain with which it went on until now; null: it is the same, and others are put right. */
  left: Chain | null;
  /** Up to which event it has each of these chains from now on; null: it goes on with this one. */
  to: { chain: number; last: number | null }[];
}

/** The journal goes on with `head` from now on. Null: it did so before, as it does mostly. */
export function turnTo(head: Chain, all: readonly Chain[]): Turn | null {
  const present = new Map(historyOf(head, all).map(({ chain, last }) => [chain, last]));
  const toOf = ({ chain }: Chain) => (chain === head.chain ? null : (present.get(chain) ?? 0));
  const changed = familyOf(head, all).filter((chain) => chain.in_journal_to !== toOf(chain));
  if (changed.length === 0) return null;
  return {
    left: changed.find((chain) => chain.in_journal_to === null && chain.chain !== head.chain) ?? null,
    to: changed.map((chain) => ({ chain: chain.chain, last: toOf(chain) })),
  };
}

export async function carryOut(queries: Queries, { to }: Turn): Promise<void> {
  await queries.query(
    `UPDATE chains SET in_journal_to = said.last FROM unnest($1::integer[], $2::bigint[]) AS said (chain, last)
     WHERE chains.chain = said.chain`,
    [to.map(({ chain }) => chain), to.map(({ last }) => last)],
  );
}

/** Those that begin with the same events: tills that have only their name in common are journals of their own. */
function familyOf(chain: Chain, all: readonly Chain[]): Chain[] {
  const roots = new Map<number, number>();
  // A branch has a higher number than what it branches off.
  for (const one of all.toSorted((a, b) => a.chain - b.chain))
    roots.set(one.chain, one.branch_of === null ? one.chain : (roots.get(one.branch_of) ?? one.branch_of));
  return all.filter((other) => roots.get(other.chain) === roots.get(chain.chain));
}

/** Of an event whose day was taken out of the database. */
const archivedHash = `encode(substring(hashes FROM ((seq - first_seq) * 32 + 1)::integer FOR 32), 'hex') AS hash`;

/** Hashes of the events of this history from `from` to `to`, by their numbers. */
export async function hashesBetween(
  queries: Queries,
  pieces: readonly Piece[],
  from: number,
  to: number,
): Promise<Map<number, string>> {
  const rows = await queries.query<ChainPlace>(
    `SELECT seq, encode(hash, 'hex') AS hash
     FROM unnest($1::integer[], $2::bigint[]) AS piece (chain, last) JOIN events USING (chain)
     WHERE seq BETWEEN $3 AND least(piece.last, $4)
     UNION ALL
     SELECT seq, ${archivedHash} FROM unnest($1::integer[], $2::bigint[]) AS piece (chain, last)
       JOIN archived_hashes USING (chain),
       generate_series(greatest(first_seq, $3::bigint), least(last_seq, piece.last, $4::bigint)) AS seq`,
    [...pieceValues(pieces), from, to],
  );
  return new Map(rows.map(({ seq, hash }) => [seq, hash]));
}

/** For `unnest($1::integer[], $2::bigint[]) AS piece (chain, last)`. */
export function pieceValues(pieces: readonly Piece[]): [number[], number[]] {
  return [pieces.map(({ chain }) => chain), pieces.map(({ last }) => last)];
}

/** The newest of `points` that one of `chains` has, with that chain; null: none has any of them. */
export async function newestKnown(
  queries: Queries,
  chains: readonly Chain[],
  points: readonly ChainPlace[],
): Promise<{ chain: Chain; place: ChainPlace } | null> {
  // To ask for nothing would still lock the events of every day.
  if (chains.length === 0) return null;
  const rows = await queries.query<ChainPlace & { chain: number }>(
    `SELECT chain, seq, encode(hash, 'hex') AS hash FROM events
     WHERE chain = ANY ($1::integer[]) AND seq = ANY ($2::bigint[])
     UNION ALL
     SELECT chain, seq, ${archivedHash} FROM unnest($2::bigint[]) AS seq
       JOIN archived_hashes ON seq BETWEEN first_seq AND last_seq
     WHERE chain = ANY ($1::integer[])
     ORDER BY seq DESC`,
    [chains.map(({ chain }) => chain), points.map(({ seq }) => seq)],
  );
  const hashes = new Map(points.map(({ seq, hash }) => [seq, hash]));
  for (const { chain: number, seq, hash } of rows) {
    const chain = chains.find((one) => one.chain === number);
    if (hashes.get(seq) === hash && chain !== undefined) return { chain, place: { seq, hash } };
  }
  return null;
}
