/**
 * Where the money of the closed batches is: what reconciling needs of a batch, the bank's statements, what was found and
 * what people have decided. The first part fills what older processes have left out of journals that are there already.
 */
const readable = (body: string) =>
  // What JSON can say and PostgreSQL cannot keep: NUL and halves of characters.
  `regexp_replace(${body}, '\\\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '\\\\ufffd', 'g')::jsonb`;

export const depositTables = `
ALTER TABLE batches
  -- As the terminal told them of the close itself.
  ADD COLUMN told_terminal_id text,
  ADD COLUMN told_merchant_id text,
  ADD COLUMN told_number text,
  ADD COLUMN told_currency text,
  -- By scheme: [{"scheme", "count", "totalMinor"}].
  ADD COLUMN totals jsonb NOT NULL DEFAULT '[]';

WITH told AS (
  SELECT operation_id, received_on, seq, ${readable('body')} AS event
  FROM events WHERE operation_id IN (SELECT batch_id FROM batches)
), records AS (
  SELECT DISTINCT ON (operation_id) operation_id, event -> 'result' AS record
  FROM told WHERE event ->> 'type' IN ('result_received', 'operation_ended')
    AND jsonb_typeof(event -> 'result') = 'object'
  ORDER BY operation_id, received_on DESC, seq DESC
)
UPDATE batches SET told_terminal_id = record ->> 'terminalId', told_merchant_id = record ->> 'merchantId',
  told_number = record ->> 'batchNumber'
FROM records WHERE batch_id = operation_id;

WITH told AS (
  SELECT operation_id, received_on, seq, ${readable('body')} AS event
  FROM events WHERE operation_id IN (SELECT batch_id FROM batches)
), closes AS (
  SELECT DISTINCT ON (operation_id) operation_id, event -> 'batch' AS batch
  FROM told WHERE event ->> 'type' = 'operation_ended' AND jsonb_typeof(event -> 'batch') = 'object'
  ORDER BY operation_id, received_on DESC, seq DESC
)
UPDATE batches SET told_currency = batch ->> 'currency',
  totals = CASE WHEN jsonb_typeof(batch -> 'totals') = 'array' THEN batch -> 'totals' ELSE '[]' END
FROM closes WHERE batch_id = operation_id;

CREATE INDEX batches_closed ON batches (chain, started_at) WHERE outcome = 'closed';
CREATE INDEX batches_by_id ON batches (batch_id);

-- One row: the rules of the process that was started last with a file of them.
CREATE TABLE deposit_rules (
  the_one boolean PRIMARY KEY DEFAULT true CHECK (the_one),
  rules jsonb NOT NULL,
  digest text NOT NULL,
  set_at timestamptz NOT NULL
);

CREATE TABLE statement_files (
  file_id uuid PRIMARY KEY,
  hash bytea NOT NULL UNIQUE,
  name text NOT NULL,
  content bytea NOT NULL,
  handed_in_by text NOT NULL,
  handed_in_at timestamptz NOT NULL
);
CREATE TABLE statements (
  file_id uuid NOT NULL REFERENCES statement_files,
  -- Which of the file's statements.
  place integer NOT NULL,
  -- In capitals and without blanks.
  account text NOT NULL,
  currency text NOT NULL,
  -- By the bank's count, of any length.
  number text,
  -- The first and the last day that it has all entries of; the last one before the first: none.
  from_day date NOT NULL,
  until_day date NOT NULL,
  opening_minor bigint NOT NULL,
  closing_minor bigint NOT NULL,
  pending integer NOT NULL,
  entries jsonb NOT NULL,
  -- The file that has corrected it: it counts no more.
  replaced_by uuid REFERENCES statement_files,
  PRIMARY KEY (file_id, place)
);
CREATE INDEX statements_of_account ON statements (account, until_day) WHERE replaced_by IS NULL;

-- What one acquirer owes for one closed batch, as it was found last.
CREATE TABLE deposits (
  batch_id uuid NOT NULL,
  -- Empty where no rule says who pays.
  acquirer text NOT NULL,
  merchant text NOT NULL,
  shop_id uuid NOT NULL REFERENCES shops,
  terminal text NOT NULL,
  simulated boolean NOT NULL,
  batch_number text,
  closed_at timestamptz NOT NULL,
  closed_on date NOT NULL,
  account text,
  currency text NOT NULL,
  state text NOT NULL,
  needs_person boolean NOT NULL,
  reason text,
  gross_minor bigint,
  fee_minor bigint,
  expected_minor bigint,
  -- Null where nothing came, or where it came with others and cannot be divided.
  arrived_minor bigint,
  arrived_on date,
  due_by date,
  banking_days_late integer NOT NULL,
  evidence text,
  entry_ids text[] NOT NULL,
  possible_ids text[] NOT NULL,
  decided_by text,
  decided_reason text,
  decided_at timestamptz,
  -- Since when it has been in this state, as the office has found it.
  since timestamptz NOT NULL,
  PRIMARY KEY (batch_id, acquirer)
);
CREATE INDEX deposits_open ON deposits (since) WHERE needs_person;
CREATE INDEX deposits_of_merchant ON deposits (merchant, closed_at);
CREATE INDEX deposits_of_shop ON deposits (shop_id, closed_at);

-- Entries of accounts that results speak of: those that nothing explains, and those that may be a batch's money.
CREATE TABLE deposit_entries (
  merchant text NOT NULL,
  entry_id text NOT NULL,
  account text NOT NULL,
  booked_on date NOT NULL,
  currency text NOT NULL,
  amount_minor bigint NOT NULL,
  remark text NOT NULL,
  sender text NOT NULL,
  unexplained boolean NOT NULL,
  since timestamptz NOT NULL,
  PRIMARY KEY (merchant, entry_id)
);
CREATE INDEX deposit_entries_open ON deposit_entries (since) WHERE unexplained;

-- A person's word. 'match': these entries are these batches' money, or nothing more will come. 'nobody': these entries
-- are no batch's money.
CREATE TABLE deposit_decisions (
  decision bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  merchant text NOT NULL,
  kind text NOT NULL,
  batch_ids uuid[] NOT NULL,
  acquirer text,
  entry_ids text[] NOT NULL,
  decided_by text NOT NULL,
  reason text NOT NULL,
  decided_at timestamptz NOT NULL
);
CREATE INDEX deposit_decisions_of_merchant ON deposit_decisions (merchant);

CREATE TABLE deposit_looks (
  merchant text PRIMARY KEY,
  simulated boolean NOT NULL,
  -- What it was found from: while that is the same, so is what is found.
  made_from text NOT NULL,
  looked_at timestamptz NOT NULL,
  -- Why nothing could be found, as a sentence; null: it could.
  trouble text,
  -- [{"account", "currency", "from", "until"}]: which days are known; null where there is no statement.
  accounts jsonb NOT NULL
);
`;
