/**
 * The log book: every line of the log in a database, numbered without gaps, for the console. The JSON lines in
 * `tillbridge.log` are the log; the book is a copy of it that can be searched. Lines are gathered and written together,
 * so that none of them makes a payment wait, and nothing that happens to the book's file fails one: a book that cannot
 * be used is thrown away and begun anew, and if that does not help either, or the disk is full, it goes on in memory.
 */
import type { Clock } from '../base/clock.ts';
import type { LogResponse, LogFilter, LogLine, LogRequest } from '../contract/log.ts';
import { createBookNews } from './book-news.ts';
import { createRowMaker, logLineOf, type BookRow } from './book-row.ts';
import { linesPerLook, openBookStore, removeBook, type About, type BookStore } from './book-store.ts';

export const maxBookLines = 1_000_000;
const maxLinesInMemory = 10_000;
/** Lines are written this long after the first one of them, or when there are so many. */
const flushAfterMs = 100;
const flushAfterLines = 500;
/** Of very many lines about one thing, so many are shown from each end. */
const linesOfEachEnd = 400;
/** How far lines about one thing are counted. */
const maxCountedLines = 20_000;

export interface LogBook {
  /**
   * One page, newest first. A search looks at a bounded number of lines in one call; `next` is where it goes on, also
   * when a page is empty.
   */
  page(request: LogRequest): LogResponse;
  /**
   * Calls with new lines, oldest first, at most 500 at a time: the first after a quiet time at once (in a microtask),
   * then at most every 50 ms. The result ends it.
   */
  subscribe(listener: (lines: LogLine[]) => void): () => void;
  /**
   * The lines that fit as JSON Lines, oldest first, as they stand in the log file: pieces of some whole lines each. Throws
   * when the book is closed meanwhile: half a file must not look like a whole one.
   */
  export(filter: LogFilter): Iterable<string>;
  /**
   * In order: the lines of these operations, those with this reference, and each frame between the first and the last
   * line of each operation that is no other operation's (a line can come long after the end). Of more than 800 the first and the last 400;
   * `leftOut` are the others, counted up to 20 000 of each kind.
   */
  linesAbout(what: { operationIds: readonly string[]; reference: string | null }): {
    lines: LogLine[];
    leftOut: number;
  };
  /** Writes what has been gathered. Lines after this are not kept, and pages are empty. May be called twice. */
  close(): void;
}

/** The book as the log writes it. */
export interface WritableLogBook extends LogBook {
  /** `text` is a masked line, JSON. Never throws. */
  take(text: string): void;
}

export interface LogBookOptions {
  file: string;
  maxLines?: number | undefined;
  clock: Clock;
  /** Told, later, of a book that was begun anew or goes on in memory, and of a subscriber that failed. */
  onTrouble: (message: string, error: unknown) => void;
}

const empty: LogResponse = { lines: [], next: null, first: 0, last: 0, sources: [] };

