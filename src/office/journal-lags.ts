/**
 * Journals that do not come in although their bridge is heard: each heartbeat says how far its journals are, and what the
 * office lacks then is noted until it has that.
 */
import type { Heartbeat } from '../contract/office.ts';
import type { Queries } from './database/database.ts';
import { storableJson } from './database/storable.ts';

/** A journal may be behind for some minutes: after a night without a network, or while the office was away. */
export const lagAfterMs = 10 * 60_000;

const ofJournal = (of: string) =>
  `chains.shop_id = ${of}.shop_id AND chains.terminal = ${of}.terminal AND chains.simulated = ${of}.simulated`;

/**
 * Up to which event the office has the journal of `of`, a row with bridge, shop, terminal and simulated; null: it has
 * nothing of it. Several tills of a shop may use the same name for their terminal, so what other bridges have sent does
 * not count.
 */
const headOf = (of: string) => `(
  SELECT head_seq FROM chains WHERE ${ofJournal(of)} AND chains.bridge_id = ${of}.bridge_id
  ORDER BY grown_at DESC LIMIT 1
)`;

/**
 * The same for a bridge that has joined anew, which sends nothing as long as its journal does not grow: the office has
 * that from the one whose key was revoked, up to the very event. Another journal grows past that number: what is noted of
 * it stays.
 */
const formerHeadOf = (of: string) => `(
  SELECT head_seq FROM chains JOIN bridges AS former USING (bridge_id)
  WHERE ${ofJournal(of)} AND former.revoked_at IS NOT NULL AND head_seq = ${of}.last_seq AND NOT EXISTS (
    SELECT FROM journal_lags AS noted
    WHERE noted.bridge_id = ${of}.bridge_id AND noted.terminal = ${of}.terminal AND noted.simulated = ${of}.simulated
  ) LIMIT 1
)`;

/**
 * Rows of `journal_lags` that still hold, with how far the office is now. That of a terminal which its bridge names no more
 * holds as well: its journal lies in the shop, unsent. It ends with the bridge's key.
 */
export const lagsQuery = `
  SELECT * FROM (
    SELECT bridge_id, shop_id, terminal, simulated, last_seq, since, coalesce(${headOf('lag')}, 0) AS head_seq
    FROM journal_lags AS lag JOIN bridges USING (bridge_id, shop_id) WHERE revoked_at IS NULL
  ) AS noted WHERE head_seq < last_seq`;

/** Of a bridge that has just been heard. */
export async function noteLags(
  queries: Queries,
  { bridgeId, shopId }: { bridgeId: string; shopId: string },
  terminals: Heartbeat['terminals'],
  at: string,
): Promise<void> {
  const said = terminals.flatMap(({ name, simulated, lastSeq }) =>
    lastSeq === undefined ? [] : [{ terminal: name, simulated, last_seq: lastSeq }],
  );
  // One that is there stays as long as the office lacks that very event, and the bridge has it, or does not say.
  await queries.query(
    `WITH said AS (
       SELECT $1::uuid AS bridge_id, $2::uuid AS shop_id, * FROM json_to_recordset($3::json)
         AS said (terminal text, simulated boolean, last_seq bigint)
     ), known AS (
       SELECT DISTINCT ON (terminal, simulated) said.*,
         coalesce(${headOf('said')}, ${formerHeadOf('said')}, 0) AS head_seq
       FROM said
     ), lagging AS (
       SELECT * FROM known WHERE head_seq < last_seq
     ), over AS (
       DELETE FROM journal_lags AS lag
       WHERE bridge_id = $1 AND (terminal, simulated) NOT IN (SELECT terminal, simulated FROM lagging)
         AND ((terminal, simulated) IN (SELECT terminal, simulated FROM known) OR ${headOf('lag')} >= last_seq)
     )
     INSERT INTO journal_lags (bridge_id, shop_id, terminal, simulated, last_seq, head_seq, since)
     SELECT bridge_id, shop_id, terminal, simulated, last_seq, head_seq, $4 FROM lagging
     ON CONFLICT (bridge_id, terminal, simulated) DO UPDATE SET
       last_seq = excluded.last_seq, head_seq = excluded.head_seq, since = excluded.since
     WHERE journal_lags.last_seq <= excluded.head_seq OR journal_lags.last_seq > excluded.last_seq`,
    [bridgeId, shopId, storableJson(said), at],
  );
}
