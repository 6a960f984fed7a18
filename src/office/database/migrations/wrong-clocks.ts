/**
 * When a close arrived, where the time that the till has told of it cannot be true. Offices before this step leave it out.
 * Of what they have taken only a time that is still to come is seen to be wrong: old ones may have come by right.
 */
export const wrongClocks = `
-- Null: its own time counts.
ALTER TABLE batches ADD COLUMN arrived_at timestamptz;
CREATE INDEX batches_closed_by_time ON batches (chain, (coalesce(arrived_at, started_at))) WHERE outcome = 'closed';

UPDATE batches SET arrived_at = arrivals.received_on::timestamp AT TIME ZONE 'UTC'
FROM (
  SELECT chain, operation_id, min(received_on) AS received_on FROM events
  WHERE operation_id IN (SELECT batch_id FROM batches WHERE started_at > now() + interval '2 days')
  GROUP BY chain, operation_id
) AS arrivals
WHERE batches.chain = arrivals.chain AND batch_id = operation_id AND started_at > now() + interval '2 days';
`;
