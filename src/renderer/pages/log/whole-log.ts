/**
 * The log without a filter. Its lines have numbers without gaps, so each row is known by its number before its line is
 * there: the list has `last − first + 1` rows at once, and fetches those that are on the screen.
 */
import type {
  ConsoleChange,
  LogResponse,
  LogLine,
  ConsoleRefusal,
  ConsoleResult,
} from '../../../contract/console/index.ts';
import type { ConsoleClient } from '../../store/console-client.ts';
import { createFrameUpdates, nothingFolded, wholeLog, type LogView } from './log-view.ts';

/** How many pages are fetched at the same time. */
const maxRequested = 4;
/** Rows beyond the screen that are fetched with it: ahead of where it moves, and behind. */
const rowsAhead = 200;
const rowsBehind = 60;

export function createWholeLog(client: ConsoleClient): LogView {
  const pages = createLinePages();
  const updates = createFrameUpdates();
  /** Pages that are being fetched. */
  const requested = new Set<number>();
  /** Null until the first response; both 0 while there is no line. */
  let range: { first: number; last: number } | null = null;
  let shift = 0;
  let sources: readonly string[] = [];
  let refusal: ConsoleRefusal | null = null;
  let shown = { from: 0, to: -1 };
  let goesUp = true;
  let isOpen = false;

  const isEmpty = () => range === null || range.last === 0;

  async function fetchNewest() {
    const result = await client.invoke('log', { filter: wholeLog, before: null, limit: linesPerPage });
    if (!isOpen) return;
    refusal = result.ok ? null : result.refusal;
    if (result.ok) learn(result.value);
    updates.changed();
  }

  function learn(response: LogResponse) {
    for (const line of response.lines) pages.put(line);
    sources = response.sources;
    if (range === null || isEmpty()) {
      range = { first: response.first, last: response.last };
    } else if (response.last > 0) {
      // The oldest lines go when the log is full.
      const first = Math.max(range.first, response.first);
      shift -= first - range.first;
      range = { first, last: Math.max(range.last, response.last) };
    }
    fill();
  }

  function onChange(change: ConsoleChange) {
    if (change.kind !== 'log') return;
    for (const line of change.lines) pages.put(line);
    if (range === null) return;
    if (isEmpty()) void fetchNewest();
    else range = { ...range, last: Math.max(range.last, change.last, change.lines.at(-1)?.id ?? 0) };
    for (const { source } of change.lines) {
      if (!sources.includes(source)) sources = [...sources, source].sort();
    }
    fill();
    updates.changed();
  }

  /** Fetches what is on the screen and not known. */
  function fill() {
    if (range === null || isEmpty() || refusal !== null) return;
    const { first, last } = range;
    const from = Math.max(first, first + shown.from - (goesUp ? rowsAhead : rowsBehind));
    const to = Math.min(last, first + shown.to + (goesUp ? rowsBehind : rowsAhead));
    if (to < from) return;
    pages.use(pageOf(from), pageOf(to));
    for (let page = pageOf(from); page <= pageOf(to) && requested.size < maxRequested; page++) {
      if (!requested.has(page) && isMissing(page, from, to)) void fetchPage(page);
    }
  }

  function isMissing(page: number, from: number, to: number): boolean {
    const end = Math.min(to, (page + 1) * linesPerPage - 1);
    for (let id = Math.max(from, page * linesPerPage); id <= end; id++) {
      if (pages.get(id) === undefined) return true;
    }
    return false;
  }

  async function fetchPage(page: number) {
    requested.add(page);
    const start = page * linesPerPage;
    let before: number | null = start + linesPerPage;
    while (before !== null && before > start) {
      const limit = before - start;
      const result: ConsoleResult<LogResponse> = await client.invoke('log', {
        filter: wholeLog,
        before,
        limit,
      });
      if (!isOpen) return;
      if (!result.ok) {
        refusal = result.refusal;
        break;
      }
      const value: LogResponse = result.value;
      before = value.next !== null && value.next < before ? value.next : null;
      if (before === null || before <= start) {
        for (const line of value.lines) pages.put(line);
        pages.complete(page, value.last);
      }
      learn(value);
    }
    requested.delete(page);
    fill();
    updates.changed();
  }

  function lineAt(row: number): LogLine | null {
    return range === null ? null : (pages.get(range.first + row) ?? null);
  }

  return {
    ...nothingFolded,
    open() {
      isOpen = true;
      const stop = client.onChange(onChange);
      void fetchNewest();
      return () => {
        isOpen = false;
        requested.clear();
        stop();
      };
    },
    snapshot: () => ({
      rows: range === null ? null : isEmpty() ? 0 : range.last - range.first + 1,
      lines: range === null || isEmpty() ? 0 : range.last - range.first + 1,
      shift,
      last: range?.last ?? 0,
      arrived: range?.last ?? 0,
      sources,
      older: 'all',
      refusal,
    }),
    lineAt,
    idAt(row) {
      if (range === null || isEmpty() || row < 0) return null;
      return range.first + row <= range.last ? range.first + row : null;
    },
    rowOf(id) {
      if (range === null || isEmpty() || id < range.first || id > range.last) return null;
      return id - range.first;
    },
    show(from, to) {
      if (from !== shown.from) goesUp = from < shown.from;
      shown = { from, to };
      fill();
    },
    // Rows keep their numbers whatever comes: nothing is dropped from under a reader.
    follow: () => undefined,
    stopSearch: () => undefined,
    goOnSearching: () => undefined,
    retry() {
      refusal = null;
      if (range === null) void fetchNewest();
      else fill();
    },
    subscribe: updates.subscribe,
    version: updates.version,
  };
}

const linesPerPage = 200;
const maxPages = 40;

/** Lines of the log by their number, in pages, of which only the ones used last are kept. */
interface LinePages {
  /** Undefined: not known. Null: known not to be there. */
  get(id: number): LogLine | null | undefined;
  put(line: LogLine): void;
  /** No more is to be expected in this page than what was put: other numbers up to `last` are not there. */
  complete(page: number, last: number): void;
  /** These pages are on the screen and stay, whatever comes. */
  use(from: number, to: number): void;
}

function pageOf(id: number): number {
  return Math.floor(id / linesPerPage);
}

function createLinePages(): LinePages {
  /** In the order of their use. */
  const pages = new Map<number, (LogLine | null | undefined)[]>();
  let used = { from: 0, to: -1 };

  function page(number: number) {
    const known = pages.get(number);
    if (known !== undefined) return known;
    const fresh = Array.from<LogLine | null | undefined>({ length: linesPerPage });
    pages.set(number, fresh);
    if (pages.size > maxPages) dropOldest();
    return fresh;
  }

  function dropOldest() {
    for (const number of pages.keys()) {
      if (number >= used.from && number <= used.to) continue;
      pages.delete(number);
      return;
    }
  }

  return {
    get: (id) => pages.get(pageOf(id))?.[id % linesPerPage],
    put(line) {
      page(pageOf(line.id))[line.id % linesPerPage] = line;
    },
    complete(number, last) {
      const lines = page(number);
      for (let index = 0; index < linesPerPage && number * linesPerPage + index <= last; index++) {
        if (lines[index] === undefined) lines[index] = null;
      }
    },
    use(from, to) {
      used = { from, to };
      for (let number = from; number <= to; number++) {
        const lines = pages.get(number);
        if (lines === undefined) continue;
        pages.delete(number);
        pages.set(number, lines);
      }
    },
  };
}
