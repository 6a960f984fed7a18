/**
 * What this office could not read of a chain: kept with the chain, and told of once, however many shops send the same. A
 * newer office finds here what it has to read again (`read-again.ts`).
 */
import type { Day } from '../database/days.ts';
import type { Queries } from '../database/database.ts';
import type { EventReader } from './event-reader.ts';
import type { Facts } from './facts.ts';
import type { SentEvent } from './read-batch.ts';

export interface Unread {
  what: string;
  firstSeq: number;
}

/** A broken bridge may make up names without end. */
const maxOfRun = 50;
const maxOfChain = 500;

/** Of a run of events, each with the first that has it. */
export function unreadOf(events: readonly SentEvent[], facts: Facts, reader: EventReader): Unread[] {
  const first = new Map<string, number>();
  const note = (what: string, seq: number) => {
    if (!first.has(what) && first.size < maxOfRun) first.set(what, seq);
  };
  for (const { event, seq } of events) for (const what of reader.unknownIn(event)) note(what, seq);
  for (const { seq, type } of facts.notUnderstood) note(`unfit ${type.slice(0, 80)}`, seq);
  return [...first].map(([what, firstSeq]) => ({ what, firstSeq }));
}

/** Gives those that no journal had before, and somebody has to be told of. */
export async function keepUnread(
  queries: Queries,
  unread: readonly Unread[],
  of: { chain: number; receivedOn: Day; officeVersion: string; at: string },
): Promise<string[]> {
  if (unread.length === 0) return [];
  const whats = unread.map(({ what }) => what);
  await queries.query(
    `INSERT INTO unread (chain, what, first_seq, first_received_on, office_version, found_at)
     SELECT $1, what, first_seq, $4, $5, $6 FROM unnest($2::text[], $3::bigint[]) AS found (what, first_seq)
     WHERE (SELECT count(*) FROM unread WHERE chain = $1) < $7
     ON CONFLICT (chain, what) DO NOTHING`,
    [
      of.chain,
      whats,
      unread.map(({ firstSeq }) => firstSeq),
      of.receivedOn,
      of.officeVersion,
      of.at,
      maxOfChain,
    ],
  );
  const isNew = await queries.query<{ what: string }>(
    `INSERT INTO unread_told (what, told_at) SELECT what, $2 FROM unnest($1::text[]) AS what
     WHERE what NOT LIKE 'unfit %' ORDER BY what ON CONFLICT DO NOTHING RETURNING what`,
    [whats, of.at],
  );
  return isNew.map(({ what }) => what);
}
