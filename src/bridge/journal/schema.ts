/** The tables of a journal file, and how an older file becomes a newer one. */
import { DatabaseSync } from 'node:sqlite';

/** "Till" in ASCII: marks the file as ours in SQLite's header. */
const applicationId = 0x54696c6c;

/**
 * Entry n makes a file of version n (`user_version`) into one of version n + 1. Entries are never changed, only added.
 *
 * `events` is the truth; the other tables are projections of it. Large values are not copied into them: a row refers
 * to the event that holds them. The position of a payment or operation is the sequence number of its start, so a
 * payment is found by its transaction id through its sale. Each index is a page more to write before a payment may
 * start: there is none that no question needs.
 */
const migrations: readonly string[] = [
  `
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    type TEXT NOT NULL,
    operation_id TEXT,
    body TEXT NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;
  CREATE INDEX events_by_operation ON events (operation_id, seq) WHERE operation_id IS NOT NULL;
  CREATE TRIGGER events_are_not_changed BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'facts in the journal are never changed'); END;
  CREATE TRIGGER events_are_not_removed BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'facts in the journal are never removed'); END;

  CREATE TABLE payments (
    position INTEGER PRIMARY KEY,
    transaction_id TEXT NOT NULL,
    reference TEXT NOT NULL UNIQUE,
    condition_code TEXT NOT NULL,
    amount_minor INTEGER NOT NULL,
    currency TEXT NOT NULL,
    status TEXT NOT NULL,
    simulated INTEGER NOT NULL,
    terminal TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    completed_at TEXT,
    reason TEXT NOT NULL,
    ended_seq INTEGER,
    batch_number TEXT
  ) STRICT;
  CREATE INDEX payments_by_status ON payments (status, position);
  CREATE INDEX payments_unsettled ON payments (epoch, position) WHERE status = 'approved';

  CREATE TABLE operations (
    operation_id TEXT NOT NULL PRIMARY KEY,
    position INTEGER NOT NULL,
    kind TEXT NOT NULL,
    phase TEXT NOT NULL,
    outcome TEXT,
    payment_id TEXT,
    reference TEXT,
    result_seq INTEGER,
    reason TEXT NOT NULL,
    needs_person INTEGER NOT NULL,
    cancel_requested INTEGER NOT NULL,
    started_at TEXT NOT NULL,
    ended_at TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX operations_open ON operations (position) WHERE phase <> 'ended';
  CREATE INDEX operations_batches ON operations (position) WHERE kind = 'batch_close';

  CREATE TABLE state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    terminal TEXT,
    last_record TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    batch_epoch INTEGER NOT NULL,
    closed_batches INTEGER NOT NULL
  ) STRICT;
  INSERT INTO state VALUES (1, NULL,
    '{"kind":"unavailable","reason":"No terminal has been read yet."}', 0, 0, 0);
  `,
  // Between which positions the payments lie that began in an hour ("2026-01-31T23", UTC). The clock may be set back, so
  // hours overlap; a span of time becomes a span of positions that holds all of it, at the price of a few rows a day.
  `
  CREATE TABLE payment_hours (
    hour TEXT PRIMARY KEY,
    first_position INTEGER NOT NULL,
    last_position INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO payment_hours SELECT substr(created_at, 1, 13), position, position FROM payments
    WHERE true ORDER BY position
    ON CONFLICT (hour) DO UPDATE SET last_position = excluded.last_position;
  CREATE INDEX operations_voids ON operations (payment_id, position) WHERE kind = 'void';
  `,
  // What is known of each terminal that was ever here, and the discrepancies, with the payments that they are about. Of
  // an older journal only `terminal_ready` tells for certain that the terminal itself has shown a record.
  `
  CREATE TABLE terminals (
    terminal TEXT NOT NULL PRIMARY KEY,
    shows_records INTEGER NOT NULL,
    traits TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO terminals
    SELECT DISTINCT json_extract(body, '$.terminal.protocol') || ':' || json_extract(body, '$.terminal.terminalId'), 1, '[]'
    FROM events WHERE type = 'terminal_ready' AND json_extract(body, '$.lastRecord.kind') = 'record'
      AND json_extract(body, '$.terminal.terminalId') IS NOT NULL;
  CREATE TABLE discrepancies (
    position INTEGER PRIMARY KEY,
    discrepancy_id TEXT NOT NULL UNIQUE,
    acknowledged_seq INTEGER
  ) STRICT;
  CREATE INDEX discrepancies_open ON discrepancies (position) WHERE acknowledged_seq IS NULL;
  CREATE TABLE discrepancy_references (
    reference TEXT NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (reference, position)
  ) STRICT, WITHOUT ROWID;
  `,
];

