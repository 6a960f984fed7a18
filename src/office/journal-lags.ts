/**
 * Journals that do not come in although their bridge is heard: each heartbeat says how far its journals are, and what the
 * office lacks then is noted until it has that.
 */
import type { Heartbeat } from '../contract/office.ts';
import type { Queries } from './database/database.ts';
import { storableJson } from './database/storable.ts';

/** A journal may be behind for some minutes: after a night without a network, or while the office was away. */
export const lagAfterMs = 10 * 60_000;

/**
 * Up to which event the office has the journal of `of`, a row with bridge, shop, terminal and simulated. Several tills of a
 * shop may use the same name for their terminal, so those of other bridges do not count, unless the bridge has taken the
 * place of one whose key was revoked.
 */
const headOf = (of: string) => `coalesce((
  SELECT chains.head_seq FROM chains JOIN bridges AS sender USING (bridge_id)
  WHERE chains.shop_id = ${of}.shop_id AND chains.terminal = ${of}.terminal AND chains.simulated = ${of}.simulated
    AND (sender.bridge_id = ${of}.bridge_id OR sender.revoked_at IS NOT NULL)
  ORDER BY (sender.bridge_id = ${of}.bridge_id) DESC, chains.grown_at DESC LIMIT 1
), 0)`;

/** Rows of `journal_lags` that still hold, with how far the office is now. */
export const lagsQuery = `
  SELECT * FROM (
    SELECT bridge_id, shop_id, terminal, simulated, last_seq, since, ${headOf('lag')} AS head_seq
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
  // One that is there stays as long as the office lacks that very event, and the bridge has it.
  await queries.query(
    `WITH said AS (
       SELECT $1::uuid AS bridge_id, $2::uuid AS shop_id, * FROM json_to_recordset($3::json)
         AS said (terminal text, simulated boolean, last_seq bigint)
     ), known AS (
       SELECT DISTINCT ON (terminal, simulated) said.*, ${headOf('said')} AS head_seq FROM said
     ), lagging AS (
       SELECT * FROM known WHERE head_seq < last_seq
     ), over AS (
       DELETE FROM journal_lags
       WHERE bridge_id = $1 AND (terminal, simulated) NOT IN (SELECT terminal, simulated FROM lagging)
     )
     INSERT INTO journal_lags (bridge_id, shop_id, terminal, simulated, last_seq, head_seq, since)
     SELECT bridge_id, shop_id, terminal, simulated, last_seq, head_seq, $4 FROM lagging
     ON CONFLICT (bridge_id, terminal, simulated) DO UPDATE SET
       last_seq = excluded.last_seq, head_seq = excluded.head_seq, since = excluded.since
     WHERE journal_lags.last_seq <= excluded.head_seq OR journal_lags.last_seq > excluded.last_seq`,
    [bridgeId, shopId, storableJson(said), at],
  );
}
