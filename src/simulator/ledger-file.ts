/**
 * The file of a simulated terminal's ledger: JSON lines, one entry each, only ever appended to. It is the terminal's only
 * memory; what an entry says is the protocol's.
 */
import { appendFileSync, closeSync, existsSync, ftruncateSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { makeFolders, openToAppend, openToChange, readPlainFile } from '../base/private-files.ts';
import type { Log } from '../log/index.ts';

export class LedgerError extends Error {
  override name = 'LedgerError';
}

/** Millions of payments; more would not fit into memory. */
const maxLedgerBytes = 1024 * 1024 * 1024;

export interface Ledger<Entry> {
  /** What it held when it was opened, oldest first. */
  readonly entries: readonly Entry[];
  /** Adds entries that belong together in one write. Throws when the disk refuses. */
  append(entries: readonly Entry[]): void;
}

/**
 * Opens (or begins) a ledger. A last line that is no object of JSON is the trace of a crash in the middle of a write and is cut off;
 * any other damage throws `LedgerError` that names the line, because a terminal must not guess what it has charged. So
 * does the ledger of another protocol.
 */
export function openLedgerFile<Entry>(file: string, schema: z.ZodType<Entry>, log: Log): Ledger<Entry> {
  makeFolders(dirname(file));
  const entries = existsSync(file) ? readLedger(file, schema, log) : [];
  return {
    entries,
    append(more) {
      append(file, more.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    },
  };
}

function readLedger<Entry>(file: string, schema: z.ZodType<Entry>, log: Log): Entry[] {
  const content = readPlainFile(file, { maxBytes: maxLedgerBytes });
  const entries: Entry[] = [];
  let start = 0;
  let lineNumber = 0;
  while (start < content.length) {
    lineNumber += 1;
    const lineFeed = content.indexOf('\n', start);
    const end = lineFeed === -1 ? content.length : lineFeed;
    const line = content.toString('utf8', start, end);
    const isLast = end >= content.length - 1;
    const value = line === '' ? null : parseLine(line);
    const entry = value === null ? null : schema.safeParse(value);
    if (entry?.success === true) {
      entries.push(entry.data);
      if (lineFeed === -1) append(file, '\n');
    } else if (isLast && line !== '' && value === null) {
      log.warn('the last line of the ledger is damaged and was cut off', { file, line: lineNumber });
      cutOff(file, start);
    } else if (line !== '') {
      throw new LedgerError(`line ${lineNumber} of the simulator's ledger ${file} is damaged`);
    }
    start = end + 1;
  }
  return entries;
}

/** Null: nothing that a terminal would write. */
function parseLine(line: string): object | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

function append(file: string, text: string): void {
  using(openToAppend(file), (descriptor) => appendFileSync(descriptor, text));
}

function cutOff(file: string, length: number): void {
  using(openToChange(file), (descriptor) => ftruncateSync(descriptor, length));
}

function using(descriptor: number, work: (descriptor: number) => void): void {
  try {
    work(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
