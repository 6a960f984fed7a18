/**
 * A partition for each day, made before the first row of that day comes (mostly by `days-ahead.ts`). A day that nobody can have meant (a bridge whose
 * clock is off by years) gets none: its rows lie in the partition of all other days, and move when their day has come. So do
 * those of a day that was taken out of the database.
 */
import { dayAfter, dayOf, type Day } from './days.ts';
import type { Database, Queries } from './database.ts';
import { locks } from './migrate.ts';

export const dividedTables = ['events', 'payments'] as const;
export type DividedTable = (typeof dividedTables)[number];

/** How far back and ahead of today a day gets a partition of its own. */
const daysBack = 400;
export const daysAhead = 2;

export interface Partitions {
  /** Makes what is missing for rows of these days. */
  prepare(table: DividedTable, days: Iterable<Day>): Promise<void>;
}

export function createPartitions(database: Database, clock: { now(): number }): Partitions {
  const known = new Set<string>();
  return {
    async prepare(table, days) {
      const today = dayOf(clock.now());
      const from = dayAfter(today, -daysBack);
      const to = dayAfter(today, daysAhead);
      for (const day of days) {
        const name = partitionName(table, day);
        if (known.has(name)) continue;
        if (day >= from && day <= to) await makeMissing(database, table, day);
        known.add(name);
      }
    },
  };
}

export function partitionName(table: DividedTable, day: Day): string {
  return `${table}_${day.replaceAll('-', '')}`;
}

const dayColumns = { events: 'received_on', payments: 'day' } as const;

/** `lockTimeoutMs`: rejects when a lock is not to be had for so long. Left out: it is waited for. */
export async function makeMissing(
  database: Database,
  table: DividedTable,
  day: Day,
  lockTimeoutMs?: number,
): Promise<void> {
  const name = partitionName(table, day);
  if (await exists(database, name)) return;
  await database.transaction(async (queries) => {
    if (lockTimeoutMs !== undefined) await queries.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
    await lockPartitions(queries);
    if ((await exists(queries, name)) || (await isTakenOut(queries, table, day))) return;
    await makePartition(queries, table, day);
  });
}

/** Nobody else makes a partition or takes one out until the transaction ends. */
export async function lockPartitions(queries: Queries): Promise<void> {
  await queries.query('SELECT pg_advisory_xact_lock($1)', [locks.partitions]);
}

/**
 * Within a transaction, for a day that has none. Made beside the table and attached then: that holds up no reader and no
 * writer of the other days. `fill` puts further rows into it before, by its name.
 */
export async function makePartition(
  queries: Queries,
  table: DividedTable,
  day: Day,
  fill: (name: string) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const name = partitionName(table, day);
  await queries.run(`
    CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL) ${storage[table]};
    WITH moved AS (DELETE FROM ${table}_other WHERE ${dayColumns[table]} = '${day}' RETURNING *)
      INSERT INTO ${name} SELECT * FROM moved;
  `);
  await fill(name);
  await queries.run(
    `ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${day}') TO ('${dayAfter(day)}')`,
  );
}

/** The days with a partition, the oldest first. */
export async function daysOf(queries: Queries, table: DividedTable): Promise<Day[]> {
  const rows = await queries.query<{ name: string }>(
    `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = $1::regclass ORDER BY relname`,
    [table],
  );
  return rows.flatMap(({ name }) => {
    const [, year, month, day] = /_(\d{4})(\d\d)(\d\d)$/.exec(name) ?? [];
    return day === undefined ? [] : [`${year}-${month}-${day}`];
  });
}

/**
 * Nearly every payment is changed once, when its batch is closed. With room for it in the same page no index has to be
 * told: the change takes half the work, and the day less room in the end.
 */
const storage = { events: '', payments: 'WITH (fillfactor = 50)' } as const;

/** By the catalog's rows and not by `to_regclass`, which may not yet know what another process has just made. */
async function exists(queries: Queries, name: string): Promise<boolean> {
  const rows = await queries.query(
    'SELECT FROM pg_class WHERE relname = $1 AND relnamespace = current_schema()::regnamespace',
    [name],
  );
  return rows.length > 0;
}

async function isTakenOut(queries: Queries, table: DividedTable, day: Day): Promise<boolean> {
  const rows = await queries.query('SELECT FROM archived_days WHERE divided = $1 AND day = $2', [table, day]);
  return rows.length > 0;
}
