/**
 * The log store: every line of the log in a database, numbered without gaps, for the console. The JSON lines in
 * `tillbridge.log` are the log; the store is a copy of it that can be searched. Lines are gathered and written together,
 * so that none of them makes a payment wait, and nothing that happens to the store's file fails one: a store that cannot
 * be used is thrown away and begun anew, and if that does not help either, or the disk is full, it goes on in memory.
 */
import type { Clock } from '../base/clock.ts';
import type {
  LogFilter,
  LogHistogram,
  LogHistogramRequest,
  LogLine,
  LogRequest,
  LogResponse,
} from '../contract/log.ts';
import type { LogFields } from './log.ts';
import { createLogTail } from './log-tail.ts';
import { histogramOf, linesInSpan } from './log-times.ts';
import { createOperationReferences, createRecordMaker, logLineOf, type LogRecord } from './log-record.ts';
import {
  linesPerLook,
  openLogDatabase,
  removeLogDatabase,
  type LogSubject,
  type LogDatabase,
  type StoredLine,
} from './log-database.ts';

const maxStoredLines = 1_000_000;
const maxLinesInMemory = 10_000;
/** Lines are written this long after the first one of them, or when there are so many. */
const flushAfterMs = 100;
const flushAfterLines = 500;
/** Of very many lines about one thing, so many are shown from each end. */
const linesOfEachEnd = 400;
/** How far lines about one thing are counted. */
const maxCountedLines = 20_000;

export interface LogStore {
  /**
   * One page, newest first. A search looks at a bounded number of lines in one call; `next` is where it goes on, also
   * when a page is empty.
   */
  page(request: LogRequest): LogResponse;
  /** Counts without looking at the lines: by where a time is in the log, which 20 of a million lines tell. */
  histogram(request: LogHistogramRequest): LogHistogram;
  /**
   * Calls with new lines, oldest first, at most 500 at a time: the first after a quiet time at once (in a microtask),
   * then at most every 25 ms. The result ends it.
   */
  subscribe(listener: (lines: LogLine[]) => void): () => void;
  /**
   * The lines that fit as JSON Lines, oldest first, as they stand in the log file: pieces of some whole lines each. Throws
   * when the store is closed meanwhile: half a file must not look like a whole one.
   */
  export(filter: LogFilter): Iterable<string>;
  /**
   * In order: the lines of these operations, those with this reference, and each frame between the first and the last
   * line of each operation that is no other operation's (a line can come long after the end). Of more than 800 the first and the last 400;
   * `leftOut` are the others, counted up to 20 000 of each kind.
   */
  linesOf(what: { operationIds: readonly string[]; reference: string | null }): {
    lines: LogLine[];
    leftOut: number;
  };
  /** Writes what has been gathered. Lines after this are not kept, and pages are empty. May be called twice. */
  close(): void;
}

/** The store as the log writes it. */
export interface WritableLogStore extends LogStore {
  /** `text` is a masked line, JSON, and `line` what is in it, if that is known. Never throws. */
  take(text: string, line?: LogFields | null): void;
  /** Writes what has been gathered, now. */
  flush(): void;
}

export interface LogStoreOptions {
  file: string;
  maxLines?: number | undefined;
  clock: Clock;
  /** Asked before anybody reads: gives `take` what has been logged and has not come here yet. */
  beforeReading?: () => void;
  /** Told, later, of a store that was begun anew or goes on in memory, and of a subscriber that failed. */
  onTrouble: (message: string, error: unknown) => void;
}

const empty: LogResponse = { lines: [], next: null, first: 0, last: 0, sources: [] };

