/**
 * What of its chains a journal still has. Offices before this step leave the column as it is: the next events that a newer
 * one takes of the journal put it right.
 */
export const presentChains = `
-- Up to which event the journal, as it goes on now, has this chain: 0 is nothing of it. Null: it is the one that goes on.
ALTER TABLE chains ADD COLUMN in_journal_to bigint;
CREATE INDEX chains_left ON chains (chain, in_journal_to) WHERE in_journal_to IS NOT NULL;

WITH RECURSIVE rooted AS (
  SELECT chain, chain AS root, grown_at FROM chains WHERE branch_of IS NULL
  UNION ALL
  SELECT branch.chain, rooted.root, branch.grown_at FROM rooted JOIN chains AS branch ON branch.branch_of = rooted.chain
), heads AS (
  SELECT DISTINCT ON (root) chain FROM rooted ORDER BY root, grown_at DESC, chain DESC
), present AS (
  SELECT chain, NULL::bigint AS last FROM heads
  UNION ALL
  SELECT child.branch_of, least(present.last, child.branched_after)
  FROM present JOIN chains AS child USING (chain) WHERE child.branch_of IS NOT NULL
)
UPDATE chains SET in_journal_to = coalesce(present.last, 0)
FROM rooted LEFT JOIN present USING (chain)
WHERE chains.chain = rooted.chain AND chains.chain NOT IN (SELECT chain FROM heads);
`;
