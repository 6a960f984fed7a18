/**
 * A partition for each day, made before the first row of that day comes. A day that nobody can have meant (a bridge whose
 * clock is off by years) gets none: its rows lie in the partition of all other days, and move when their day has come.
 */
import { dayAfter, dayOf, type Day } from './days.ts';
import type { Database, Queries } from './database.ts';
import { locks } from './migrate.ts';

type DividedTable = 'events' | 'payments';

/** How far back and ahead of today a day gets a partition of its own. */
const daysBack = 400;
const daysAhead = 2;

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
        if (day >= from && day <= to) await makePartition(database, table, day);
        known.add(name);
      }
    },
  };
}

function partitionName(table: DividedTable, day: Day): string {
  return `${table}_${day.replaceAll('-', '')}`;
}

const dayColumns = { events: 'received_on', payments: 'day' } as const;

async function makePartition(database: Database, table: DividedTable, day: Day): Promise<void> {
  const name = partitionName(table, day);
  if (await exists(database, name)) return;
  await database.transaction(async (queries) => {
    await queries.query('SELECT pg_advisory_xact_lock($1)', [locks.partitions]);
    if (await exists(queries, name)) return;
    // Made beside the table and attached then: that holds up no reader and no writer of the other days.
    await queries.run(`
      CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL);
      WITH moved AS (DELETE FROM ${table}_other WHERE ${dayColumns[table]} = '${day}' RETURNING *)
        INSERT INTO ${name} SELECT * FROM moved;
      ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${day}') TO ('${dayAfter(day)}');
    `);
  });
}

/** By the catalog's rows and not by `to_regclass`, which may not yet know what another process has just made. */
async function exists(queries: Queries, name: string): Promise<boolean> {
  const rows = await queries.query(
    'SELECT FROM pg_class WHERE relname = $1 AND relnamespace = current_schema()::regnamespace',
    [name],
  );
  return rows.length > 0;
}