/** Never throws: a folder in which nothing can be written gives a store in memory. */
export function openLogStore(options: LogStoreOptions): WritableLogStore {
  const { file, clock, maxLines = maxStoredLines, beforeReading = () => {} } = options;
  const rows = createRecordMaker();
  const references = createOperationReferences();
  let unsaved: LogRecord[] = [];
  const unsent: LogRecord[] = [];
  let closed = false;
  let mayStartAnew = true;
  let cancelFlush: (() => void) | null = null;

  const report = (message: string, error: unknown) => queueMicrotask(() => options.onTrouble(message, error));
  const tail = createLogTail(
    clock,
    () => unsent.splice(0).map((row) => logLineOf(row, references.get)),
    (error) => report('a subscriber of the log store failed', error),
  );
  let database = openFirst();
  /** The number of the newest line, written or not. */
  let last = database.last;

  function openFirst(): LogDatabase {
    try {
      return openLogDatabase(file, maxLines, 1);
    } catch (error) {
      return isInUse(error) ? inMemory(1, error) : startAnew(1, error);
    }
  }

  /** An empty store in place of one that `error` came from; `firstId` is the number that its first line gets. */
  function startAnew(firstId: number, error: unknown): LogDatabase {
    if (!mayStartAnew) return inMemory(firstId, error);
    mayStartAnew = false;
    try {
      removeLogDatabase(file);
      const fresh = openLogDatabase(file, maxLines, firstId);
      report(
        'the log store could not be used and was created again; the log file has the older lines',
        error,
      );
      return fresh;
    } catch (second) {
      return inMemory(firstId, second);
    }
  }

  function inMemory(firstId: number, error: unknown): LogDatabase {
    report('the log store cannot be written; the newest lines are kept in memory', error);
    return openLogDatabase(null, Math.min(maxLines, maxLinesInMemory), firstId);
  }

  /** Of lines that are in the store. */
  function linesFrom(rows: readonly StoredLine[]): LogLine[] {
    return rows.map((row) =>
      logLineOf(row, (operationId) => {
        const known = references.get(operationId) ?? database.referenceOf(operationId);
        if (known !== null) references.learn(operationId, known);
        return known;
      }),
    );
  }

  function flush() {
    cancelFlush?.();
    cancelFlush = null;
    if (unsaved.length === 0) return;
    const batch = unsaved;
    unsaved = [];
    attempt(
      () => database.write(batch),
      batch,
      () => true,
    );
  }

  /** `act` on the store; once more on a new one when the store has failed. `batch` are the lines that have to be in it. */
  function attempt<T>(
    act: () => T,
    batch: readonly LogRecord[],
    isDatabaseFault: (error: unknown) => boolean = isSqliteError,
  ): T | null {
    for (;;) {
      try {
        return act();
      } catch (error) {
        if (!isDatabaseFault(error)) throw error;
        if (database.inMemory) return null;
        closeDatabase();
        const firstId = batch[0]?.id ?? last + 1;
        database = isDiskFull(error) ? inMemory(firstId, error) : startAnew(firstId, error);
      }
    }
  }

  function closeDatabase() {
    try {
      database.close();
    } catch {
      // A copy of what the log file has.
    }
  }

  /** What `ask` finds in the store as it is now. */
  function queried<T>(ask: () => T, otherwise: T): T {
    if (closed) return otherwise;
    beforeReading();
    flush();
    return attempt(ask, []) ?? otherwise;
  }

  function* exportPieces(filter: LogFilter): Iterable<string> {
    const span = queried(() => linesInSpan(database, filter), { from: 1, below: 1 });
    let { from } = span;
    const end = span.below - 1;
    while (from <= end) {
      if (closed) throw new Error('The log was closed before it was read to its end.');
      const to = Math.min(end, from + linesPerLook - 1);
      const lines = queried(() => database.range(filter, from, to), []);
      if (lines.length > 0) yield lines.map(({ text }) => `${text}\n`).join('');
      from = to + 1;
    }
  }

  function subjectsOf(operationIds: readonly string[], reference: string | null): LogSubject[] {
    const operations = operationIds.map((operationId): LogSubject => ({ kind: 'operation', operationId }));
    const frames = operations.flatMap((operation): LogSubject[] => {
      const [from] = database.idsOf(operation, 'oldest', 1);
      const [to] = database.idsOf(operation, 'newest', 1);
      return from === undefined || to === undefined ? [] : [{ kind: 'frames', from, to }];
    });
    return [
      ...operations,
      ...frames,
      ...(reference === null ? [] : [{ kind: 'reference', reference } as const]),
    ];
  }

  return {
    take(text, line = null) {
      if (closed) return;
      last += 1;
      const row = rows.make(last, text, line);
      if (row.operationId !== null && row.reference !== null)
        references.learn(row.operationId, row.reference);
      unsaved.push(row);
      if (tail.hasSubscribers) unsent.push(row);
      tail.linesArrived();
      if (unsaved.length >= flushAfterLines) flush();
      else cancelFlush ??= clock.after(flushAfterMs, flush);
    },
    flush() {
      if (!closed) flush();
    },
    page: ({ filter, before, limit }) =>
      queried(() => {
        const { first, last: newest, sources } = database;
        if (newest < first) return { ...empty, sources };
        const span = linesInSpan(database, filter);
        const below = Math.min(before ?? Infinity, span.below);
        const lowest = span.from;
        if (below <= lowest) return { lines: [], next: null, first, last: newest, sources };
        const everything =
          filter.minLevel === 'debug' && filter.sources === null && (filter.text ?? '') === '';
        const found = everything
          ? { lines: database.newest(below, Math.min(limit, below - lowest)), from: lowest }
          : database.search(filter, below, lowest, limit);
        // A full page ends with its last line; one that is not full ends where the search has ended.
        const reached = found.lines.length < limit ? found.from : (found.lines.at(-1)?.id ?? lowest);
        const next = reached > lowest ? reached : null;
        return { lines: linesFrom(found.lines), next, first, last: newest, sources };
      }, empty),
    histogram: (request) => queried(() => histogramOf(database, request), { span: null, bars: [] }),
    subscribe(listener) {
      // What was logged before is not news.
      beforeReading();
      return tail.subscribe(listener);
    },
    export: exportPieces,
    linesOf: ({ operationIds, reference }) =>
      queried(
        () => {
          const kinds = subjectsOf(operationIds, reference);
          const ids = new Set([
            ...kinds.flatMap((what) => database.idsOf(what, 'oldest', maxCountedLines)),
            ...kinds.flatMap((what) => database.idsOf(what, 'newest', linesOfEachEnd)),
          ]);
          const ordered = [...ids].sort((one, other) => one - other);
          const all = ordered.length <= linesOfEachEnd * 2;
          const shown = all
            ? ordered
            : [...ordered.slice(0, linesOfEachEnd), ...ordered.slice(-linesOfEachEnd)];
          const lines = linesFrom(shown.flatMap((id) => database.line(id) ?? []));
          return { lines, leftOut: ordered.length - shown.length };
        },
        { lines: [], leftOut: 0 },
      ),
    close() {
      if (closed) return;
      flush();
      tail.close();
      closed = true;
      closeDatabase();
    },
  };
}

/** SQLITE_BUSY: another process has the store; it is not ours to throw away. */
function isInUse(error: unknown): boolean {
  return isSqliteError(error) && Number(error.errcode) % 256 === 5;
}

/** SQLITE_FULL: nothing is wrong with the lines in the store; the next start has them again. */
function isDiskFull(error: unknown): boolean {
  return isSqliteError(error) && Number(error.errcode) % 256 === 13;
}

function isSqliteError(error: unknown): error is Error & { errcode: unknown } {
  return error instanceof Error && 'errcode' in error;
}
