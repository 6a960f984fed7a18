/**
 * The journals of the shops, and what they add up to.
 *
 * What grows with every payment is divided by days, so that a day can be taken out as a whole: `events` by the day on
 * which the office received them, so that a past day never changes again; `payments` by the day in their own id (UUID
 * version 7), so that an id is enough to find the one partition. `payment_keys` finds what people ask for without a day.
 * All other tables stay small: what is open, and one row for each batch, terminal or decision.
 */
export const journalTables = `
CREATE TABLE shops (
  shop_id uuid PRIMARY KEY,
  name text NOT NULL UNIQUE,
  created_at timestamptz NOT NULL
);
CREATE TABLE bridges (
  bridge_id uuid PRIMARY KEY,
  shop_id uuid NOT NULL REFERENCES shops,
  computer text NOT NULL,
  key_hash bytea NOT NULL UNIQUE,
  enrolled_at timestamptz NOT NULL,
  revoked_at timestamptz,
  version text NOT NULL,
  heard_at timestamptz,
  -- How far the bridge's clock is ahead of the office's, in milliseconds.
  clock_ahead_ms bigint,
  heartbeat jsonb
);
CREATE INDEX bridges_of_shop ON bridges (shop_id);
CREATE TABLE enrolment_codes (
  code_hash bytea PRIMARY KEY,
  shop_id uuid NOT NULL REFERENCES shops,
  made_by text NOT NULL,
  made_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_by uuid REFERENCES bridges
);

-- A journal is one chain of events, or several: it was restored from a copy, or two computers carry on the same one.
-- Each chain but the first branches off another one behind an event.
CREATE TABLE chains (
  chain integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  chain_id uuid NOT NULL UNIQUE,
  shop_id uuid NOT NULL REFERENCES shops,
  terminal text NOT NULL,
  simulated boolean NOT NULL,
  bridge_id uuid NOT NULL REFERENCES bridges,
  branch_of integer REFERENCES chains,
  branched_after bigint,
  head_seq bigint NOT NULL,
  head_hash bytea NOT NULL,
  grown_at timestamptz NOT NULL,
  CHECK ((branch_of IS NULL) = (branched_after IS NULL))
);
CREATE INDEX chains_of_journal ON chains (shop_id, terminal, simulated);

CREATE TABLE events (
  received_on date NOT NULL,
  chain integer NOT NULL,
  seq bigint NOT NULL,
  -- As the bridge has written them, because the hash is made of them.
  at text NOT NULL,
  body text NOT NULL,
  hash bytea NOT NULL,
  operation_id uuid,
  PRIMARY KEY (chain, seq, received_on)
) PARTITION BY RANGE (received_on);
CREATE INDEX events_of_operation ON events (operation_id, chain, seq) WHERE operation_id IS NOT NULL;
CREATE TABLE events_other PARTITION OF events DEFAULT;

CREATE TABLE payments (
  day date NOT NULL,
  payment_id uuid NOT NULL,
  chain integer NOT NULL,
  shop_id uuid NOT NULL,
  terminal text NOT NULL,
  simulated boolean NOT NULL,
  reference text NOT NULL,
  condition_code text NOT NULL,
  amount_minor bigint NOT NULL,
  currency text NOT NULL,
  status text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  completed_at timestamptz,
  protocol text NOT NULL,
  terminal_id text,
  -- What the terminal took, where it told that.
  taken_minor bigint,
  receipt_number text,
  trace_number text,
  approval_code text,
  card_digits text,
  card_scheme text,
  reason text NOT NULL,
  decided_by text,
  batch_id uuid,
  batch_number text,
  -- Of its first event and its newest one: their days of arrival bound where its events are.
  first_seq bigint NOT NULL,
  last_seq bigint NOT NULL,
  first_received_on date NOT NULL,
  last_received_on date NOT NULL,
  PRIMARY KEY (day, payment_id)
) PARTITION BY RANGE (day);
CREATE INDEX payments_of_shop ON payments (shop_id, created_at);
CREATE INDEX payments_by_amount ON payments (amount_minor, created_at);
CREATE INDEX payments_of_terminal ON payments (terminal_id, created_at) WHERE terminal_id IS NOT NULL;
CREATE TABLE payments_other PARTITION OF payments DEFAULT;

CREATE TABLE payment_keys (
  key bigint NOT NULL,
  day date NOT NULL,
  payment_id uuid NOT NULL,
  PRIMARY KEY (key, day, payment_id)
);

CREATE TABLE voids (
  payment_id uuid NOT NULL,
  operation_id uuid NOT NULL,
  PRIMARY KEY (payment_id, operation_id)
);

CREATE TABLE open_operations (
  chain integer NOT NULL REFERENCES chains,
  operation_id uuid NOT NULL,
  kind text NOT NULL,
  payment_id uuid,
  reference text,
  amount_minor bigint,
  currency text,
  started_at timestamptz NOT NULL,
  doubt_since timestamptz,
  needs_person boolean NOT NULL,
  reason text NOT NULL,
  PRIMARY KEY (chain, operation_id)
);
CREATE INDEX doubts ON open_operations (doubt_since) WHERE doubt_since IS NOT NULL;

CREATE TABLE batches (
  chain integer NOT NULL REFERENCES chains,
  batch_id uuid NOT NULL,
  protocol text NOT NULL,
  terminal_id text,
  currency text NOT NULL,
  started_at timestamptz NOT NULL,
  ended_at timestamptz,
  -- Null while it is open.
  outcome text,
  batch_number text,
  -- The terminal's own count and sum; null where it told none.
  count integer,
  total_minor bigint,
  expected_count integer NOT NULL,
  expected_minor bigint NOT NULL,
  reconciled boolean,
  settled_count integer NOT NULL,
  reason text,
  PRIMARY KEY (chain, batch_id)
);
CREATE INDEX batches_by_end ON batches (ended_at);

CREATE TABLE discrepancies (
  chain integer NOT NULL REFERENCES chains,
  discrepancy_id uuid NOT NULL,
  kind text NOT NULL,
  message text NOT NULL,
  operation_id uuid,
  refs text[] NOT NULL,
  amount_minor bigint,
  currency text,
  found_at timestamptz NOT NULL,
  acknowledged_at timestamptz,
  acknowledged_by text,
  acknowledged_reason text,
  PRIMARY KEY (chain, discrepancy_id)
);
CREATE INDEX discrepancies_open ON discrepancies (found_at) WHERE acknowledged_at IS NULL;

-- What people decided by hand at the tills.
CREATE TABLE decisions (
  chain integer NOT NULL REFERENCES chains,
  seq bigint NOT NULL,
  kind text NOT NULL,
  decided_at timestamptz NOT NULL,
  decided_by text NOT NULL,
  reason text NOT NULL,
  outcome text,
  operation_id uuid,
  payment_id uuid,
  PRIMARY KEY (chain, seq)
);
CREATE INDEX decisions_by_time ON decisions (decided_at);

-- The terminal as its chain last told of it.
CREATE TABLE terminals (
  chain integer PRIMARY KEY REFERENCES chains,
  protocol text NOT NULL,
  terminal_id text,
  traits text[] NOT NULL,
  ready_at timestamptz,
  lost_at timestamptz,
  bridge_version text
);
CREATE INDEX terminals_by_id ON terminals (terminal_id) WHERE terminal_id IS NOT NULL;

-- What is wrong with a journal itself: it does not fit its hashes, was put back, goes on in two places.
CREATE TABLE findings (
  finding_id uuid PRIMARY KEY,
  chain integer REFERENCES chains,
  bridge_id uuid NOT NULL REFERENCES bridges,
  terminal text NOT NULL,
  simulated boolean NOT NULL,
  kind text NOT NULL,
  -- What is told once: the event, or the place, that it is about.
  seq bigint NOT NULL,
  message text NOT NULL,
  found_at timestamptz NOT NULL,
  acknowledged_at timestamptz,
  acknowledged_by text,
  acknowledged_reason text,
  UNIQUE (bridge_id, terminal, simulated, kind, seq)
);
CREATE INDEX findings_open ON findings (found_at) WHERE acknowledged_at IS NULL;
`;
