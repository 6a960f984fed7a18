/**
 * Which discrepancies are open in the journal as it goes on now: one that only a lost part of it has is not, and one that
 * only a lost part has acknowledged is. Offices before this step leave the new columns empty, and what they have taken
 * counts as they have counted it.
 */
export const openDiscrepancies = `
-- The event that told of it, in its chain.
ALTER TABLE discrepancies ADD COLUMN seq bigint;
-- What was acknowledged: in each chain that has said so.
ALTER TABLE decisions ADD COLUMN discrepancy_id uuid;
CREATE INDEX decisions_of_discrepancy ON decisions (discrepancy_id) WHERE discrepancy_id IS NOT NULL;

CREATE VIEW open_discrepancies AS
  SELECT discrepancies.* FROM discrepancies JOIN chains USING (chain)
  WHERE acknowledged_at IS NULL AND (in_journal_to IS NULL OR seq IS NULL OR seq <= in_journal_to)
  UNION ALL
  SELECT discrepancies.*
  FROM (
      SELECT DISTINCT shop_id, terminal, simulated, discrepancy_id
      FROM chains JOIN decisions USING (chain)
      WHERE in_journal_to IS NOT NULL AND decisions.seq > in_journal_to AND discrepancy_id IS NOT NULL
    ) AS said_in_lost
    JOIN chains USING (shop_id, terminal, simulated) JOIN discrepancies USING (chain, discrepancy_id)
  WHERE acknowledged_at IS NOT NULL AND (in_journal_to IS NULL OR discrepancies.seq <= in_journal_to) AND NOT EXISTS (
    SELECT FROM decisions AS said JOIN chains AS present USING (chain)
    WHERE said.discrepancy_id = discrepancies.discrepancy_id AND present.shop_id = chains.shop_id
      AND present.terminal = chains.terminal AND present.simulated = chains.simulated
      AND (present.in_journal_to IS NULL OR said.seq <= present.in_journal_to)
  );
`;
