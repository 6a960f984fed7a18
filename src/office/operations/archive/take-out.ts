/**
 * Takes old days out of the database, one after the other, each into a file of its own:
 *
 *     file written, synced, read again ──► in the manifest ──► in one transaction: the same rows still? ──► partition dropped
 *
 * Meanwhile all go on with the other days: the table as a whole is locked only at the end, for a moment.
 *
 * Whatever ends it before the last step has changed nothing in the database, and a repeat begins that day anew.
 */
import path from 'node:path';
import type { Clock } from '../../../base/clock.ts';
import { pause } from '../../../base/clock.ts';
import type { SignedIn } from '../../../contract/office-page.ts';
import { createAudit } from '../../audit.ts';
import { dayAfter, leastAgeDays, newestDayToLeave, type Day } from '../../database/days.ts';
import { DatabaseError, type Database, type Queries } from '../../database/database.ts';
import { migrations } from '../../database/migrations.ts';
import {
  daysOf,
  dividedTables,
  lockPartitions,
  partitionName,
  type DividedTable,
} from '../../database/partitions.ts';
import { addToManifest, ArchiveError, writeArchiveFile, type WrittenFile } from './archive-files.ts';
import type { CsvRow } from './csv.ts';
import { eventDaysThatStay, paymentStays } from './days-that-stay.ts';

interface TakenOut {
  table: DividedTable;
  day: Day;
  rows: number;
  /** Payments that stay in the database as well, because they are not done. */
  stayed: number;
  /** Null: nothing was written. */
  file: string | null;
}

export interface ArchiveResult {
  taken: TakenOut[];
  stayed: { table: DividedTable; day: Day; why: string }[];
}

export interface TakeOutParts {
  database: Database;
  clock: Clock;
  version: string;
  /** Whose word it is, for the audit log. */
  who: Omit<SignedIn, 'by'>;
}

/** A day has some millions of rows. */
const ofWholeDays = { mayTakeLong: true };
const rowsOfPage = 5_000;
/** A lock is waited for so long, in milliseconds: nobody who asks the office is held up for longer. */
const lockTimeoutMs = 3_000;
const attempts = 5;
const pauseMs = 2_000;
/**
 * Of PostgreSQL. The second: somebody who was about to write to the day waits for us, and we for them. Then they write, or
 * come again when the day is gone.
 */
const busyCodes = new Set(['55P03', '40P01']);
const undefinedTable = '42P01';

/**
 * `folder` null: the days are taken out without a file, for good. Rejects with ArchiveError and DatabaseError; what was done
 * until then is done.
 */
export async function takeOutDays(
  which: { before: Day; folder: string | null; tables?: readonly DividedTable[] },
  parts: TakeOutParts,
): Promise<ArchiveResult> {
  const { database, clock } = parts;
  const { before, folder, tables = dividedTables } = which;
  const newest = newestDayToLeave(clock.now());
  if (before > newest)
    throw new ArchiveError(
      `Days have to be at least ${leastAgeDays} days old, because bridges still send what belongs to them: name ${newest} or an earlier day.`,
    );
  const result: ArchiveResult = { taken: [], stayed: [] };
  const stay = await database.transaction((queries) => eventDaysThatStay(queries, before), ofWholeDays);
  for (const table of tables) {
    for (const day of await daysOf(database, table)) {
      if (day >= before) continue;
      const why = table === 'events' ? stay.get(day) : undefined;
      if (why === undefined) result.taken.push(await takeOutDay(table, day, folder, parts));
      else result.stayed.push({ table, day, why });
    }
  }
  return result;
}

async function takeOutDay(
  table: DividedTable,
  day: Day,
  folder: string | null,
  parts: TakeOutParts,
): Promise<TakenOut> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const filed = folder === null ? null : await fileDay(table, day, folder, parts);
      const left = await parts.database.transaction(
        (queries) => leave(queries, table, day, filed, parts),
        ofWholeDays,
      );
      if (left !== null) return { table, day, file: filed?.name ?? null, ...left };
      if (attempt === attempts)
        throw new ArchiveError(`The ${table} of ${day} are written to again and again.`);
    } catch (error) {
      const code = error instanceof DatabaseError ? (error.code ?? '') : '';
      if (code === undefinedTable)
        throw new ArchiveError(`Somebody else has taken out the ${table} of ${day} meanwhile.`);
      if (!busyCodes.has(code) || attempt === attempts) throw error;
      await pause(parts.clock, pauseMs);
    }
  }
}

interface Filed extends WrittenFile {
  name: string;
  digest: string;
}

async function fileDay(
  table: DividedTable,
  day: Day,
  folder: string,
  { database, clock, version }: TakeOutParts,
): Promise<Filed> {
  const name = `${table}-${day}.csv.gz`;
  const columns = await columnsOf(database, table);
  const filed = await database.transaction(async (queries) => {
    await queries.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    const digest = await digestOf(queries, table, day);
    const pages = pagesOf(queries, table, day, columns);
    return { name, digest, ...(await writeArchiveFile(path.join(folder, name), columns, pages)) };
  }, ofWholeDays);
  const { rows, bytes, sha256 } = filed;
  addToManifest(folder, {
    table,
    day,
    file: name,
    columns,
    rows,
    bytes,
    sha256,
    schemaVersion: migrations.length,
    writtenBy: version,
    writtenAt: new Date(clock.now()).toISOString(),
  });
  return filed;
}

