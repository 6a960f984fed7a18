/**
 * A lock between the processes of one user that the operating system gives back when its holder dies, however it dies:
 * the exclusive transaction of a tiny SQLite file in which nothing is ever written. It also excludes a second holder in
 * the same process. Node has no file locks of its own, and a file with a process id in it outlives a `kill -9`.
 */
import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { demandOwnFile, makeFolders, privateFileMode } from '../../base/private-files.ts';

export type ExclusiveLock =
  { kind: 'held'; /** Gives the lock back; may be called twice. */ release(): void } | { kind: 'taken' };

/** Two that ask in the same instant can hinder each other; one of them gets it within this time. */
const contentionMs = 20;
const sqliteBusy = 5;

/** Keeps locks from being collected, and so given back, while their caller has forgotten them. */
const held = new Set<DatabaseSync>();

/**
 * Takes the lock that `file` stands for, or says that somebody has it: at once, or when nobody has given it back in
 * `waitMs`, in which this process does nothing else. The file and its folder are made if they are missing, and stay
 * afterwards: removing it would let a second holder in. Throws when the file cannot be made,
 * opened or locked for another reason than a holder, and `UnsafeFileError` when it is no file of this user's own.
 */
export function acquireExclusiveLock(file: string, waitMs = 0): ExclusiveLock {
  makeFile(file);
  const url = pathToFileURL(file);
  url.searchParams.set('mode', 'rw');
  const database = new DatabaseSync(url, { timeout: Math.max(contentionMs, waitMs) });
  try {
    // No file for a rollback that will never be.
    database.exec('PRAGMA journal_mode = MEMORY');
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (isBusy(error)) return { kind: 'taken' };
    throw error;
  }
  held.add(database);
  return {
    kind: 'held',
    release() {
      if (!held.delete(database)) return;
      database.exec('ROLLBACK');
      database.close();
    },
  };
}

/**
 * Never opens a file that exists: closing it again would drop the POSIX locks that this process has on it.
 */
function makeFile(file: string): void {
  makeFolders(dirname(file));
  demandOwnFile(file);
  try {
    closeSync(openSync(file, 'wx', privateFileMode));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return;
    throw error;
  }
}

/** Extended codes carry the primary one in their low byte. */
function isBusy(error: unknown): boolean {
  return (
    error instanceof Error &&
    'errcode' in error &&
    typeof error.errcode === 'number' &&
    (error.errcode & 0xff) === sqliteBusy
  );
}
