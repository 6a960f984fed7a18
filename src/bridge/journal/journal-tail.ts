/**
 * A journal read beside its writer, in pages: for whoever sends it elsewhere. Each call opens the file, reads a little and
 * closes it, all in one turn of the event loop: no transaction holds up the writer, and a journal that is set aside is not
 * held open.
 */
import { chainStart, type ChainHead, type EventRow } from './chain.ts';
import { lineOf, readBesideWriter } from './export.ts';
import { headOf } from './quick-check.ts';

/** Of one call, so that nothing else in this process waits longer than some milliseconds. */
const maxLinesAtOnce = 250;

export interface JournalTail {
  /** The newest event; the place before the first one where there is none. */
  head(): ChainHead;
  /** The event `seq`; the place before the first one for 0. Null: there is no such event. */
  placeAt(seq: number): ChainHead | null;
  /** Those of the events `seqs` that there are, in their order. */
  placesAt(seqs: readonly number[]): ChainHead[];
  /** The events that follow on `after`, at most some hundred of them: to be asked again for those that follow. */
  lines(after: number, maxEvents: number, maxBytes: number): JournalPage;
}

interface JournalPage {
  /** As `exportJournal` writes them. The first one may be longer than was asked for, the others only as far as they fit. */
  lines: string[];
  /** Of all of them, each with a line break. */
  bytes: number;
  /** The last of these events; where there are none, the one that they would have followed on. */
  lastSeq: number;
}

/** Each method throws `JournalWriteError` when there is no journal in `folder` or it cannot be read. */
export function journalTail(folder: string): JournalTail {
  const placesAt = (seqs: readonly number[]) =>
    readBesideWriter(folder, (database) => {
      const place = database.prepare('SELECT seq, hash FROM events WHERE seq = ?');
      return seqs.flatMap((seq) => {
        if (seq === 0) return [chainStart];
        const row = place.get(seq) as ChainHead | undefined;
        return row === undefined ? [] : [{ seq: row.seq, hash: row.hash }];
      });
    });
  return {
    head: () => readBesideWriter(folder, headOf),
    placeAt: (seq) => placesAt([seq])[0] ?? null,
    placesAt,
    lines: (after, maxEvents, maxBytes) =>
      readBesideWriter(folder, (database) => {
        const page: JournalPage = { lines: [], bytes: 0, lastSeq: after };
        const rows = database.prepare('SELECT * FROM events WHERE seq > ? ORDER BY seq LIMIT ?');
        for (const row of rows.iterate(after, Math.min(maxEvents, maxLinesAtOnce))) {
          const event = row as unknown as EventRow;
          const line = lineOf(event);
          const bytes = Buffer.byteLength(line) + 1;
          if (page.lines.length > 0 && page.bytes + bytes > maxBytes) break;
          page.lines.push(line);
          page.bytes += bytes;
          page.lastSeq = event.seq;
        }
        return page;
      }),
  };
}
