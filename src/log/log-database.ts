/**
 * The log store's SQLite database. Every question uses an index or looks at a bounded number of lines, so that a store of
 * a million lines answers as fast as one of a thousand. It is only a copy of what the log wrote: it is never synced, and
 * a damaged one is thrown away.
 *
 * Everything here throws what SQLite throws; `log-store.ts` deals with it.
 */
import { closeSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolders, demandOwnFile, openToAppend } from '../base/private-files.ts';
import { logLevels, type LogFilter } from '../contract/log.ts';
import type { LogRecord } from './log-record.ts';

const schemaVersion = 1;
/** The write-ahead file goes back to this size after a large transaction, in bytes. */
const walLimitBytes = 16 * 1024 * 1024;
/** What SQLite keeps of the file in memory, in KiB: lines are written at the end, and old ones seldom read (ADR 57). */
const cacheKib = 400;
/** How many lines one search looks at before it answers. */
export const linesPerLook = 5_000;
/** The oldest lines go in chunks of this many at most, so that no single write takes long. */
const maxDroppedLines = 1_000;
const charactersWithTime = 80;
/** Among so many of an operation's first lines is the one that names its reference. */
const linesWithReference = 20;
/** More sources than the modules of the bridge have names for. */
const maxSources = 100;

const schema = `
  CREATE TABLE lines (
    id INTEGER PRIMARY KEY,
    rank INTEGER NOT NULL,
    source TEXT NOT NULL,
    operation_id TEXT,
    reference TEXT,
    frame INTEGER NOT NULL,
    text TEXT NOT NULL
  ) STRICT;
  CREATE INDEX lines_by_operation ON lines (operation_id) WHERE operation_id IS NOT NULL;
  CREATE INDEX lines_by_reference ON lines (reference) WHERE reference IS NOT NULL;
  CREATE INDEX lines_frames ON lines (id) WHERE frame = 1;
  CREATE INDEX lines_warn ON lines (id) WHERE rank >= 2;
  CREATE INDEX lines_error ON lines (id) WHERE rank >= 3;
  CREATE TABLE sources (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  PRAGMA user_version = ${schemaVersion};
`;

export interface StoredLine {
  id: number;
  operationId: string | null;
  text: string;
}

export interface LogDatabase {
  readonly inMemory: boolean;
  /** Numbers of the oldest and the newest line; `last` is one less than `first` when there is none. */
  readonly first: number;
  readonly last: number;
  readonly sources: string[];
  /** In one transaction; the numbers follow `last`. Drops the oldest lines above `maxLines`. */
  write(rows: readonly LogRecord[]): void;
  /** Newest first, with numbers below `before`. */
  newest(before: number, limit: number): StoredLine[];
  /** The same of those that fit; looks down to `from`, at most at `linesPerLook` candidates and not below `lowest`. */
  search(
    filter: LogFilter,
    before: number,
    lowest: number,
    limit: number,
  ): { lines: StoredLine[]; from: number };
  /** Those that fit from `from` to `to`, oldest first. The caller bounds the span. */
  range(filter: LogFilter, from: number, to: number): StoredLine[];
  /** Numbers of the lines of one operation, of one reference, or of the frames of no operation between two lines. */
  idsOf(what: LogSubject, order: 'oldest' | 'newest', limit: number): number[];
  line(id: number): StoredLine | null;
  /** When the line was written, ISO 8601; empty when it does not say. */
  timeOf(id: number): string;
  /** How many lines from `from` and before `before` are this important or more; counted up to `limit`. */
  countOf(level: 'warn' | 'error', from: number, before: number, limit: number): number;
  /** The reference that an operation's first lines name. */
  referenceOf(operationId: string): string | null;
  close(): void;
}

export type LogSubject =
  | { kind: 'operation'; operationId: string }
  | { kind: 'reference'; reference: string }
  | { kind: 'frames'; from: number; to: number };

/**
 * Opens the store in `file`, or makes it; null: in memory. `firstId` is the number of the first line of an empty store.
 * The store stays locked, so another process that tries to open it gets an error.
 */
