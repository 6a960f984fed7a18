/** The office's database as a command opens it: PostgreSQL by its address, or PGlite in a folder, which one process has. */
import path from 'node:path';
import { acquireExclusiveLock } from '../bridge/locks/index.ts';
import type { LineLog } from '../log/index.ts';
import { createPostgres, DatabaseError, openPglite, type Database } from '../office/index.ts';
import type { CliContext } from './cli-context.ts';

/** PGlite itself would let a second process in, and both would spoil the files. */
export class DatabaseInUseError extends Error {
  override name = 'DatabaseInUseError';
}

const lockName = 'database.lock';

/** `url` undefined: PGlite, in the office's data folder. Rejects with DatabaseInUseError, DatabaseError. */
export async function openOfficeDatabase(
  url: string | undefined,
  dataDir: string,
  { clock, chance, log }: Pick<CliContext, 'clock' | 'chance'> & { log: LineLog },
): Promise<Database> {
  if (url !== undefined) {
    if (!/^(?:postgres(?:ql)?:\/\/|socket:|\/)/i.test(url))
      throw new DatabaseError(
        '--database must be an address such as postgres://user@host/database.',
        null,
        undefined,
      );
    return createPostgres(url, { clock, chance, log });
  }
  const lock = acquireExclusiveLock(path.join(dataDir, lockName));
  if (lock.kind === 'taken')
    throw new DatabaseInUseError(
      `Another process works with the database in ${dataDir}. Stop it first, such as the office itself, or use PostgreSQL (--database), which any number of processes share.`,
    );
  try {
    const database = await openPglite(path.join(dataDir, 'database'));
    return {
      ...database,
      async close() {
        await database.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
