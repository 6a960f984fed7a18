/**
 * Deletes what is older than the office is told to keep it. What waits for a person stays whatever its age: open operations
 * with their events, payments that are not done, batches whose money is missing, and what nobody has acknowledged.
 */
import { createAudit } from '../../audit.ts';
import { dayAfter, dayOf, type Day } from '../../database/days.ts';
import type { Database, Queries } from '../../database/database.ts';
import { lookedBackTo } from '../../deposits/span.ts';
import { daysOf, partitionName, type DividedTable } from '../../database/partitions.ts';
import { eventDaysThatStay, paymentStays } from '../archive/days-that-stay.ts';
import { takeOutDays, type TakeOutParts } from '../archive/take-out.ts';
import {
  batchIsOver,
  deleteStatements,
  depositIsOver,
  entryIsOver,
  fileIsOver,
  noteDeleted,
} from './deposits.ts';
import type { RetentionSettings } from './settings.ts';

interface RetentionItem {
  what: string;
  /** Of what is older than this day. */
  before: Day;
  rows: number;
}

export interface RetentionResult {
  /** What goes, or has gone. */
  items: RetentionItem[];
  /** Days whose time is over and that stay, with why. */
  stayed: { day: Day; why: string }[];
  /** Files of an archive whose time is over as well: they are not the office's to delete. */
  files: string[];
}

/** Shows what would go, and changes nothing. */
export async function showRetention(
  settings: RetentionSettings,
  { database, clock }: Pick<TakeOutParts, 'database' | 'clock'>,
): Promise<RetentionResult> {
  const cut = await cutsOf(database, settings, clock.now());
  const items: RetentionItem[] = [];
  const stay = await eventDaysThatStay(database, cut.events ?? '0001-01-01');
  for (const table of ['events', 'payments'] as const) {
    const before = cut[table];
    if (before === null) continue;
    let rows = 0;
    for (const day of await daysOf(database, table))
      if (day < before && !(table === 'events' && stay.has(day))) rows += await countOf(database, table, day);
    items.push({ what: table, before, rows });
  }
  if (cut.payments !== null) {
    const [row] = await database.query<{ rows: number }>(
      `SELECT count(*) AS rows FROM payments_other WHERE ${leftOver}`,
      [cut.payments],
    );
    items.push({ what: leftOverName, before: cut.payments, rows: row?.rows ?? 0 });
  }
  for (const { what, kept, table, where } of [statementFiles, ...plainDeletions]) {
    const before = cut[kept];
    if (before === null) continue;
    const [row] = await database.query<{ rows: number }>(
      `SELECT count(*) AS rows FROM ${table} WHERE ${where}`,
      [before],
    );
    items.push({ what, before, rows: row?.rows ?? 0 });
  }
  const stayed = [...stay].map(([day, why]) => ({ day, why }));
  return { items, stayed, files: await filesOver(database, cut) };
}

/** Deletes it, with an entry in the audit log for each day and for all the rest. */
export async function applyRetention(
  settings: RetentionSettings,
  parts: TakeOutParts,
): Promise<RetentionResult> {
  const { database, clock, who } = parts;
  const cut = await cutsOf(database, settings, clock.now());
  const items: RetentionItem[] = [];
  const stayed: RetentionResult['stayed'] = [];
  for (const table of ['events', 'payments'] as const) {
    const before = cut[table];
    if (before === null) continue;
    const done = await takeOutDays({ before, folder: null, tables: [table] }, parts);
    stayed.push(...done.stayed);
    const rows = done.taken.reduce((sum, day) => sum + day.rows - day.stayed, 0);
    items.push({ what: table, before, rows });
  }
  const files = await database.transaction(
    async (queries) => {
      if (cut.payments !== null)
        items.push({
          what: leftOverName,
          before: cut.payments,
          rows: await deleteLeftOver(queries, cut.payments),
        });
      if (cut.statements !== null)
        items.push({
          what: statementFiles.what,
          before: cut.statements,
          rows: await deleteStatements(queries, cut.statements),
        });
      for (const { what, kept, table, where, instead } of plainDeletions) {
        const before = cut[kept];
        if (before === null) continue;
        const [row] = await queries.query<{ rows: number }>(
          `WITH gone AS (${instead ?? `DELETE FROM ${table}`} WHERE ${where} RETURNING 1)
         SELECT count(*) AS rows FROM gone`,
          [before],
        );
        items.push({ what, before, rows: row?.rows ?? 0 });
      }
      for (const before of [cut.statements, cut.batches])
        if (before !== null) await noteDeleted(queries, before);
      const over = await filesOver(queries, cut);
      await forgetFiled(queries, cut);
      await createAudit(clock).note(queries, { ...who, by: 'command' }, 'data_deleted', { settings, items });
      return over;
    },
    { mayTakeLong: true },
  );
  return { items, stayed, files };
}

const leftOverName = 'payments beside their day';
/** Payments that stayed when their day went, and are done now; and those of a clock that was off by years. $1 is the day. */
const leftOver = `day < $1::date AND last_received_on < $1::date AND NOT ${paymentStays}`;

async function deleteLeftOver(queries: Queries, before: Day): Promise<number> {
  const [row] = await queries.query<{ rows: number }>(
    `WITH gone AS (
       DELETE FROM payments_other WHERE ${leftOver} RETURNING day, payment_id
     ), keys AS (
       DELETE FROM payment_keys USING gone
       WHERE payment_keys.day = gone.day AND payment_keys.payment_id = gone.payment_id
     ), reversals AS (
       DELETE FROM voids USING gone WHERE voids.payment_id = gone.payment_id
     ) SELECT count(*) AS rows FROM gone`,
    [before],
  );
  return row?.rows ?? 0;
}

