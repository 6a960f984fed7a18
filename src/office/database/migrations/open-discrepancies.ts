/** Of what was acknowledged before there was the column: the newest of each. */
export const acknowledgedBefore = `
UPDATE decisions SET discrepancy_id = discrepancies.discrepancy_id FROM discrepancies
WHERE decisions.kind = 'discrepancy' AND decisions.chain = discrepancies.chain AND decided_at = acknowledged_at
  AND decided_by = acknowledged_by AND decisions.reason = acknowledged_reason;`;

/** With each column that `discrepancies` has then. */
export const openDiscrepanciesQuery = `
  SELECT discrepancies.* FROM discrepancies JOIN chains USING (chain)
  WHERE acknowledged_at IS NULL AND (in_journal_to IS NULL OR seq IS NULL OR seq <= in_journal_to)
  UNION ALL
  SELECT discrepancies.*
  FROM (
      SELECT DISTINCT shop_id, terminal, simulated, discrepancy_id
      FROM chains, LATERAL (
        -- Few journals were ever put back: each is looked up by itself, whatever the planner believes.
        SELECT discrepancy_id FROM decisions
        WHERE decisions.chain = chains.chain AND decisions.seq > in_journal_to AND discrepancy_id IS NOT NULL OFFSET 0
      ) AS said
      WHERE in_journal_to IS NOT NULL
    ) AS said_in_lost
    JOIN chains USING (shop_id, terminal, simulated) JOIN discrepancies USING (chain, discrepancy_id)
  WHERE acknowledged_at IS NOT NULL AND (in_journal_to IS NULL OR discrepancies.seq <= in_journal_to) AND NOT EXISTS (
    SELECT FROM decisions AS said JOIN chains AS present USING (chain)
    WHERE said.discrepancy_id = discrepancies.discrepancy_id AND present.shop_id = chains.shop_id
      AND present.terminal = chains.terminal AND present.simulated = chains.simulated
      AND (present.in_journal_to IS NULL OR said.seq <= present.in_journal_to)
  )`;

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
${acknowledgedBefore}
CREATE INDEX decisions_of_discrepancy ON decisions (discrepancy_id) WHERE discrepancy_id IS NOT NULL;
CREATE INDEX decisions_of_discrepancies ON decisions (chain, seq) INCLUDE (discrepancy_id)
  WHERE discrepancy_id IS NOT NULL;

CREATE VIEW open_discrepancies AS${openDiscrepanciesQuery};
`;
