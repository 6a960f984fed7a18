/** Brings a database to the newest version: each step once and whole, whoever else tries the same at the same moment. */
import { DatabaseError, type Database, type Queries } from './database.ts';
import { migrations } from './migrations.ts';

/** Locks of the database that are not of a table; the numbers are ours alone. */
export const locks = {
  migration: 7_411_001,
  partitions: 7_411_002,
  statements: 7_411_003,
  deposits: 7_411_004,
  settling: 7_411_005,
} as const;

/** The database was made by a newer version of Tillbridge, whose tables this one does not know. */
export class DatabaseTooNewError extends Error {
  override name = 'DatabaseTooNewError';
}

/**
 * Applies what is missing of `steps`. Processes of an older version that run meanwhile go on: a step only adds. Rejects
 * with `DatabaseTooNewError`, and with `DatabaseError`.
 */
export async function migrate(database: Database, steps: readonly string[] = migrations): Promise<void> {
  // Within the usual time: a step waits for as long as it takes, also for a server that never answers.
  await database.query('SELECT 1');
  while (await whatGaveWayAgain(() => takeNextStep(database, steps)));
}

/** An index of a large table takes its time, and so does another process that is at it. */
function takeNextStep(database: Database, steps: readonly string[]): Promise<boolean> {
  return database.transaction((queries) => nextStep(queries, steps), { mayTakeLong: true });
}

/** An older office may write to the same tables in another order: then one of the two has to begin anew. */
async function whatGaveWayAgain<T>(take: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await take();
    } catch (error) {
      const gaveWay = error instanceof DatabaseError && error.code === deadlock;
      if (!gaveWay || attempt === maxAttempts) throw error;
    }
  }
}

/** False: there is none any more. */
async function nextStep(queries: Queries, steps: readonly string[]): Promise<boolean> {
  await queries.query('SELECT pg_advisory_xact_lock($1)', [locks.migration]);
  // Behind the lock: "if not exists" alone does not hold for two that begin at the same moment.
  await queries.run(
    `CREATE TABLE IF NOT EXISTS office_versions (
       version integer PRIMARY KEY,
       applied_at timestamptz NOT NULL DEFAULT now()
     )`,
  );
  const [row] = await queries.query<{ version: number }>(
    'SELECT coalesce(max(version), 0) AS version FROM office_versions',
  );
  const version = row?.version ?? 0;
  if (version > steps.length) {
    throw new DatabaseTooNewError(
      `The database has version ${version} and this office knows versions up to ${steps.length}. ` +
        'Update this office: newer ones use the same database.',
    );
  }
  const step = steps[version];
  if (step === undefined) return false;
  await queries.run(step);
  await queries.query('INSERT INTO office_versions (version) VALUES ($1)', [version + 1]);
  return true;
}

const deadlock = '40P01';
const maxAttempts = 5;
