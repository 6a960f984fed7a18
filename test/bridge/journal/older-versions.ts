/** Journal files as older versions made them. */
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** As it was; not to be changed with the source. */
const tables = `
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
`;

/** Puts a file of version 1 with the same rows in the place of the journal in `folder`, which must be closed. */
export function becomeVersion1(folder: string): void {
  const file = join(folder, 'journal.sqlite');
  const old = join(folder, 'old.sqlite');
  const database = new DatabaseSync(old);
  database.exec(`PRAGMA journal_mode = WAL; ${tables}`);
  database.exec(`ATTACH '${file}' AS newer; BEGIN`);
  for (const table of ['events', 'payments', 'operations', 'state'])
    database.exec(`INSERT INTO ${table} SELECT * FROM newer.${table}`);
  database.exec(`COMMIT; DETACH newer; PRAGMA application_id = 0x54696c6c; PRAGMA user_version = 1`);
  database.close();
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
  renameSync(old, file);
}

/** What the second version added; not to be changed with the source. */
const hours = `
  CREATE TABLE payment_hours (
    hour TEXT PRIMARY KEY,
    first_position INTEGER NOT NULL,
    last_position INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO payment_hours SELECT substr(created_at, 1, 13), position, position FROM payments
    WHERE true ORDER BY position
    ON CONFLICT (hour) DO UPDATE SET last_position = excluded.last_position;
  CREATE INDEX operations_voids ON operations (payment_id, position) WHERE kind = 'void';
`;

/** The same with the table of hours. */
export function becomeVersion2(folder: string): void {
  becomeVersion1(folder);
  const database = new DatabaseSync(join(folder, 'journal.sqlite'));
  database.exec(`BEGIN; ${hours} PRAGMA user_version = 2; COMMIT`);
  database.close();
}

/** What SQLite's header says. */
export function versionOf(folder: string): number {
  const database = new DatabaseSync(join(folder, 'journal.sqlite'), { readOnly: true });
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
  database.close();
  return version;
}