/** `batches`: with the payments, unless looks for their money still need them. */
type Cuts = Record<keyof RetentionSettings | 'batches', Day | null>;

async function cutsOf(
  queries: Queries,
  { events, payments, statements, audit, done }: RetentionSettings,
  now: number,
): Promise<Cuts> {
  const needed = await lookedBackTo(queries, now);
  const cut = (days: number | undefined) => (days === undefined ? null : dayAfter(dayOf(now), -days));
  const unneeded = (day: Day | null) => (day === null || needed === null || day < needed ? day : needed);
  return {
    events: cut(events),
    payments: cut(payments),
    batches: unneeded(cut(payments)),
    statements: unneeded(cut(statements)),
    audit: cut(audit),
    done: cut(done),
  };
}

const statementFiles = {
  what: 'bank statements',
  kept: 'statements',
  table: 'statement_files',
  where: fileIsOver,
} as const;

/** What is not divided by days; $1 is the day. */
const plainDeletions: readonly {
  what: string;
  kept: keyof Cuts;
  table: string;
  where: string;
  /** In the place of deleting the row. */
  instead?: string;
}[] = [
  {
    what: 'decisions',
    kept: 'payments',
    table: 'decisions',
    // Whether it is open shows by all that say that it was acknowledged, each in its part of the journal.
    where: `decided_at < $1::date AND (
      discrepancy_id IS NULL OR discrepancy_id NOT IN (SELECT discrepancy_id FROM discrepancies)
    )`,
  },
  { what: 'batches', kept: 'batches', table: 'batches', where: batchIsOver },
  { what: 'deposits', kept: 'batches', table: 'deposits', where: depositIsOver },
  { what: 'settlements', kept: 'batches', table: 'deposit_decisions', where: 'decided_at < $1::date' },
  { what: 'entries of accounts', kept: 'statements', table: 'deposit_entries', where: entryIsOver },
  { what: 'audit log', kept: 'audit', table: 'audit', where: 'at < $1::date' },
  { what: 'findings', kept: 'done', table: 'findings', where: 'acknowledged_at < $1::date' },
  {
    what: 'discrepancies',
    kept: 'done',
    table: 'discrepancies',
    where: `acknowledged_at < $1::date
      AND (chain, discrepancy_id) NOT IN (SELECT chain, discrepancy_id FROM open_discrepancies)`,
  },
  { what: 'alarms', kept: 'done', table: 'alarms', where: 'cleared_at < $1::date' },
  {
    what: 'messages of alarms',
    kept: 'done',
    table: 'alarm_messages',
    where: `state <> 'waiting' AND ended_at < $1::date AND NOT EXISTS (
      SELECT FROM alarm_tellings JOIN alarms USING (alarm_id)
      WHERE alarm_tellings.message_id = alarm_messages.message_id
        AND (cleared_at IS NULL OR cleared_at >= $1::date)
    )`,
  },
  {
    what: 'heartbeats of revoked bridges',
    kept: 'done',
    table: 'bridges',
    where: 'revoked_at < $1::date AND heartbeat IS NOT NULL',
    instead: 'UPDATE bridges SET heartbeat = NULL',
  },
];

/** Each day by itself: who makes a new one meanwhile must not wait for all of them. */
async function countOf(database: Database, table: DividedTable, day: Day): Promise<number> {
  const where = table === 'payments' ? `WHERE NOT ${paymentStays}` : '';
  const sql = `SELECT count(*) AS rows FROM ${partitionName(table, day)} ${where}`;
  const [row] = await database.transaction((queries) => queries.query<{ rows: number }>(sql), {
    mayTakeLong: true,
  });
  return row?.rows ?? 0;
}

const filedBefore = `state = 'filed' AND ((divided = 'events' AND day < $1) OR (divided = 'payments' AND day < $2))`;

async function filesOver(queries: Queries, { events, payments }: Cuts): Promise<string[]> {
  const rows = await queries.query<{ file: string }>(
    `SELECT file FROM archived_days WHERE ${filedBefore} ORDER BY file`,
    [events, payments],
  );
  return rows.map(({ file }) => file);
}

/** What leads to payments in files whose time is over, and what was said of them since. The files do not come back. */
async function forgetFiled(queries: Queries, { events, payments }: Cuts): Promise<void> {
  const gone = `SELECT day FROM archived_days WHERE divided = 'payments' AND state = 'filed' AND day < $1`;
  const isThere = `SELECT FROM payments WHERE payments.day = payment_keys.day AND payments.payment_id = payment_keys.payment_id`;
  await queries.query(
    `DELETE FROM voids USING payment_keys
     WHERE payment_keys.payment_id = voids.payment_id AND payment_keys.day IN (${gone}) AND NOT EXISTS (${isThere})`,
    [payments],
  );
  await queries.query(`DELETE FROM payment_keys WHERE day IN (${gone}) AND NOT EXISTS (${isThere})`, [
    payments,
  ]);
  await queries.query(`DELETE FROM late_payment_changes WHERE day IN (${gone})`, [payments]);
  await queries.query(`UPDATE archived_days SET state = 'deleted' WHERE ${filedBefore}`, [events, payments]);
}