/** Null: the rows are not those of the file any more. */
async function leave(
  queries: Queries,
  table: DividedTable,
  day: Day,
  filed: Filed | null,
  { clock, who }: TakeOutParts,
): Promise<{ rows: number; stayed: number } | null> {
  const partition = partitionName(table, day);
  await queries.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
  // Who reads the day goes on; who writes to it waits, and so does another one who takes it out.
  await queries.run(`LOCK TABLE ${partition} IN SHARE ROW EXCLUSIVE MODE`);
  if (filed !== null && (await digestOf(queries, table, day)) !== filed.digest) return null;
  // Of the partition alone: who has read of other days would hold up whoever makes a new one.
  if (table === 'events' && (await eventDaysThatStay(queries, dayAfter(day), partition)).has(day))
    return null;
  const [count] = await queries.query<{ rows: number }>(`SELECT count(*) AS rows FROM ${partition}`);
  const rows = count?.rows ?? 0;
  const staying = table === 'payments' ? await paymentsThatStay(queries, partition) : [];
  if (table === 'events') await keepHashes(queries, partition, day);
  else if (filed === null) await forgetPayments(queries, partition, staying);
  await lockPartitions(queries);
  // From here on all wait, so nothing follows that takes its time.
  await queries.run(`ALTER TABLE ${table} DETACH PARTITION ${partition}`);
  if (staying.length > 0)
    await queries.query(
      `INSERT INTO payments_other SELECT * FROM ${partition} WHERE day = $1 AND payment_id = ANY ($2::uuid[])`,
      [day, staying],
    );
  const at = new Date(clock.now()).toISOString();
  await queries.query(
    `INSERT INTO archived_days (divided, day, state, rows, sha256, file, archived_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [table, day, filed === null ? 'deleted' : 'filed', rows, filed?.sha256 ?? null, filed?.name ?? null, at],
  );
  await queries.run(`DROP TABLE ${partition}`);
  const about = { table, day, rows, stayed: staying.length, file: filed?.name ?? null };
  await createAudit(clock).note(
    queries,
    { ...who, by: 'command' },
    filed === null ? 'day_deleted' : 'day_archived',
    about,
  );
  return { rows, stayed: staying.length };
}

async function paymentsThatStay(queries: Queries, partition: string): Promise<string[]> {
  const rows = await queries.query<{ payment_id: string }>(
    `SELECT payment_id FROM ${partition} WHERE ${paymentStays}`,
  );
  return rows.map(({ payment_id }) => payment_id);
}

/** What finds them, of those that do not stay. */
async function forgetPayments(
  queries: Queries,
  partition: string,
  staying: readonly string[],
): Promise<void> {
  const goes = 'gone.payment_id <> ALL ($1::uuid[])';
  await queries.query(
    `DELETE FROM payment_keys USING ${partition} AS gone
     WHERE payment_keys.day = gone.day AND payment_keys.payment_id = gone.payment_id AND ${goes}`,
    [staying],
  );
  await queries.query(
    `DELETE FROM voids USING ${partition} AS gone WHERE voids.payment_id = gone.payment_id AND ${goes}`,
    [staying],
  );
}

/** In runs of a thousand, each without a gap. */
async function keepHashes(queries: Queries, partition: string, day: Day): Promise<void> {
  await queries.query(
    `INSERT INTO archived_hashes (chain, first_seq, last_seq, received_on, hashes)
     SELECT chain, min(seq), max(seq), $1, string_agg(hash, ''::bytea ORDER BY seq)
     FROM (SELECT chain, seq, hash, seq - row_number() OVER (PARTITION BY chain ORDER BY seq) AS run FROM ${partition}) AS numbered
     GROUP BY chain, run, seq / 1000`,
    [day],
  );
}

/** The same for the same rows, whatever their order. */
async function digestOf(queries: Queries, table: DividedTable, day: Day): Promise<string> {
  const [row] = await queries.query<{ digest: string }>(
    `SELECT count(*) || ' ' || coalesce(bit_xor(hashtextextended(one::text, 0)), 0) AS digest
     FROM ${partitionName(table, day)} AS one`,
  );
  return row?.digest ?? '';
}

async function columnsOf(queries: Queries, table: DividedTable): Promise<string[]> {
  const rows = await queries.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/** By which the rows of a day are told apart. */
const keys = {
  events: { columns: ['chain', 'seq'], types: ['integer', 'bigint'] },
  payments: { columns: ['payment_id'], types: ['uuid'] },
} as const;

async function* pagesOf(
  queries: Queries,
  table: DividedTable,
  day: Day,
  columns: readonly string[],
): AsyncGenerator<CsvRow[]> {
  const key = keys[table];
  const texts = columns.map((column) => `one.${column}::text AS ${column}`).join(', ');
  const order = key.columns.map((column) => `one.${column}`).join(', ');
  const places = key.types.map((type, index) => `$${index + 1}::${type}`).join(', ');
  let last: (string | null)[] | null = null;
  for (;;) {
    const rows: Record<string, string | null>[] = await queries.query(
      `SELECT ${texts} FROM ${partitionName(table, day)} AS one
       ${last === null ? '' : `WHERE (${order}) > (${places})`} ORDER BY ${order} LIMIT ${rowsOfPage}`,
      last ?? [],
    );
    const end = rows.at(-1);
    if (end === undefined) return;
    last = key.columns.map((column) => end[column] ?? null);
    yield rows.map((row) => columns.map((column) => row[column] ?? null));
  }
}
