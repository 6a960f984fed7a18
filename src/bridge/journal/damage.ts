/**
 * A damaged journal is set aside under another name, whole and for good; nothing here deletes one. As long as there is
 * one set aside and no journal in its place, every start says so, until a person has chosen (`repair.ts`).
 */
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { companions, type JournalFiles } from './journal-files.ts';
import { syncFolder } from '../../base/atomic-file.ts';

const sqliteCorrupt = 11;
const sqliteNotADatabase = 26;

const setAsideName =
  /^(journal-damaged-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z\.sqlite)(-wal|-shm|-mark)?$/;

/** The number that SQLite gave an error (its primary code), or null for errors of other origin. */
export function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null;
  return error.errcode & 0xff;
}

/** Whether an error while rows were read says that the file is damaged: SQLite's own word, or a row that is garbage. */
export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  if (code !== null) return code === sqliteCorrupt || code === sqliteNotADatabase;
  if (error instanceof SyntaxError) return true;
  return error instanceof RangeError && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';
}

/** The set-aside journal that waits for a person's choice, or null. */
export function waitingSetAside(files: JournalFiles): string | null {
  const newest = setAsideNames(files.folder).at(-1);
  return newest === undefined || existsSync(files.main) ? null : join(files.folder, newest);
}

/** The same for the one who holds the lock: brings a setting aside to its end that was cut off. */
export function finishSetAside(files: JournalFiles): string | null {
  const waiting = waitingSetAside(files);
  if (waiting !== null) moveCompanions(files, waiting);
  return waiting;
}

/**
 * Gives the journal's files another name in the same folder and returns it. `now` (milliseconds since 1970) makes the
 * name; should the clock have been set back, the name still sorts after the older ones. No connection may be open.
 */
export function setAsideJournal(files: JournalFiles, now: number): string {
  const newest = setAsideNames(files.folder).at(-1);
  const setAside = join(files.folder, nameAfter(newest, now));
  moveCompanions(files, setAside);
  return setAside;
}

/** The journal itself goes first: without it nothing can be taken for a sound one that only lacks its newest events. */
function moveCompanions(files: JournalFiles, setAside: string): void {
  let moved = false;
  for (const suffix of companions) {
    if (!existsSync(files.main + suffix) || existsSync(setAside + suffix)) continue;
    renameSync(files.main + suffix, setAside + suffix);
    moved = true;
  }
  if (moved) syncFolder(files.folder);
}

/** Names of set-aside journals, oldest first; also of one of which only companions were left. */
export function setAsideNames(folder: string): string[] {
  const names = new Set<string>();
  for (const name of readdirSync(folder)) {
    const [, base] = setAsideName.exec(name) ?? [];
    if (base !== undefined) names.add(base);
  }
  return [...names].sort();
}

function nameAfter(newest: string | undefined, now: number): string {
  const name = nameOf(now);
  if (newest === undefined || name > newest) return name;
  const [, , year, month, day, hour, minute, second, milli] = setAsideName.exec(newest) ?? [];
  return nameOf(Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${milli}Z`) + 1);
}

function nameOf(now: number): string {
  return `journal-damaged-${new Date(now).toISOString().replace(/[-:.]/g, '')}.sqlite`;
}
