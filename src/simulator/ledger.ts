/** The ledger file: JSON lines, one fact each, only ever appended to. It is the terminal's only memory. */
import { appendFileSync, closeSync, existsSync, ftruncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolders, openToAppend, openToChange, readPlainFile } from '../base/private-files.ts';
import type { Log } from '../log/index.ts';
import { factSchema, type Fact } from './facts.ts';

export class LedgerError extends Error {
  override name = 'LedgerError';
}

/** Millions of payments; more would not fit into memory. */
const maxLedgerBytes = 1024 * 1024 * 1024;

export interface Ledger {
  /** What it held when it was opened, oldest first. */
  readonly facts: readonly Fact[];
  /** Adds facts that belong together in one write. Throws when the disk refuses. */
  append(facts: readonly Fact[]): void;
}

/**
 * Opens (or begins) a ledger. A damaged last line is the trace of a crash in the middle of a write and is cut off;
 * any other damage throws `LedgerError` that names the line, because a terminal must not guess what it has charged.
 */
export function openLedger(file: string, log: Log): Ledger {
  makeFolders(dirname(file));
  const facts = existsSync(file) ? readLedger(file, log) : [];
  return {
    facts,
    append(more) {
      append(file, more.map((fact) => `${JSON.stringify(fact)}\n`).join(''));
    },
  };
}

function readLedger(file: string, log: Log): Fact[] {
  const content = readPlainFile(file, { maxBytes: maxLedgerBytes });
  const facts: Fact[] = [];
  let start = 0;
  let lineNumber = 0;
  while (start < content.length) {
    lineNumber += 1;
    const lineFeed = content.indexOf('\n', start);
    const end = lineFeed === -1 ? content.length : lineFeed;
    const line = content.toString('utf8', start, end);
    const isLast = end >= content.length - 1;
    const fact = line === '' ? null : parseEvent(line);
    if (fact !== null) {
      facts.push(fact);
      if (lineFeed === -1) append(file, '\n');
    } else if (isLast && line !== '') {
      log.warn('the last line of the ledger is damaged and was cut off', { file, line: lineNumber });
      cutOff(file, start);
    } else if (line !== '') {
      throw new LedgerError(`line ${lineNumber} of the simulator's ledger ${file} is damaged`);
    }
    start = end + 1;
  }
  return facts;
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

function parseEvent(line: string): Fact | null {
  try {
    const parsed = factSchema.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
