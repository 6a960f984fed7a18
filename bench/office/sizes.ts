/** What the office's tables take, with their indexes, all days of a table together. */
import type { Database } from '../../src/office/database/database.ts';

export interface TableSize {
  name: string;
  /** In bytes, with what is kept beside the rows (TOAST, the maps). */
  table: number;
  indexes: number;
}

/** The largest first; the small ones together. */
export async function sizesOf(database: Database): Promise<TableSize[]> {
  const rows = await database.query<TableSize>(
    `SELECT CASE WHEN relname ~ '^(events|payments)_' THEN substring(relname from '^[a-z]+')
         WHEN relname = 'payment_keys' THEN relname ELSE 'all others' END AS name,
       sum(pg_table_size(oid))::bigint AS table, sum(pg_indexes_size(oid))::bigint AS indexes
     FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace GROUP BY name`,
  );
  return rows.toSorted((one, other) => other.table + other.indexes - one.table - one.indexes);
}
