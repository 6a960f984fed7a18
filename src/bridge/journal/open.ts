/** Opens a data folder's journal: one writer, made if there is none, looked at before it is trusted. */
import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { preparePrivateFolder, privateFileMode } from '../../base/private-files.ts';
import type { Clock } from '../../base/clock.ts';
import { errorText } from '../../base/error-text.ts';
import { syncFolder } from '../../base/atomic-file.ts';
import type { Log } from '../../log/index.ts';
import { acquireExclusiveLock } from '../locks/index.ts';
import { checkJournal } from './quick-check.ts';
import { isDamage, setAsideJournal, finishSetAside, sqliteCode } from './damage.ts';
import { companions, journalFiles, journalNames, type JournalFiles } from './journal-files.ts';
import { JournalDamagedError, JournalWriteError, type Journal } from './journal.ts';
import { makeQueries, type JournalQueries } from './journal-queries.ts';
import {
  fileVersion,
  keepLessInMemory,
  migrate,
  openForReading,
  openForWriting,
  schemaVersion,
} from './schema.ts';
import { makeStore, type JournalStore } from './store.ts';

export interface OpenOptions {
  folder: string;
  clock: Clock;
  log: Log;
  /** The version of the bridge; goes into the journal at each opening. */
  version: string;
}

type Refused =
  /** Another process, or another bridge in this one, has this data folder. */
  | { kind: 'locked'; message: string }
  /** The file was set aside under the name `setAside`, and a person must choose (`repairJournal`). */
  | { kind: 'damaged'; setAside: string; message: string }
  /** Written by a newer version; untouched. */
  | { kind: 'too_new'; message: string };

export type OpenResult = { kind: 'opened'; journal: Journal } | Refused;
export type StoreResult = { kind: 'opened'; journal: JournalStore } | Refused;

/**
 * Opens the journal in `folder`, which is made if it is missing. Throws `JournalWriteError` when the folder or the disk
 * refuses. The first event of each opening is `journal_opened`; should that one fail to be written, the journal is open
 * all the same and `append` says so again.
 */
export function openJournal(options: OpenOptions): OpenResult {
  return openStore(options);
}

/** `openJournal` with what only this module may do. */
export function openStore(options: OpenOptions): StoreResult {
  const files = journalFiles(options.folder);
  return inFolder(files, () => {
    const lock = acquireExclusiveLock(files.lock);
    if (lock.kind === 'taken') return locked(files);
    try {
      const result = openLocked(files, options, () => lock.release());
      if (result.kind !== 'opened') lock.release();
      return result;
    } catch (error) {
      lock.release();
      throw error;
    }
  });
}

function openLocked(
  files: JournalFiles,
  { clock, log, version }: OpenOptions,
  onClosed: () => void,
): StoreResult {
  const waiting = finishSetAside(files);
  if (waiting !== null)
    return damaged(waiting, 'The journal was found damaged before and waits for a choice.');
  const check = checkJournal(files);
  if (check.kind === 'too_new') return tooNew(files, check.version);
  if (check.kind === 'damaged') return setAside(files, clock, log, check.problem);
  if (check.kind === 'none') {
    prepareFresh(files);
    publishFresh(files);
  }
  try {
    const database = openForWriting(files.main);
    const source = log.with({ source: 'journal' });
    try {
      bringUpToDate(database, source);
      keepLessInMemory(database);
    } catch (error) {
      database.close();
      throw error;
    }
    const journal = makeStore({ database, files, clock, log: source, onClosed });
    recordOpening(journal, version);
    return { kind: 'opened', journal };
  } catch (error) {
    if (error instanceof JournalDamagedError) {
      const found = finishSetAside(files) ?? files.main;
      return damaged(found, error.message);
    }
    if (isDamage(error)) return setAside(files, clock, log, errorText(error));
    throw error;
  }
}

/** May take a minute for millions of payments; a cut leaves the file as it was. */
function bringUpToDate(database: DatabaseSync, log: Log): void {
  const from = fileVersion(database);
  if (from === schemaVersion) return;
  log.info('the journal is brought from an older format to the present one', { from, to: schemaVersion });
  migrate(database);
}

function recordOpening(journal: JournalStore, version: string): void {
  try {
    journal.append({ type: 'journal_opened', version });
  } catch (error) {
    // The store has logged it. Payments are refused as long as it stays so, and answers can still be given.
    if (error instanceof JournalDamagedError || !(error instanceof JournalWriteError)) {
      journal.close();
      throw error;
    }
  }
}

