/** The newest events of a journal as JSON lines, masked once more. */
import { existsSync } from 'node:fs';
import type { JournalReading } from '../../bridge/bridge.ts';
import { exportJournal, journalFiles } from '../../bridge/journal/index.ts';
import { maskLine } from '../../log/index.ts';

/** More than a busy shop makes in a week. */
export const maxEvents = 20_000;
const pageEvents = 500;
/** Of these a shop has a handful; more than this helps nobody. */
const maxDiscrepancies = 1_000;

/**
 * Goes through an open journal by pages, so that it holds up a payment no longer than a page takes. Never opens the
 * file other than by SQLite: closing it would take the locks from the journal that is open here. Throws
 * `JournalWriteError` when it cannot be read further. `lastSeq` is its newest event.
 */
export function* journalExtract(folder: string, lastSeq: number): Generator<string> {
  if (!existsSync(journalFiles(folder).main)) return;
  for (let after = Math.max(0, lastSeq - maxEvents); after < lastSeq; after += pageEvents) {
    const lines: string[] = [];
    exportJournal(folder, (line) => lines.push(`${maskLine(line)}\n`), {
      after,
      last: Math.min(after + pageEvents, lastSeq),
    });
    yield lines.join('');
  }
}

/** What terminal and journal disagreed about, open and acknowledged, newest first, masked once more. */
export function* discrepancyExtract(journal: Pick<JournalReading, 'discrepancies'>): Generator<string> {
  for (const discrepancy of journal.discrepancies({ limit: maxDiscrepancies })) {
    yield `${maskLine(JSON.stringify(discrepancy))}\n`;
  }
}
