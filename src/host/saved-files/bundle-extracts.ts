/** What a support bundle holds of the journal, the log's files and the log store: JSON lines, masked once more. */
import path from 'node:path';
import { createReadStream, existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import type { JournalReading } from '../../bridge/bridge.ts';
import { exportJournal, journalFiles } from '../../bridge/journal/index.ts';
import { type LogLine, type LogRequest, maxLogPage } from '../../contract/console/index.ts';
import { type LogStore, maskLine } from '../../log/index.ts';

/** Of the journal: more than a busy shop makes in a week. */
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

/** By name, so that no database beside them is touched: closing one would take its locks from whoever uses it here. */
const logFilePattern = /^(?:tillbridge(?:\.(\d+))?\.log|capture(?:-[^/]+?)?(?:\.(\d+))?\.jsonl)$/;
/** A line that is longer is no line of ours. */
const maxLineLength = 1024 * 1024;

/** Full paths, the newest file first; none where there is no such folder. */
export async function logFilesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .flatMap((name) => {
      const match = logFilePattern.exec(name);
      return match === null ? [] : [{ name, age: Number(match[1] ?? match[2] ?? 0) }];
    })
    .toSorted((one, other) => one.age - other.age)
    .map(({ name }) => path.join(folder, name));
}

/** Names of the reports that `writeFaultReport` has left in `folder`, oldest first; none where there is no such folder. */
export async function faultReportsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => /^fault-[\w-]+\.txt$/.test(name)).toSorted();
}

/** Pieces of whole masked lines, from a file that may still be written. Rejects when it cannot be read. */
export async function* maskedLines(file: string): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of createReadStream(file, { encoding: 'utf8' })) {
    const lines = `${rest}${String(piece)}`.split('\n');
    rest = lines.pop() ?? '';
    // Nothing of what cannot be masked as a whole.
    if (rest.length > maxLineLength) rest = '';
    yield lines.map((line) => (line === '' ? '' : `${maskLine(line)}\n`)).join('');
  }
  if (rest !== '') yield `${maskLine(rest)}\n`;
}

/** About what a day of 500 payments writes. */
const maxExtractLines = 20_000;

const everything: LogRequest['filter'] = { minLevel: 'debug', sources: null, text: null };

/** Oldest first, a piece for each page, so that it holds up a payment no longer than a page takes. */
export function* logExtract(store: LogStore): Generator<string> {
  const { first, last } = store.page({ filter: everything, before: null, limit: 1 });
  // Numbers have no gaps, so pages can be asked for in the order of time.
  for (let from = Math.max(first, last - maxExtractLines + 1); from <= last; from += maxLogPage) {
    const { lines } = store.page({
      filter: everything,
      before: Math.min(from + maxLogPage, last + 1),
      limit: Math.min(maxLogPage, last + 1 - from),
    });
    yield lines
      .toReversed()
      .map((line) => `${maskLine(JSON.stringify(withColons(line)))}\n`)
      .join('');
  }
}

/**
 * A frame's bytes with colons between them, as the log's files have them: the mask takes blanks for what people write
 * between the digits of a card number, and would eat bytes that have been masked field by field already.
 */
function withColons(line: LogLine): LogLine {
  const { hex } = line.fields;
  return typeof hex === 'string'
    ? { ...line, fields: { ...line.fields, hex: hex.replaceAll(' ', ':') } }
    : line;
}