export const schemaVersion = migrations.length;
/** The first version with `payment_hours`. */
export const hoursVersion = 2;
/** The first version with `terminals` and `discrepancies`. */
export const discrepanciesVersion = 3;

/** How long a write waits for another process that holds the file (a person with a database tool), in milliseconds. */
const busyTimeoutMs = 1_000;
/** The net under the checkpoints of `upkeep.ts`, for a shop that never rests: so large, a commit brings it in, in pages. */
const checkpointPages = 4_000;
/** The write-ahead file goes back to this size after a large transaction, in bytes. */
const walLimitBytes = 16 * 1024 * 1024;
/** Of the file, a bridge keeps so much in memory, in KiB: half of what SQLite would (ADR 57). */
const cacheKib = 1_000;

/** Opens a journal file for writing: every commit is on disk when it returns. */
export function openForWriting(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs });
  try {
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = FULL');
    // macOS keeps synced pages in the drive's cache unless it is told otherwise; elsewhere these do nothing.
    database.exec('PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON');
    database.exec(
      `PRAGMA journal_size_limit = ${walLimitBytes}; PRAGMA wal_autocheckpoint = ${checkpointPages}`,
    );
    database.exec('PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** For as long as a bridge runs; what works on the whole file at once may have more. */
export function keepLessInMemory(database: DatabaseSync): void {
  database.exec(`PRAGMA cache_size = -${cacheKib}`);
}

/** Opens a journal file without the right to change it; the writer is not disturbed. */
export function openForReading(file: string): DatabaseSync {
  return new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs });
}

export function fileVersion(database: DatabaseSync): number {
  return readPragma(database, 'user_version');
}

/** Brings the file to the version `target`, each step in a transaction of its own. */
export function migrate(database: DatabaseSync, target = schemaVersion): void {
  for (let version = fileVersion(database); version < target; version += 1) {
    database.exec(
      `BEGIN IMMEDIATE;
       ${migrations[version] ?? ''}
       PRAGMA application_id = ${applicationId};
       PRAGMA user_version = ${version + 1};
       COMMIT`,
    );
  }
}

/**
 * What is missing or altered of the schema of the file's own version, as a sentence; null when all is there. Additions
 * are not looked at.
 */
export function schemaProblem(database: DatabaseSync): string | null {
  if (readPragma(database, 'application_id') !== applicationId)
    return 'The file is not a journal of Tillbridge.';
  const present = schemaOf(database);
  // No journal has version 0: it gets its name when it is whole.
  for (const [name, sql] of expectedSchema(Math.max(fileVersion(database), 1))) {
    const found = present.get(name);
    if (found === undefined) return `The file has no "${name}".`;
    if (found !== sql) return `"${name}" in the file is not what it should be.`;
  }
  return null;
}

const expected = new Map<number, Map<string, string>>();

function expectedSchema(version: number): Map<string, string> {
  const known = expected.get(version);
  if (known !== undefined) return known;
  const database = new DatabaseSync(':memory:');
  migrate(database, version);
  const schema = schemaOf(database);
  database.close();
  expected.set(version, schema);
  return schema;
}

/** Definitions by name; SQLite's own indexes have none. */
function schemaOf(database: DatabaseSync): Map<string, string> {
  const rows = database.prepare('SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL').all();
  return new Map(rows.map((row) => [String(row['name']), String(row['sql'])]));
}

function readPragma(database: DatabaseSync, name: 'user_version' | 'application_id'): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
}
