/**
 * Reads days that were taken out again. A file is looked at as a whole before anything of it is put back, and each day comes
 * back in one transaction. What is there already stays as it is, so it may be repeated.
 */
import type { Clock } from '../../../base/clock.ts';
import type { SignedIn } from '../../../contract/office-page.ts';
import { createAudit } from '../../audit.ts';
import type { Day } from '../../database/days.ts';
import type { Database, Queries } from '../../database/database.ts';
import { storableJson } from '../../database/storable.ts';
import { migrations } from '../../database/migrations.ts';
import { lockPartitions, makePartition, type DividedTable } from '../../database/partitions.ts';
import { changePayments, type LateChange } from '../../ingest/payment-changes.ts';
import { ArchiveError, readArchiveFile, readManifest, type ArchiveEntry } from './archive-files.ts';
import type { CsvRow } from './csv.ts';

export interface RestoreResult {
  restored: { table: DividedTable; day: Day; rows: number }[];
  /** Those that are in the database, and were left as they are. */
  there: { table: DividedTable; day: Day }[];
}

interface TakenOutDay {
  state: string;
  sha256: string | null;
}

/** Rejects with ArchiveError before it changes anything, and with DatabaseError. */
export async function restoreDays(
  folder: string,
  parts: { database: Database; clock: Clock; who: Omit<SignedIn, 'by'> },
): Promise<RestoreResult> {
  const { database } = parts;
  const entries = readManifest(folder);
  if (entries.length === 0)
    throw new ArchiveError(
      `There is no manifest.json in ${folder}: name the folder that the archive was written to.`,
    );
  const result: RestoreResult = { restored: [], there: [] };
  const wanted: ArchiveEntry[] = [];
  for (const entry of entries) {
    const takenOut = await takenOutDay(database, entry);
    if (takenOut === null) {
      result.there.push({ table: entry.table, day: entry.day });
      continue;
    }
    demandFits(folder, entry, takenOut);
    await readArchiveFile(folder, entry, () => {});
    wanted.push(entry);
  }
  for (const entry of wanted) {
    const { table, day, rows } = entry;
    const done = await database.transaction((queries) => restoreDay(queries, folder, entry, parts), {
      mayTakeLong: true,
    });
    if (done) result.restored.push({ table, day, rows });
    else result.there.push({ table, day });
  }
  return result;
}

async function takenOutDay(queries: Queries, { table, day }: ArchiveEntry): Promise<TakenOutDay | null> {
  const [row = null] = await queries.query<TakenOutDay>(
    'SELECT state, sha256 FROM archived_days WHERE divided = $1 AND day = $2',
    [table, day],
  );
  return row;
}

function demandFits(
  folder: string,
  { table, day, file, sha256, schemaVersion }: ArchiveEntry,
  takenOut: TakenOutDay,
): void {
  if (schemaVersion > migrations.length)
    throw new ArchiveError(`${file} was written by a newer office. Update this one.`);
  if (takenOut.state === 'deleted')
    throw new ArchiveError(
      `The ${table} of ${day} were deleted because their time was over, and do not come back. Take ${file} out of ${folder} and its manifest.`,
    );
  if (takenOut.sha256 !== sha256)
    throw new ArchiveError(
      `${file} in ${folder} is not the file that this database has written for ${day}. Nothing of it was read.`,
    );
}

async function restoreDay(
  queries: Queries,
  folder: string,
  entry: ArchiveEntry,
  { clock, who }: { clock: Clock; who: Omit<SignedIn, 'by'> },
): Promise<boolean> {
  const { table, day, columns } = entry;
  await lockPartitions(queries);
  // Somebody else was quicker.
  if ((await takenOutDay(queries, entry)) === null) return false;
  await queries.query('DELETE FROM archived_days WHERE divided = $1 AND day = $2', [table, day]);
  await makePartition(queries, table, day, (name) =>
    // A payment that had stayed is newer in the database than in the file.
    readArchiveFile(folder, entry, async (rows) => {
      await queries.query(
        `INSERT INTO ${name} (${columns.join(', ')})
         SELECT ${columns.join(', ')} FROM json_populate_recordset(NULL::${table}, $1::json) ON CONFLICT DO NOTHING`,
        [storableJson(rows.map((row) => objectOf(columns, row)))],
      );
    }),
  );
  if (table === 'events') await queries.query('DELETE FROM archived_hashes WHERE received_on = $1', [day]);
  else await applyLateChanges(queries, day);
  const about = { table, day, rows: entry.rows, file: entry.file };
  await createAudit(clock).note(queries, { ...who, by: 'command' }, 'day_restored', about);
  return true;
}

function objectOf(columns: readonly string[], row: CsvRow): Record<string, string | null> {
  return Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null]));
}

/** What was said of the day's payments since, in its order. */
async function applyLateChanges(queries: Queries, day: Day): Promise<void> {
  const late = await queries.query<LateChange>(
    `SELECT change, chain, shop_id, received_on FROM late_payment_changes JOIN chains USING (chain)
     WHERE day = $1 ORDER BY received_on, chain, last_seq`,
    [day],
  );
  for (const { change, chain, shop_id: shopId, received_on: receivedOn } of late)
    await changePayments(queries, [change], { chain, shopId, receivedOn, again: false });
  await queries.query('DELETE FROM late_payment_changes WHERE day = $1', [day]);
}
