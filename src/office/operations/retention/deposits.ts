/**
 * Deletes what the money of closed batches was found from, and what was found. Nothing goes that a look to come may need:
 * whose money is missing would be found wrongly then, and a credit whose batch is gone would be nobody's.
 */
import type { Queries } from '../../database/database.ts';
import type { Day } from '../../database/days.ts';

const isOpen = `needs_person OR state = 'waiting'`;

/** Of `deposits`; $1 is the day. */
export const depositIsOver = `closed_at < $1::date AND NOT (${isOpen})`;

/** Of `batches`: whoever has to look at its money, or waits for it, needs the batch. */
export const batchIsOver = `ended_at < $1::date AND NOT EXISTS (
  SELECT FROM deposits WHERE deposits.batch_id = batches.batch_id AND (${isOpen})
)`;

/** Of `deposit_entries`: what nobody can explain waits for a person, and so does a batch that one may be the money of. */
export const entryIsOver = `booked_on < $1::date AND NOT unexplained AND NOT EXISTS (
  SELECT FROM deposits
  WHERE deposits.merchant = deposit_entries.merchant AND (${isOpen}) AND entry_id = ANY (entry_ids || possible_ids)
)`;

/** Of `statement_files`: a file is kept or deleted as a whole. */
export const fileIsOver = `NOT EXISTS (
  SELECT FROM statements
  WHERE statements.file_id = statement_files.file_id AND greatest(from_day, until_day) >= $1::date
)`;

/** Gives how many files went. */
export async function deleteStatements(queries: Queries, before: Day): Promise<number> {
  const [row] = await queries.query<{ rows: number }>(
    `WITH old_files AS MATERIALIZED (
       SELECT file_id FROM statement_files WHERE ${fileIsOver}
     ), corrected AS (
       -- What has corrected it is gone, and it still counts no more.
       UPDATE statements SET replaced_by = file_id
       WHERE replaced_by IN (SELECT file_id FROM old_files) AND file_id NOT IN (SELECT file_id FROM old_files)
     ), told AS (
       DELETE FROM statements WHERE file_id IN (SELECT file_id FROM old_files)
     ), gone AS (
       DELETE FROM statement_files WHERE file_id IN (SELECT file_id FROM old_files) RETURNING 1
     ) SELECT count(*) AS rows FROM gone`,
    [before],
  );
  return row?.rows ?? 0;
}

/** Of the time before nothing is looked for any more, also when somebody hands in a statement of it. Without rules nothing is. */
export async function noteDeleted(queries: Queries, before: Day): Promise<void> {
  await queries.query(
    `INSERT INTO deposits_deleted (before) SELECT $1::date WHERE EXISTS (SELECT FROM deposit_rules)
     ON CONFLICT (the_one) DO UPDATE SET before = greatest(deposits_deleted.before, excluded.before)`,
    [before],
  );
}
