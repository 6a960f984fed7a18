/** What the office could not read, which days were taken out of it, and what is still known of those. */
export const operationsTables = `
-- What a bridge newer than the office has sent: where in each chain it began, so that a newer office reads it again from there.
CREATE TABLE unread (
  chain integer NOT NULL REFERENCES chains,
  -- 'event TYPE', 'field PATH', or 'unfit TYPE' where the kind is known and its content is not what it should be.
  what text NOT NULL,
  first_seq bigint NOT NULL,
  first_received_on date NOT NULL,
  -- The version of the office that could not read it.
  office_version text NOT NULL,
  found_at timestamptz NOT NULL,
  PRIMARY KEY (chain, what)
);
-- Each is told of once, however many shops send it.
CREATE TABLE unread_told (
  what text PRIMARY KEY,
  told_at timestamptz NOT NULL
);

-- Days whose partition was taken out. None of them gets a partition again, unless it is restored.
CREATE TABLE archived_days (
  -- 'events' or 'payments'.
  divided text NOT NULL,
  day date NOT NULL,
  -- 'filed', or 'deleted' where nothing of it is left.
  state text NOT NULL,
  rows bigint NOT NULL,
  -- Of the file as it was written; null where there is none.
  sha256 text,
  file text,
  archived_at timestamptz NOT NULL,
  PRIMARY KEY (divided, day)
);
-- The hashes of events that were taken out, 32 bytes each: what comes a second time is still compared with them.
CREATE TABLE archived_hashes (
  chain integer NOT NULL REFERENCES chains,
  first_seq bigint NOT NULL,
  last_seq bigint NOT NULL,
  received_on date NOT NULL,
  hashes bytea NOT NULL,
  PRIMARY KEY (chain, first_seq)
);
ALTER TABLE archived_hashes ALTER COLUMN hashes SET STORAGE EXTERNAL;
CREATE INDEX archived_hashes_by_day ON archived_hashes (received_on);
-- What was said of a payment after its day had been taken out; a restore applies it.
CREATE TABLE late_payment_changes (
  payment_id uuid NOT NULL,
  day date NOT NULL,
  chain integer NOT NULL REFERENCES chains,
  last_seq bigint NOT NULL,
  received_on date NOT NULL,
  change jsonb NOT NULL,
  PRIMARY KEY (payment_id, chain, last_seq)
);
CREATE INDEX late_payment_changes_by_day ON late_payment_changes (day);
`;
