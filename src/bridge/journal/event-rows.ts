/** Walks the event table in pages, so that no long transaction keeps the writer from trimming its files. */
import type { DatabaseSync } from 'node:sqlite';
import type { EventRow } from './chain.ts';

const pageRows = 1_000;

/** Rows after `after` up to and with `last`, in order. Throws where the file cannot be read. */
export function* eventRows(database: DatabaseSync, after: number, last: number): Generator<EventRow> {
  const page = database.prepare('SELECT * FROM events WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?');
  let seen = after;
  for (;;) {
    const rows = page.all(seen, last, pageRows) as unknown as EventRow[];
    yield* rows;
    const newest = rows.at(-1);
    if (newest === undefined || rows.length < pageRows) return;
    seen = newest.seq;
  }
}

/** What of rows 1 to `last` can be read, in order; steps over the places that cannot. */
export function* readableRows(database: DatabaseSync, last: number): Generator<EventRow> {
  const range = database.prepare('SELECT * FROM events WHERE seq BETWEEN ? AND ? ORDER BY seq');
  const read = (from: number, to: number): EventRow[] | null => {
    try {
      return range.all(from, to) as unknown as EventRow[];
    } catch {
      return null;
    }
  };
  for (let from = 1; from <= last; from += pageRows) {
    const to = Math.min(from + pageRows - 1, last);
    const rows = read(from, to);
    if (rows !== null) {
      yield* rows;
      continue;
    }
    for (let seq = from; seq <= to; seq += 1) yield* read(seq, seq) ?? [];
  }
}
