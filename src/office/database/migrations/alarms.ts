/** What is wrong now, who was told of it, and what is still to be sent. */
export const alarmTables = `
-- One row: whoever holds its lock evaluates the rules, and nobody else meanwhile.
CREATE TABLE alarm_turn (
  the_one boolean PRIMARY KEY DEFAULT true CHECK (the_one),
  rules_digest text,
  -- When the process that has these rules was started: of several kinds of rules, those of the newest process count.
  rules_since timestamptz,
  evaluated_at timestamptz,
  -- Since when evaluations have followed on each other without a gap.
  watching_since timestamptz
);
INSERT INTO alarm_turn DEFAULT VALUES;

-- One row for a rule and what it is about; the same one again when that comes back soon after its end.
CREATE TABLE alarms (
  alarm_id uuid PRIMARY KEY,
  rule text NOT NULL,
  watch text NOT NULL,
  subject text NOT NULL,
  shop_id uuid NOT NULL REFERENCES shops,
  -- Null: it is about a whole bridge.
  terminal text,
  simulated boolean NOT NULL,
  message text NOT NULL,
  -- When what it is about began, and when the office saw it.
  since timestamptz NOT NULL,
  raised_at timestamptz NOT NULL,
  -- How often it has been raised.
  times integer NOT NULL DEFAULT 1,
  cleared_at timestamptz,
  -- 'over', or 'not_watched' where its rule is gone.
  ended text,
  CHECK ((cleared_at IS NULL) = (ended IS NULL))
);
CREATE UNIQUE INDEX alarms_standing ON alarms (rule, subject) WHERE cleared_at IS NULL;
CREATE INDEX alarms_by_end ON alarms (cleared_at) WHERE cleared_at IS NOT NULL;

CREATE TABLE alarm_messages (
  message_id uuid PRIMARY KEY,
  receiver text NOT NULL,
  made_at timestamptz NOT NULL,
  content jsonb NOT NULL,
  -- 'waiting', 'sent' or 'given_up'.
  state text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  -- Of those that wait: not to be sent before.
  next_at timestamptz NOT NULL,
  ended_at timestamptz,
  -- What came of the last attempt.
  answer text
);
CREATE INDEX alarm_messages_waiting ON alarm_messages (receiver, made_at) WHERE state = 'waiting';
CREATE INDEX alarm_messages_by_end ON alarm_messages (ended_at) WHERE state <> 'waiting';

-- What each receiver was told of an alarm last.
CREATE TABLE alarm_tellings (
  alarm_id uuid NOT NULL REFERENCES alarms ON DELETE CASCADE,
  receiver text NOT NULL,
  -- 'raised' or 'cleared'.
  state text NOT NULL,
  -- When it was told that the alarm stands.
  raised_told_at timestamptz NOT NULL,
  message_id uuid NOT NULL REFERENCES alarm_messages,
  PRIMARY KEY (alarm_id, receiver)
);
CREATE INDEX alarm_tellings_of_message ON alarm_tellings (message_id);
`;
