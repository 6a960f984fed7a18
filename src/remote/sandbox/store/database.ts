/** The sandbox's SQLite file: what was answered is in it, and survives the end of the process in any way. */
import { closeSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { openToAppend, preparePrivateFolder } from '../../../base/private-files.ts';

export interface Database {
  sql: DatabaseSync;
  /** All of `work` or nothing of it; on disk when this returns. Not to be nested. */
  transaction<T>(work: () => T): T;
  close(): void;
}

/** The file cannot be used; the message is a sentence for people. */
export class SandboxStoreError extends Error {}

const schemaVersion = 2;

const schema = `
  CREATE TABLE record (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    resource TEXT NOT NULL,
    id TEXT NOT NULL,
    create_time TEXT NOT NULL,
    update_time TEXT NOT NULL,
    revision INTEGER NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (resource, id)
  ) STRICT;
  CREATE INDEX record_by_resource ON record (resource, sequence);
  CREATE TABLE posting (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    entry_id TEXT NOT NULL,
    ledger_account TEXT NOT NULL,
    currency_code TEXT NOT NULL,
    amount TEXT NOT NULL,
    post_time TEXT NOT NULL
  ) STRICT;
  CREATE TABLE ledger_balance (
    ledger_account TEXT NOT NULL,
    currency_code TEXT NOT NULL,
    amount TEXT NOT NULL,
    PRIMARY KEY (ledger_account, currency_code)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE due (resource TEXT NOT NULL, id TEXT NOT NULL, due_ms INTEGER NOT NULL, PRIMARY KEY (resource, id)) STRICT;
  CREATE INDEX due_by_time ON due (due_ms);
  CREATE TABLE file_content (file_id TEXT PRIMARY KEY, content BLOB NOT NULL) STRICT;
  CREATE TABLE client (client_id TEXT PRIMARY KEY, secret_digest TEXT NOT NULL, scopes TEXT) STRICT;
  CREATE TABLE access_token (
    digest TEXT PRIMARY KEY, client_id TEXT NOT NULL, scopes TEXT NOT NULL, expire_ms INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE delivery (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    subscription_id TEXT NOT NULL,
    event TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    next_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX delivery_by_time ON delivery (next_ms);
`;

/** From each version to the next. */
const migrations = [
  `
  ALTER TABLE delivery ADD COLUMN state TEXT NOT NULL DEFAULT 'waiting';
  ALTER TABLE delivery ADD COLUMN failure TEXT;
  ALTER TABLE delivery ADD COLUMN create_ms INTEGER NOT NULL DEFAULT 0;
  DROP INDEX delivery_by_time;
  CREATE INDEX delivery_by_time ON delivery (state, next_ms);
  CREATE INDEX delivery_by_subscription ON delivery (subscription_id, state, sequence);
`,
];

/** What makes questions fast and changes no answer; a file that has not got it gets it when it is opened. */
const indexes = `
  CREATE INDEX IF NOT EXISTS record_by_status ON record (resource, json_extract(body, '$.status'), sequence);
`;

/** `dataDir` null: in memory, for tests of rules. Throws SandboxStoreError. */
export function openDatabase(dataDir: string | null): Database {
  const sql = open(dataDir);
  return {
    sql,
    transaction(work) {
      sql.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        sql.exec('COMMIT');
        return result;
      } catch (error) {
        // A full disk may have ended the transaction already.
        if (sql.isTransaction) sql.exec('ROLLBACK');
        throw error;
      }
    },
    close: () => sql.close(),
  };
}

/** An import would fail on Node 20, and with it whatever imports the sandbox without making one. */
function loadSqlite(): typeof import('node:sqlite') {
  const module = process.getBuiltinModule('node:sqlite') as typeof import('node:sqlite') | undefined;
  if (module !== undefined) return module;
  throw new SandboxStoreError(`The sandbox needs Node 22.13 or newer; this is ${process.version}.`);
}

function open(dataDir: string | null): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  if (dataDir === null) return prepared(new DatabaseSync(':memory:'));
  const file = path.join(dataDir, 'sandbox.sqlite');
  let sql: DatabaseSync | null = null;
  try {
    preparePrivateFolder(dataDir, /^sandbox\.sqlite/);
    // Before SQLite makes it by the umask.
    closeSync(openToAppend(file));
    sql = new DatabaseSync(file);
    return prepared(sql);
  } catch (error) {
    sql?.close();
    if (!(error instanceof Error)) throw error;
    const why = /locked/.test(error.message) ? 'another sandbox uses it' : error.message;
    throw new SandboxStoreError(`${file}: ${why}`, { cause: error });
  }
}

function prepared(sql: DatabaseSync): DatabaseSync {
  // Before WAL: then the lock is held until this process ends, so that two sandboxes never share a file.
  sql.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  const version = Number(sql.prepare('PRAGMA user_version').get()?.['user_version']);
  if (version > schemaVersion) throw new Error('it was written by a newer version of this program');
  // Before anything is written, so that who can repair it still has it; else the damage would show only when somebody
  // asks for what it hit.
  const [finding] = Object.values(sql.prepare('PRAGMA quick_check(1)').get() ?? {});
  if (finding !== 'ok') throw new Error(`it is damaged (${String(finding)})`);
  sql.exec('BEGIN IMMEDIATE');
  if (version === 0) sql.exec(schema);
  for (const migration of migrations.slice(Math.max(0, version - 1))) sql.exec(migration);
  sql.exec(indexes);
  if (version < schemaVersion) sql.exec(`PRAGMA user_version = ${schemaVersion}`);
  sql.exec('COMMIT');
  return sql;
}
