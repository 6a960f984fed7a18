/** PostgreSQL within this process, its files in a folder: for a trial, and for a chain that fits on one computer. */
import { PGlite, type PGliteInterface, type Transaction } from '@electric-sql/pglite';
import { databaseError, readers, typeNumbers, type Database, type Queries } from './database.ts';

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
  return {
    kind: 'pglite',
    ...queriesOf(database),
    transaction: (work) => database.transaction((transaction) => work(queriesOf(transaction))),
    listen: (channel, onNotice) => database.listen(channel, onNotice),
    close: () => database.close(),
  };
}

function queriesOf(of: PGliteInterface | Transaction): Queries {
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
