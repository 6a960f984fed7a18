import { openDiscrepanciesQuery } from './open-discrepancies.ts';

/**
 * When the office heard of what is open: a till's clock may be off, but what it says was said before it came here. Of what
 * is open already the journal's last growth counts, and of what offices before this step take, too.
 */
export const receivedAt = `
-- Null: it is not in doubt, or an older office took the event.
ALTER TABLE open_operations ADD COLUMN doubt_received_at timestamptz;
ALTER TABLE discrepancies ADD COLUMN received_at timestamptz;
UPDATE open_operations SET doubt_received_at = grown_at FROM chains
WHERE chains.chain = open_operations.chain AND doubt_since IS NOT NULL;
UPDATE discrepancies SET received_at = grown_at FROM chains
WHERE chains.chain = discrepancies.chain AND acknowledged_at IS NULL;

CREATE OR REPLACE VIEW open_discrepancies AS${openDiscrepanciesQuery};
`;