/** Never throws: a folder in which nothing can be written gives a book in memory. */
export function openLogBook(options: LogBookOptions): WritableLogBook {
  const { file, clock, maxLines = maxBookLines } = options;
  const rows = createRowMaker();
  /** As they came; read only when they are needed, because most come while a payment runs. */
  let fresh: string[] = [];
  let unsaved: BookRow[] = [];
  const untold: BookRow[] = [];
  let closed = false;
  let mayBeginAnew = true;
  let cancelFlush: (() => void) | null = null;

  const tell = (message: string, error: unknown) => queueMicrotask(() => options.onTrouble(message, error));
  const news = createBookNews(
    clock,
    () => {
      readFresh();
      return untold.splice(0).map(logLineOf);
    },
    (error) => tell('a subscriber of the log book failed', error),
  );
  let store = openFirst();
  /** The number of the newest line, written or not. */
  let last = store.last;

  function openFirst(): BookStore {
    try {
      return openBookStore(file, maxLines, 1);
    } catch (error) {
      return isInUse(error) ? inMemory(1, error) : anew(1, error);
    }
  }

  /** An empty book in place of one that `error` came from; `firstId` is the number that its first line gets. */
  function anew(firstId: number, error: unknown): BookStore {
    if (!mayBeginAnew) return inMemory(firstId, error);
    mayBeginAnew = false;
    try {
      removeBook(file);
      const fresh = openBookStore(file, maxLines, firstId);
      tell('the log book could not be used and was begun anew; the log file has the older lines', error);
      return fresh;
    } catch (second) {
      return inMemory(firstId, second);
    }
  }

  function inMemory(firstId: number, error: unknown): BookStore {
    tell('the log book cannot be written; the newest lines are kept in memory', error);
    return openBookStore(null, Math.min(maxLines, maxLinesInMemory), firstId);
  }

  function readFresh() {
    const texts = fresh;
    fresh = [];
    for (const [index, text] of texts.entries()) {
      const row = rows.make(last - texts.length + 1 + index, text);
      unsaved.push(row);
      if (news.listening) untold.push(row);
    }
  }

  function flush() {
    cancelFlush?.();
    cancelFlush = null;
    readFresh();
    if (unsaved.length === 0) return;
    const batch = unsaved;
    unsaved = [];
    attempt(
      () => store.write(batch),
      batch,
      () => true,
    );
  }

  /** `act` on the book; once more on a new one when the book has failed. `batch` are the lines that have to be in it. */
  function attempt<T>(
    act: () => T,
    batch: readonly BookRow[],
    isBookFault: (error: unknown) => boolean = isSqliteError,
  ): T | null {
    for (;;) {
      try {
        return act();
      } catch (error) {
        if (!isBookFault(error)) throw error;
        if (store.inMemory) return null;
        closeStore();
        const firstId = batch[0]?.id ?? last + 1;
        store = isDiskFull(error) ? inMemory(firstId, error) : anew(firstId, error);
      }
    }
  }

  function closeStore() {
    try {
      store.close();
    } catch {
      // A copy of what the log file has.
    }
  }

  /** What `ask` finds in the book as it is now. */
  function asked<T>(ask: () => T, otherwise: T): T {
    if (closed) return otherwise;
    flush();
    return attempt(ask, []) ?? otherwise;
  }

  function* exportPieces(filter: LogFilter): Iterable<string> {
    const end = asked(() => store.last, 0);
    let from = asked(() => store.first, 1);
    while (from <= end) {
      if (closed) throw new Error('The log was closed before it was read to its end.');
      const to = Math.min(end, from + linesPerLook - 1);
      const lines = asked(() => store.range(filter, from, to), []);
      if (lines.length > 0) yield lines.map(({ text }) => `${text}\n`).join('');
      from = to + 1;
    }
  }

  function aboutOf(operationIds: readonly string[], reference: string | null): About[] {
    const operations = operationIds.map((operationId): About => ({ kind: 'operation', operationId }));
    const frames = operations.flatMap((operation): About[] => {
      const [from] = store.idsAbout(operation, 'oldest', 1);
      const [to] = store.idsAbout(operation, 'newest', 1);
      return from === undefined || to === undefined ? [] : [{ kind: 'frames', from, to }];
    });
    return [
      ...operations,
      ...frames,
      ...(reference === null ? [] : [{ kind: 'reference', reference } as const]),
    ];
  }

  return {
    take(text) {
      if (closed) return;
      fresh.push(text);
      last += 1;
      news.announce();
      if (fresh.length + unsaved.length >= flushAfterLines) flush();
      else cancelFlush ??= clock.after(flushAfterMs, flush);
    },
    page: ({ filter, before, limit }) =>
      asked(() => {
        const { first, last: newest, sources } = store;
        if (newest < first) return { ...empty, sources };
        const below = Math.min(before ?? Infinity, newest + 1);
        const everything =
          filter.minLevel === 'debug' && filter.sources === null && (filter.text ?? '') === '';
        const found = everything
          ? { lines: store.newest(below, limit), from: first }
          : store.search(filter, below, limit);
        // A full page ends with its last line; one that is not full ends where the search has ended.
        const reached = found.lines.length < limit ? found.from : (found.lines.at(-1)?.id ?? first);
        const next = reached > first ? reached : null;
        return { lines: found.lines.map(logLineOf), next, first, last: newest, sources };
      }, empty),
    subscribe: (listener) => news.subscribe(listener),
    export: exportPieces,
    linesAbout: ({ operationIds, reference }) =>
      asked(
        () => {
          const kinds = aboutOf(operationIds, reference);
          const ids = new Set([
            ...kinds.flatMap((what) => store.idsAbout(what, 'oldest', maxCountedLines)),
            ...kinds.flatMap((what) => store.idsAbout(what, 'newest', linesOfEachEnd)),
          ]);
          const ordered = [...ids].sort((one, other) => one - other);
          const all = ordered.length <= linesOfEachEnd * 2;
          const shown = all
            ? ordered
            : [...ordered.slice(0, linesOfEachEnd), ...ordered.slice(-linesOfEachEnd)];
          const lines = shown.flatMap((id) => store.line(id) ?? []).map(logLineOf);
          return { lines, leftOut: ordered.length - shown.length };
        },
        { lines: [], leftOut: 0 },
      ),
    close() {
      if (closed) return;
      flush();
      news.close();
      closed = true;
      closeStore();
    },
  };
}

/** SQLITE_BUSY: another process has the book; it is not ours to throw away. */
function isInUse(error: unknown): boolean {
  return isSqliteError(error) && Number(error.errcode) % 256 === 5;
}

/** SQLITE_FULL: nothing is wrong with the lines in the book; the next start has them again. */
function isDiskFull(error: unknown): boolean {
  return isSqliteError(error) && Number(error.errcode) % 256 === 13;
}

function isSqliteError(error: unknown): error is Error & { errcode: unknown } {
  return error instanceof Error && 'errcode' in error;
}
