/**
 * The quick check of a journal file before it is used. It does not grow with the journal: header and schema, the
 * end of the chain, and the newest rows; of a young journal all of them. The whole chain is checked by `verify.ts`, when a person asks.
 */
import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { demandPlainFiles } from '../../base/private-files.ts';
import { errorText } from '../../base/error-text.ts';
import type { JournalEvent } from '../../contract/journal-events.ts';
import { chainStart, linkProblem, type ChainHead, type EventRow, eventRows } from './chain.ts';
import { isDamage } from './damage.ts';
import { journalNames, type JournalFiles } from './journal-files.ts';
import { readHighWaterMark } from './high-water-mark.ts';
import { rowsProblem } from './projection-check.ts';
import { makeQueries } from './journal-queries.ts';
import { querySql } from './query-sql.ts';
import { chainHeadOf, parseEvent, type SqlRow } from './rows.ts';
import { fileVersion, openForReading, schemaProblem, schemaVersion } from './schema.ts';

/** How many events at the end of the chain, and how many of the newest rows, are looked at. */
const tailEvents = 256;
const newestRows = 64;

export type CheckResult =
  | { kind: 'sound' }
  /** No journal was ever here. */
  | { kind: 'none' }
  | { kind: 'damaged'; problem: string }
  | { kind: 'too_new'; version: number };

/** Opens for reading only, so that a damaged file is left as it was found. */
export function checkJournal(files: JournalFiles): CheckResult {
  demandPlainFiles(files.folder, journalNames);
  const highWaterMark = readHighWaterMark(`${files.main}-mark`);
  const size = fileSize(files.main);
  if (size === null) {
    // A high-water mark that cannot be read is one all the same.
    const traces = [`${files.main}-wal`, `${files.main}-mark`].some((file) => (fileSize(file) ?? 0) > 0);
    return traces
      ? damaged('The journal file is missing, and other files show that there was one.')
      : { kind: 'none' };
  }
  // A journal gets its name when it is whole. SQLite would take an empty one for new, and delete its write-ahead file.
  if (size === 0) return damaged('The journal file is empty.');
  try {
    const database = openForReading(files.main);
    try {
      // One snapshot for all queries: a bridge may be writing.
      database.exec('BEGIN');
      const version = fileVersion(database);
      if (version > schemaVersion) return { kind: 'too_new', version };
      const problem = schemaProblem(database) ?? contentProblem(database, highWaterMark);
      return problem === null ? { kind: 'sound' } : damaged(problem);
    } finally {
      database.close();
    }
  } catch (error) {
    if (isDamage(error)) return damaged(`The journal file cannot be read: ${errorText(error)}`);
    throw error;
  }
}

/** State, newest rows and the end of the chain; garbage in them throws. */
export function contentProblem(database: DatabaseSync, highWaterMark: ChainHead | null): string | null {
  const head = headOf(database);
  const queries = makeQueries(database, (query) => query());
  queries.terminalState();
  queries.openOperations();
  // Of a young journal every row is compared in the end.
  const isYoung = head.seq <= tailEvents;
  const limit = isYoung ? 1 : newestRows;
  const [newest] = queries.payments({ limit });
  if (newest !== undefined && newest.position > head.seq) return `Events after ${head.seq} are missing.`;
  const tail = tailOf(database, head);
  return (
    batchProblem(database, limit) ??
    tailProblem(database, head, tail) ??
    highWaterMarkProblem(database, head, highWaterMark) ??
    // Those of a longer one are compared by `verifyJournal`.
    (isYoung ? rowsProblem(database, fileVersion(database), tail, parseEvent) : null)
  );
}

/** The newest batch closes. Their ends name every payment that they settled: SQLite reads those faster than we do. */
function batchProblem(database: DatabaseSync, limit: number): string | null {
  const wrong = database.prepare(`SELECT position FROM (${querySql.batches}) WHERE NOT (json_valid(started)
    AND json_valid(coalesce(with_result, started)) AND json_valid(coalesce(ended, started)))`);
  const row = wrong.get(Number.MAX_SAFE_INTEGER, limit);
  return row === undefined ? null : `An event of the batch close ${Number(row['position'])} is not JSON.`;
}

export function headOf(database: DatabaseSync): ChainHead {
  return chainHeadOf(database.prepare(querySql.head).get());
}

/** The end of the chain; of a young journal all of it. */
function tailOf(database: DatabaseSync, head: ChainHead): EventRow[] {
  return [...eventRows(database, Math.max(0, head.seq - tailEvents), head.seq)];
}

/** The chain at its end, and whether the rows know what its events say. */
function tailProblem(database: DatabaseSync, head: ChainHead, tail: readonly EventRow[]): string | null {
  const columns = columnsOf(database);
  const first = Math.max(0, head.seq - tailEvents);
  let previous: ChainHead = chainStart;
  if (first > 0) {
    const row = database.prepare('SELECT seq, hash FROM events WHERE seq = ?').get(first);
    if (row === undefined) return `Event ${first} is missing.`;
    previous = chainHeadOf(row);
  }
  for (const row of tail) {
    const problem =
      linkProblem(previous, row, parseEvent) ??
      rowProblem(columns, parseEvent(row.body) as JournalEvent, row.seq);
    if (problem !== null) return problem;
    previous = row;
  }
  return null;
}

/** The columns that an event alone decides. */
export interface Columns {
  operation(operationId: string): SqlRow | undefined;
  payment(reference: string): SqlRow | undefined;
}

export function columnsOf(database: DatabaseSync): Columns {
  const operation = database.prepare(querySql.operationColumns);
  const payment = database.prepare(querySql.paymentColumns);
  return {
    operation: (operationId) => operation.get(operationId),
    payment: (reference) => payment.get(reference),
  };
}

/** Whether the rows know what the event `seq` says, as far as later events cannot have changed it. */
export function rowProblem(columns: Columns, event: JournalEvent, seq: number): string | null {
  const missing = `Event ${seq} is in the journal, but not in what was worked out from it.`;
  if (event.type === 'operation_started') {
    const operation = columns.operation(event.operationId);
    if (operation?.['position'] !== seq || operation['kind'] !== event.kind) return missing;
    if (operation['reference'] !== ('reference' in event ? event.reference : null)) return missing;
    if (event.kind !== 'sale') return null;
    const payment = columns.payment(event.reference);
    const same = payment?.['position'] === seq && payment['transaction_id'] === event.operationId;
    return same && payment['amount_minor'] === event.amountMinor && payment['currency'] === event.currency
      ? null
      : missing;
  }
  if (event.type !== 'operation_ended') return null;
  const operation = columns.operation(event.operationId);
  return operation?.['phase'] === 'ended' && operation['outcome'] === event.outcome ? null : missing;
}

/** Events that were acknowledged and are gone; the high-water mark knows how many there were. */
export function highWaterMarkProblem(
  database: DatabaseSync,
  head: ChainHead,
  highWaterMark: ChainHead | null,
): string | null {
  if (highWaterMark === null || highWaterMark.seq === 0) return null;
  if (highWaterMark.seq > head.seq) {
    return `The journal ends at event ${head.seq}, but events up to ${highWaterMark.seq} had been written: the newest are lost.`;
  }
  const row = database.prepare('SELECT hash FROM events WHERE seq = ?').get(highWaterMark.seq);
  return row?.['hash'] === highWaterMark.hash
    ? null
    : `Event ${highWaterMark.seq} is not the one that was written as such.`;
}

function damaged(problem: string): CheckResult {
  return { kind: 'damaged', problem };
}

function fileSize(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.size ?? null;
}