export function openLogDatabase(file: string | null, maxLines: number, firstId: number): LogDatabase {
  if (file !== null) {
    makeFolders(dirname(file));
    for (const name of filesOf(file)) demandOwnFile(name);
    closeSync(openToAppend(file));
  }
  const database = new DatabaseSync(file ?? ':memory:');
  try {
    prepareDatabase(database);
    return databaseOf(database, file === null, maxLines, firstId);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Throws when the folder does not allow it. */
export function removeLogDatabase(file: string): void {
  for (const name of filesOf(file)) rmSync(name, { force: true });
}

/** What SQLite opens beside the file, and the file itself last. */
function filesOf(file: string): string[] {
  return ['-wal', '-shm', '-journal', ''].map((suffix) => file + suffix);
}

function prepareDatabase(database: DatabaseSync): void {
  database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
  database.exec(
    `PRAGMA journal_size_limit = ${walLimitBytes}; PRAGMA cache_size = -${cacheKib}; PRAGMA trusted_schema = OFF`,
  );
  database.exec('BEGIN IMMEDIATE');
  const { user_version: version } = database.prepare('PRAGMA user_version').get() ?? {};
  if (version === 0) database.exec(schema);
  else if (version !== schemaVersion)
    throw new Error(`the log store has the unknown format ${String(version)}`);
  database.exec('COMMIT');
}

function databaseOf(
  database: DatabaseSync,
  inMemory: boolean,
  maxLines: number,
  firstId: number,
): LogDatabase {
  // Both in one question would be answered by a walk through all lines.
  const ends =
    database
      .prepare('SELECT (SELECT min(id) FROM lines) AS first, (SELECT max(id) FROM lines) AS last')
      .get() ?? {};
  let first = typeof ends['first'] === 'number' ? ends['first'] : firstId;
  let last = typeof ends['last'] === 'number' ? ends['last'] : firstId - 1;
  const sources = new Set(
    database
      .prepare('SELECT name FROM sources')
      .all()
      .map(({ name }) => String(name)),
  );
  database.function('holds', { deterministic: true }, (text, needle) =>
    String(text).toLowerCase().includes(String(needle)) ? 1 : 0,
  );
  let others = { list: '[]', needles: [] as string[] };
  database.function('holds_other', { deterministic: true }, (text, list) => {
    if (list !== others.list) others = { list: String(list), needles: JSON.parse(String(list)) as string[] };
    const lower = String(text).toLowerCase();
    return others.needles.some((needle) => lower.includes(needle)) ? 1 : 0;
  });

  const columns = 'id, operation_id AS operationId, text';
  const insert = database.prepare('INSERT INTO lines VALUES (?, ?, ?, ?, ?, ?, ?)');
  const addSource = database.prepare('INSERT OR IGNORE INTO sources VALUES (?)');
  const drop = database.prepare('DELETE FROM lines WHERE id < ?');
  const newest = database.prepare(`SELECT ${columns} FROM lines WHERE id < ? ORDER BY id DESC LIMIT ?`);
  const line = database.prepare(`SELECT ${columns} FROM lines WHERE id = ?`);
  // The log puts level and time in front of all that a line says.
  const head = database.prepare(
    `SELECT substr(text, 1, ${charactersWithTime}) AS head FROM lines WHERE id = ?`,
  );
  const count = {
    warn: countFrom('lines_warn', 'rank >= 2'),
    error: countFrom('lines_error', 'rank >= 3'),
  };
  const reference = database.prepare(
    `SELECT reference FROM (SELECT reference FROM lines WHERE operation_id = ? ORDER BY id LIMIT ${linesWithReference})
      WHERE reference IS NOT NULL LIMIT 1`,
  );
  // The text of the condition is what an index of its own is found by.
  const byRank = [
    { from: 'lines NOT INDEXED', condition: 'TRUE' },
    { from: 'lines NOT INDEXED', condition: 'rank >= 1' },
    { from: 'lines INDEXED BY lines_warn', condition: 'rank >= 2' },
    { from: 'lines INDEXED BY lines_error', condition: 'rank >= 3' },
  ].map(({ from, condition }, rank) => {
    const fitting = `SELECT ${columns} FROM ${from} WHERE ${condition} AND id >= $from AND id < $before
      AND ($sources IS NULL OR source IN (SELECT value FROM json_each($sources)))
      AND ($needle IS NULL OR holds(text, $needle) OR holds(text, $escaped)
        OR ($others IS NOT NULL AND holds_other(text, $others)))`;
    return {
      newest: database.prepare(`${fitting} ORDER BY id DESC LIMIT $limit`),
      oldest: database.prepare(`${fitting} ORDER BY id`),
      /** The last of so many candidates, if there are so many; where most lines are some, arithmetic will do. */
      floor:
        rank < 2
          ? null
          : database.prepare(
              `SELECT id FROM ${from} WHERE ${condition} AND id < ? ORDER BY id DESC LIMIT 1 OFFSET ${linesPerLook - 1}`,
            ),
    };
  });
  const idsBySubject = {
    operation: inBothOrders('operation_id = ?'),
    reference: inBothOrders('reference = ?'),
    frames: inBothOrders('frame = 1 AND operation_id IS NULL AND id BETWEEN ? AND ?'),
  };

  function countFrom(index: string, condition: string) {
    return database.prepare(`SELECT count(*) AS counted FROM
      (SELECT 1 FROM lines INDEXED BY ${index} WHERE ${condition} AND id >= ? AND id < ? LIMIT ?)`);
  }

  function inBothOrders(condition: string) {
    const ids = `SELECT id FROM lines WHERE ${condition} ORDER BY id`;
    return { oldest: database.prepare(`${ids} LIMIT ?`), newest: database.prepare(`${ids} DESC LIMIT ?`) };
  }

  function statementsFor(filter: LogFilter) {
    const statements = byRank[logLevels.indexOf(filter.minLevel)];
    if (statements === undefined) throw new Error(`no such level: ${filter.minLevel}`);
    const needle = filter.text === null || filter.text === '' ? null : filter.text.toLowerCase();
    const escaped = needle === null ? null : asInJson(needle);
    return {
      ...statements,
      values: {
        $sources: filter.sources === null ? null : JSON.stringify(filter.sources),
        $needle: needle,
        $escaped: escaped,
        $others:
          (filter.others ?? []).length === 0
            ? null
            : JSON.stringify(filter.others?.map((other) => asInJson(other.toLowerCase()))),
      },
    };
  }

  function insertAll(rows: readonly LogRecord[]) {
    for (const { id, rank, source, operationId, reference, frame, text } of rows) {
      insert.run(id, rank, source, operationId, reference, frame ? 1 : 0, text);
      if (sources.has(source) || sources.size >= maxSources) continue;
      addSource.run(source);
      sources.add(source);
    }
  }

  /** From which number on lines stay. */
  function keptFrom(newLast: number): number {
    const over = newLast - first + 1 - maxLines;
    if (over <= 0) return first;
    const chunk = Math.min(maxDroppedLines, Math.trunc(maxLines / 10));
    // A store that was allowed to be longer before shrinks step by step.
    return first + Math.min(over + chunk, over > maxDroppedLines ? maxDroppedLines * 5 : Infinity);
  }

  return {
    inMemory,
    get first() {
      return first;
    },
    get last() {
      return last;
    },
    get sources() {
      return [...sources].sort();
    },
    write(rows) {
      const newLast = rows.at(-1)?.id ?? last;
      const kept = keptFrom(newLast);
      database.exec('BEGIN');
      insertAll(rows);
      if (kept > first) drop.run(kept);
      database.exec('COMMIT');
      last = newLast;
      first = kept;
    },
    newest: (before, limit) => newest.all(before, limit).map(storedLine),
    search(filter, before, lowest, limit) {
      const { newest: fitting, floor, values } = statementsFor(filter);
      const last = floor === null ? before - linesPerLook : Number(floor.get(before)?.['id'] ?? lowest);
      const from = Math.max(lowest, last);
      const found = fitting.all({ ...values, $from: from, $before: before, $limit: limit });
      return { lines: found.map(storedLine), from };
    },
    range(filter, from, to) {
      const { oldest, values } = statementsFor(filter);
      return oldest.all({ ...values, $from: from, $before: to + 1 }).map(storedLine);
    },
    idsOf(what, order, limit) {
      const statement = idsBySubject[what.kind][order];
      const values =
        what.kind === 'operation'
          ? [what.operationId]
          : what.kind === 'reference'
            ? [what.reference]
            : [what.from, what.to];
      return statement.all(...values, limit).map(({ id }) => Number(id));
    },
    line(id) {
      const found = line.get(id);
      return found === undefined ? null : storedLine(found);
    },
    timeOf: (id) => /"time":"([^"]*)"/.exec(String(head.get(id)?.['head']))?.[1] ?? '',
    countOf: (level, from, before, limit) => Number(count[level].get(from, before, limit)?.['counted']),
    referenceOf(operationId) {
      const found = reference.get(operationId)?.['reference'];
      return typeof found === 'string' ? found : null;
    },
    close: () => database.close(),
  };
}

/** Quotes and line ends stand in a line with a backslash. */
function asInJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function storedLine(row: Record<string, unknown>): StoredLine {
  const { id, operationId, text } = row;
  return {
    id: Number(id),
    operationId: typeof operationId === 'string' ? operationId : null,
    text: String(text),
  };
}
