/** The whole journal, event by event: does each one fit its hash and the one before? */
import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { demandPlainFiles } from '../../base/private-files.ts';
import { errorText } from '../../base/error-text.ts';
import type { JournalEvent } from '../../contract/journal-events.ts';
import { chainStart, linkProblem, type ChainHead, type EventRow, eventRows } from './chain.ts';
import {
  columnsOf,
  contentProblem,
  headOf,
  highWaterMarkProblem,
  rowProblem,
  type Columns,
} from './quick-check.ts';
import { waitingSetAside } from './damage.ts';
import { journalFiles, journalNames, type JournalFiles } from './journal-files.ts';
import { tooNew } from './open.ts';
import { readHighWaterMark } from './high-water-mark.ts';
import { makeProjectionCheck, type ProjectionCheck } from './projection-check.ts';
import { fileVersion, hoursVersion, openForReading, schemaProblem, schemaVersion } from './schema.ts';

/**
 * `seq` is the first event that does not fit, or 0 when the trouble is not in one event but in the file around them. Without
 * a high-water mark (`isMarked`) events fit that may not be all: the newest could be missing. That is no damage, and a bridge
 * that opens such a journal writes the mark anew. One that is too new for this version was not checked.
 */
export type VerifyResult =
  | { ok: true; events: number; lastHash: string; isMarked: boolean }
  | { ok: false; seq: number; problem: string; isTooNew?: true };

/**
 * Reads every event of the journal in `folder`, works out the chain, and looks whether payments and operations say the
 * same; then lets SQLite look at the whole file. Takes as long as the file is large; a bridge may be writing meanwhile
 * (events that come after the start are not looked at).
 */
export function verifyJournal(folder: string): VerifyResult {
  const files = journalFiles(folder);
  if (!existsSync(files.main)) return bad(0, missingText(files));
  try {
    demandPlainFiles(folder, journalNames);
    // Before the snapshot: the high-water mark is never ahead of what was committed.
    const highWaterMark = readHighWaterMark(`${files.main}-mark`);
    const database = openForReading(files.main);
    try {
      return verifyOpen(files, database, highWaterMark);
    } finally {
      database.close();
    }
  } catch (error) {
    const why = errorText(error);
    return bad(0, `The journal file cannot be read: ${why}`);
  }
}

function missingText(files: JournalFiles): string {
  const none = `There is no journal in ${files.folder}.`;
  if (!existsSync(files.folder)) return none;
  const waiting = waitingSetAside(files);
  return waiting === null
    ? none
    : `${none} A damaged one was set aside as ${waiting} and waits for a choice.`;
}

function verifyOpen(
  files: JournalFiles,
  database: DatabaseSync,
  highWaterMark: ChainHead | null,
): VerifyResult {
  const version = fileVersion(database);
  if (version > schemaVersion) return { ...bad(0, tooNew(files, version).message), isTooNew: true };
  // Without the right tables only the chain can be looked at; it comes first all the same.
  const schema = schemaProblem(database);
  const check = makeProjectionCheck();
  try {
    const walked = walk(database, schema === null ? columnsOf(database) : null, check);
    return 'ok' in walked ? walked : verifyRest(database, walked, { highWaterMark, version, schema, check });
  } finally {
    check.close();
  }
}

/** What is around the events, when each of them fits. */
function verifyRest(
  database: DatabaseSync,
  walked: ChainHead,
  around: { highWaterMark: ChainHead | null; version: number; schema: string | null; check: ProjectionCheck },
): VerifyResult {
  const { highWaterMark, version, schema, check } = around;
  const lost = highWaterMarkProblem(database, walked, highWaterMark);
  if (lost !== null) return bad(Math.min(highWaterMark?.seq ?? 0, walked.seq + 1), lost);
  const problem =
    schema ??
    inSnapshot(
      database,
      () => contentProblem(database, null) ?? rowsProblem(database, walked, version, check),
    ) ??
    hoursProblem(database, version) ??
    fileProblem(database);
  if (problem !== null) return bad(0, problem);
  return { ok: true, events: walked.seq, lastHash: walked.hash, isMarked: highWaterMark !== null };
}

/** From the first event to the newest that there is now; gives that one's place when all fit. */
function walk(
  database: DatabaseSync,
  columns: Columns | null,
  check: ProjectionCheck,
): ChainHead | VerifyResult {
  const head = headOf(database);
  let previous: ChainHead = chainStart;
  try {
    for (const row of eventRows(database, 0, head.seq)) {
      const problem = linkProblem(previous, row) ?? eventProblem(row, columns, check);
      if (problem !== null) return bad(previous.seq + 1, problem);
      previous = { seq: row.seq, hash: row.hash };
    }
    return previous;
  } catch (error) {
    const seq = firstUnreadable(database, previous.seq + 1);
    return bad(seq, `Event ${seq} cannot be read: ${errorText(error)}`);
  }
}

function eventProblem(row: EventRow, columns: Columns | null, check: ProjectionCheck): string | null {
  const event = JSON.parse(row.body) as JournalEvent;
  return (columns === null ? null : rowProblem(columns, event, row.seq)) ?? check.take(row, event);
}

/** In one snapshot: with what a bridge has written since the walk, the rows are those of the newest event. */
function rowsProblem(
  database: DatabaseSync,
  walked: ChainHead,
  version: number,
  check: ProjectionCheck,
): string | null {
  for (const row of eventRows(database, walked.seq, headOf(database).seq)) {
    const problem = check.take(row, JSON.parse(row.body) as JournalEvent);
    if (problem !== null) return problem;
  }
  return check.problem(database, version);
}

/** Rows come in pages; this finds the very one at which a page failed. */
function firstUnreadable(database: DatabaseSync, from: number): number {
  const row = database.prepare('SELECT * FROM events WHERE seq = ?');
  for (let seq = from; ; seq += 1) {
    try {
      if (row.get(seq) === undefined) return seq;
    } catch {
      return seq;
    }
  }
}

/** A payment that its hour does not know of would be missing where a span of time is asked for. */
function hoursProblem(database: DatabaseSync, version: number): string | null {
  if (version < hoursVersion) return null;
  const row = database
    .prepare(
      `SELECT p.reference FROM payments p LEFT JOIN payment_hours h ON h.hour = substr(p.created_at, 1, 13)
      WHERE h.hour IS NULL OR p.position NOT BETWEEN h.first_position AND h.last_position LIMIT 1`,
    )
    .get();
  return row === undefined ? null : `Payment ${String(row['reference'])} is missing in the table of hours.`;
}

/** Pages, indexes and rows against each other, as SQLite sees them. */
function fileProblem(database: DatabaseSync): string | null {
  const found = String(database.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check']);
  return found === 'ok' ? null : `SQLite finds damage in the file: ${found}`;
}

function inSnapshot<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN');
  try {
    return work();
  } finally {
    database.exec('COMMIT');
  }
}

function bad(seq: number, problem: string): VerifyResult & { ok: false } {
  return { ok: false, seq, problem };
}
