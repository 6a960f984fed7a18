/**
 * Who has settled an entry, so that it can be taken back, and up to which day nothing is looked for any more. Decisions have
 * a third kind from now on, 'taken_back': what was said before of these batches, or of these entries, holds no more.
 */
export const settlementTables = `
-- Of an entry that is no batch's money by a person's word. Null: nobody has said so.
ALTER TABLE deposit_entries
  ADD COLUMN settled_by text,
  ADD COLUMN settled_reason text,
  ADD COLUMN settled_at timestamptz;

UPDATE deposit_entries SET settled_by = decided_by, settled_reason = reason, settled_at = decided_at
FROM deposit_decisions
WHERE deposit_decisions.merchant = deposit_entries.merchant AND kind = 'nobody' AND entry_id = ANY (entry_ids);

-- One row: what looks are made from was deleted before this day, because its time was over.
CREATE TABLE deposits_deleted (
  the_one boolean PRIMARY KEY DEFAULT true CHECK (the_one),
  before date NOT NULL
);
`;
