/** Journals that do not come in, although their bridge is heard. */
export const journalLags = `
-- The bridge has said that it has the event last_seq, and the office did not have it then.
CREATE TABLE journal_lags (
  bridge_id uuid NOT NULL REFERENCES bridges,
  shop_id uuid NOT NULL REFERENCES shops,
  terminal text NOT NULL,
  simulated boolean NOT NULL,
  last_seq bigint NOT NULL,
  -- How far the office had the journal.
  head_seq bigint NOT NULL,
  since timestamptz NOT NULL,
  PRIMARY KEY (bridge_id, terminal, simulated)
);
`;