/**
 * Makes an empty journal under another name. It gets the right one when it is whole, so a journal that is half made or
 * empty can only be damage. What an earlier try left is not a journal yet and goes away.
 */
export function prepareFresh(files: JournalFiles): void {
  for (const suffix of companions) rmSync(files.fresh + suffix, { force: true });
  closeSync(openSync(files.fresh, 'wx', privateFileMode));
  const database = openForWriting(files.fresh);
  try {
    migrate(database);
  } finally {
    // The last connection brings everything into the file itself.
    database.close();
  }
}

/** Puts the journal under its name. Nothing of another journal may be in the way but empty companions. */
export function publishFresh(files: JournalFiles): void {
  for (const suffix of companions.slice(1)) rmSync(files.main + suffix, { force: true });
  renameSync(files.fresh, files.main);
  const highWaterMark = `${files.fresh}-mark`;
  if (existsSync(highWaterMark)) renameSync(highWaterMark, `${files.main}-mark`);
  syncFolder(files.folder);
}

export type ReadOnlyJournal = JournalQueries & { close(): void };

export type ReadOnlyResult =
  | { kind: 'opened'; journal: ReadOnlyJournal }
  | { kind: 'none'; message: string }
  | Exclude<Refused, { kind: 'locked' }>;

/**
 * Opens the journal for queries, also while a bridge writes it. Changes nothing and sets nothing aside. Throws
 * `JournalWriteError` when the folder or the disk refuses.
 */
export function openJournalReadOnly(folder: string): ReadOnlyResult {
  const files = journalFiles(folder);
  return withJournalErrors(files, () => {
    const check = checkJournal(files);
    if (check.kind === 'none') return { kind: 'none', message: `There is no journal in ${folder}.` };
    if (check.kind === 'too_new') return tooNew(files, check.version);
    if (check.kind === 'damaged') return damaged(files.main, check.problem);
    const database = openForReading(files.main);
    const queries = makeQueries(database, (query) => withReadErrors(files, query));
    return { kind: 'opened', journal: { ...queries, close: () => database.close() } };
  });
}

/** Runs `read` on a file that is only read. Throws `JournalDamagedError`, or `JournalWriteError` for all else that SQLite says. */
export function withReadErrors<T>({ folder }: JournalFiles, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const why = errorText(error);
    if (isDamage(error))
      throw new JournalDamagedError(`The journal in ${folder} is damaged: ${why}.`, { cause: error });
    if (sqliteCode(error) === null) throw error;
    throw new JournalWriteError(`The journal in ${folder} cannot be read further: ${why}`, { cause: error });
  }
}

/** Runs `work` with the folder in place, in which nobody else can change the journal's files. */
export function inFolder<T>(files: JournalFiles, work: () => T): T {
  return withJournalErrors(files, () => {
    preparePrivateFolder(files.folder, journalNames);
    return work();
  });
}

/** What the folder or the disk refuses becomes a sentence that names the folder. */
export function withJournalErrors<T>(files: JournalFiles, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof JournalWriteError) throw error;
    const why = errorText(error);
    throw new JournalWriteError(`The journal in ${files.folder} cannot be opened: ${why}`, { cause: error });
  }
}

export function locked(files: JournalFiles): Refused {
  return {
    kind: 'locked',
    message: `Another bridge is using the data folder ${files.folder}. Stop that one first.`,
  };
}

export function tooNew(files: JournalFiles, version: number): Refused & { kind: 'too_new' } {
  return {
    kind: 'too_new',
    message: `The journal in ${files.folder} was written by a newer Tillbridge (format ${version}). Use that version.`,
  };
}

function setAside(files: JournalFiles, clock: Clock, log: Log, problem: string): Refused {
  const name = setAsideJournal(files, clock.now());
  log.error('the journal is damaged and was set aside', { source: 'journal', problem, set_aside: name });
  return damaged(name, problem);
}

function damaged(setAside: string, problem: string): Refused & { kind: 'damaged' } {
  return {
    kind: 'damaged',
    setAside,
    // SQLite's own words have no full stop.
    message: `${problem.replace(/\.?$/, '.')} The file is kept as ${setAside}. No payment starts until a person has chosen what to do.`,
  };
}
