/**
 * A finding is told once for each chain: a journal that is put back from the same copy again goes on from the same event,
 * and is a new chain all the same. Older processes name no columns in their ON CONFLICT, so they go on as they did.
 */
export const findingsOfChains = `
ALTER TABLE findings DROP CONSTRAINT findings_bridge_id_terminal_simulated_kind_seq_key;
CREATE UNIQUE INDEX findings_told_once ON findings (bridge_id, terminal, simulated, kind, seq, chain) NULLS NOT DISTINCT;
`;
