/** Lines of the log by their number, in pages, of which only the ones used last are kept. */
import type { LogLine } from '../../../contract/console/index.ts';

export const linesPerPage = 200;
const maxPages = 40;

export interface LinePages {
  /** Undefined: not known. Null: known not to be there. */
  get(id: number): LogLine | null | undefined;
  put(line: LogLine): void;
  /** No more is to be expected in this page than what was put: other numbers up to `last` are not there. */
  complete(page: number, last: number): void;
  /** These pages are on the screen and stay, whatever comes. */
  use(from: number, to: number): void;
}

export function pageOf(id: number): number {
  return Math.floor(id / linesPerPage);
}

export function createLinePages(): LinePages {
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
