/**
 * PostgreSQL within this process, its files in a folder: for a trial, and for a small chain. It bears that the process ends
 * at any moment, and not that the machine does: its file system for Node has no fsync, whatever PostgreSQL's setting says.
 */
import { PGlite, type PGliteInterface, type Transaction as PGliteTransaction } from '@electric-sql/pglite';
import { copyStatement } from './copy-rows.ts';
import {
  databaseError,
  readers,
  typeNumbers,
  type Database,
  type Queries,
  type Transaction,
} from './database.ts';

/** `folder` null: in memory, gone with the process. Only one process at a time may use a folder. */
export async function openPglite(folder: string | null): Promise<Database> {
  const database = await PGlite.create({
    ...(folder === null ? {} : { dataDir: folder }),
    parsers: {
      [typeNumbers.bigint]: readers.bigint,
      [typeNumbers.date]: readers.date,
      [typeNumbers.timestamptz]: readers.timestamptz,
    },
  }).catch((error: unknown) => {
    throw databaseError(error);
  });
  await database.exec("SET TimeZone = 'UTC'");
  /** No other process has this database, and this one has one session of it: locks of a session would hold nobody off. */
  const held = new Set<number>();
  return {
    kind: 'pglite',
    ...queriesOf(database),
    transaction: (work) => database.transaction((transaction) => work(transactionOf(transaction))),
    async alone(lock, work) {
      if (held.has(lock)) return null;
      held.add(lock);
      try {
        return { value: await work() };
      } finally {
        held.delete(lock);
      }
    },
    listen: (channel, onNotice) => database.listen(channel, onNotice),
    close: () => database.close(),
  };
}

function transactionOf(of: PGliteTransaction): Transaction {
  return {
    ...queriesOf(of),
    async copy(table, columns, rows) {
      const { into, bytes, done } = copyStatement(table, columns, rows);
      try {
        // Which copies them.
        const blob = new Blob([new Uint8Array(bytes)]);
        done();
        await of.query(`${into} FROM '/dev/blob' (FORMAT binary)`, [], { blob });
      } catch (error) {
        throw databaseError(error);
      }
    },
  };
}

function queriesOf(of: PGliteInterface | PGliteTransaction): Queries {
  return {
    async query<T extends object>(sql: string, values: readonly unknown[] = []) {
      try {
        return (await of.query<T>(sql, [...values])).rows;
      } catch (error) {
        throw databaseError(error);
      }
    },
    async run(sql) {
      try {
        await of.exec(sql);
      } catch (error) {
        throw databaseError(error);
      }
    },
  };
}
