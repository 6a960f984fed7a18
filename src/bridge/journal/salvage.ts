/** Reads what can still be read of a set-aside journal. The set-aside files themselves are only read. */
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { journalEventSchema, type JournalEvent } from '../../contract/journal-events.ts';
import { chainStart, linkProblem, type ChainHead, type EventRow, readableRows } from './chain.ts';
import { headOf } from './quick-check.ts';
import { isDamage } from './damage.ts';
import { companions } from './journal-files.ts';
import { readHighWaterMark } from './high-water-mark.ts';
import { openForReading } from './schema.ts';
import type { StampedEvent } from './tables.ts';

/** No event takes less room than this, so no file holds more events than its size divided by it. In bytes. */
const leastEventBytes = 100;
const pageBytes = 4096;
/** Where SQLite's header says for which change counter its page count holds; zero lets the file's size count. */
const versionValidForOffset = 92;

export interface Source {
  /** How many events there should be, as far as anything tells. */
  expected: number;
  /** The high-water mark beside it tells that number; without it, events could be missing at the end that nobody knows of. */
  hasHighWaterMark: boolean;
  /**
   * The events that can be read, in order: as far as the chain holds without a break; then each one that fits its hash
   * and the one stored before it, or, right after a hole, is at least a whole event.
   */
  events(): Iterable<StampedEvent>;
  close(): void;
}

/**
 * Opens the set-aside journal, through a mended copy named `scratch` if it is past opening. `template` is an empty
 * journal, closed.
 */
export function openSource(setAside: string, scratch: string, template: string): Source {
  const highWaterMark = readHighWaterMark(`${setAside}-mark`);
  const markedSeq = highWaterMark?.seq ?? 0;
  const database = openWhole(setAside) ?? openMended(setAside, scratch, template);
  const last = database === null ? 0 : lastSeqIn(database, setAside);
  return {
    expected: Math.max(last, markedSeq),
    hasHighWaterMark: highWaterMark !== null,
    events: () => (database === null ? [] : salvagedEvents(database, Math.max(last, markedSeq))),
    close() {
      database?.close();
      for (const suffix of companions) rmSync(scratch + suffix, { force: true });
    },
  };
}

/** An empty file is not opened: SQLite would take its write-ahead file away. */
function openWhole(file: string): DatabaseSync | null {
  if (sizeOf(file) === 0) return null;
  return openIfReadable(file);
}

/**
 * The first page of every journal of one format is the same but for counters, so a copy gets a new one; where the file
 * is shorter than an empty journal, the rest as well. That mends a destroyed header or a file that was cut off.
 */
function openMended(setAside: string, scratch: string, template: string): DatabaseSync | null {
  for (const suffix of companions) rmSync(scratch + suffix, { force: true });
  if (existsSync(setAside)) copyFileSync(setAside, scratch);
  if (existsSync(`${setAside}-wal`)) copyFileSync(`${setAside}-wal`, `${scratch}-wal`);
  const whole = readFileSync(template);
  const size = sizeOf(scratch);
  const kept = size - (size % pageBytes);
  const handle = openSync(scratch, existsSync(scratch) ? 'r+' : 'w+', 0o600);
  try {
    if (kept < whole.length) writeSync(handle, whole, kept, whole.length - kept, kept);
    const first = Buffer.from(whole.subarray(0, pageBytes));
    first.writeUInt32BE(0, versionValidForOffset);
    writeSync(handle, first, 0, pageBytes, 0);
  } finally {
    closeSync(handle);
  }
  return openIfReadable(scratch);
}

function openIfReadable(file: string): DatabaseSync | null {
  let database: DatabaseSync | null = null;
  try {
    database = openForReading(file);
    database.prepare('SELECT seq FROM events LIMIT 1').get();
    return database;
  } catch (error) {
    database?.close();
    // Whatever else: a file without our tables is as good as none.
    if (isDamage(error) || (error instanceof Error && 'errcode' in error)) return null;
    throw error;
  }
}

/** The newest event that anything in the file speaks of, within what a file of this size can hold. */
function lastSeqIn(database: DatabaseSync, file: string): number {
  const most = Math.ceil((sizeOf(file) + sizeOf(`${file}-wal`)) / leastEventBytes);
  try {
    const { seq } = headOf(database);
    return Number.isSafeInteger(seq) && seq <= most ? seq : 0;
  } catch {
    return 0;
  }
}

function* salvagedEvents(database: DatabaseSync, last: number): Generator<StampedEvent> {
  let previous: ChainHead = chainStart;
  let sound = true;
  for (const row of readableRows(database, last)) {
    const fits = linkProblem(previous, row) === null;
    const afterHole = row.seq !== previous.seq + 1;
    sound &&= fits;
    previous = { seq: row.seq, hash: row.hash };
    if (!fits && !afterHole) continue;
    const entry = eventOf(row, sound);
    if (entry !== null) yield entry;
  }
}

/** An event of the unbroken chain is what was written; a later one must at least have the form of one. */
function eventOf({ at, body }: EventRow, sound: boolean): StampedEvent | null {
  try {
    const event = JSON.parse(body) as JournalEvent;
    if (!sound && (typeof at !== 'string' || !journalEventSchema.safeParse(event).success)) return null;
    return { at, event };
  } catch {
    return null;
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
