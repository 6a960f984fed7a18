/** The journal on an open file: events in, one synced transaction each; queries out; subscribers notified. */
import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../base/clock.ts';
import { errorText } from '../../base/error-text.ts';
import { createEmitter } from '../../base/emitter.ts';
import type { StoredEvent } from '../../contract/journal-events.ts';
import type { Log } from '../../log/index.ts';
import { makeQueryCache } from './query-cache.ts';
import type { ChainHead } from './chain.ts';
import { isDamage, setAsideJournal } from './damage.ts';
import type { JournalFiles } from './journal-files.ts';
import { JournalDamagedError, JournalRuleError, JournalWriteError, type Journal } from './journal.ts';
import { openHighWaterMark } from './high-water-mark.ts';
import { makeQueries, type QueryValue } from './journal-queries.ts';
import { withMemory } from './memory.ts';
import type { QueryName } from './query-sql.ts';
import { makeTables, writeEvents, type StampedEvent } from './tables.ts';
import { createUpkeep } from './upkeep.ts';

/** The journal as this module sees it. */
export interface JournalStore extends Journal {
  /** Many events in one transaction, with their own stamps; subscribers are not told. Gives the new last `seq`. */
  appendAll(entries: Iterable<StampedEvent>): number;
}

export interface StoreOptions {
  /** Open for writing, with the schema of this version. The store closes it. */
  database: DatabaseSync;
  files: JournalFiles;
  clock: Clock;
  log: Log;
  /** Called once, when the store has been closed. */
  onClosed(): void;
}

/** Open; given back; or damaged, with the sentence for whoever asks again. */
type StoreState = { kind: 'open' } | { kind: 'closed' } | { kind: 'damaged'; message: string };

export function makeStore({ database, files, clock, log, onClosed }: StoreOptions): JournalStore {
  const cache = makeQueryCache();
  const highWaterMark = openHighWaterMark(`${files.main}-mark`);
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const tables = withMemory(makeTables(database));
  const queries = makeQueries(database, guarded, cached);
  // In the order of the chain also when a listener appends: its events wait until everybody has heard of this one.
  const emitter = createEmitter<StoredEvent>({
    onFault: (err, { seq }) => log.error('a subscriber of the journal failed', { err, seq }),
  });
  const upkeep = createUpkeep({ clock, writeMark, checkpoint });
  let state: StoreState = { kind: 'open' };
  const identity = fileIdentity(files.main);

  function guarded<T>(query: () => T): T {
    if (state.kind === 'damaged') throw new JournalDamagedError(state.message);
    if (state.kind === 'closed') throw new JournalWriteError('The journal is closed.');
    try {
      return query();
    } catch (error) {
      throw isDamage(error) ? setAside(error) : error;
    }
  }

  function cached<T>(name: QueryName, values: readonly QueryValue[], run: () => T): T {
    return cache.cached(name, values, () => {
      const known = tables.answer(name, values);
      if (known !== undefined) return known as T;
      const result = run();
      tables.learn(name, values, result);
      return result;
    });
  }

  function append(entries: Iterable<StampedEvent>, onWritten: (stored: StoredEvent) => void): ChainHead {
    if (state.kind === 'damaged') throw new JournalDamagedError(state.message);
    if (state.kind === 'closed') throw new JournalWriteError('The journal is closed.');
    demandInPlace();
    let committed = false;
    try {
      begin.run();
      const head = writeEvents(tables, entries, onWritten);
      commit.run();
      committed = true;
      upkeep.committed(head);
      return head;
    } catch (error) {
      rollBack();
      if (isDamage(error)) throw setAside(error);
      // Bugs of the caller, found before anything was written.
      if (error instanceof JournalRuleError || error instanceof TypeError) throw error;
      log.error('the journal could not be written', { err: error });
      throw new JournalWriteError(`The journal could not be written: ${errorText(error)}`, { cause: error });
    } finally {
      // After the end, so that nothing outlives it that was asked in the middle of what did not come to be.
      const written = tables.takeWritten();
      if (committed) cache.invalidate(written);
      else {
        cache.clear();
        tables.forget();
      }
    }
  }

  /** Some errors end the transaction by themselves. A failing rollback leaves a connection that refuses the next one. */
  function rollBack(): void {
    try {
      if (database.isOpen && database.isTransaction) database.exec('ROLLBACK');
    } catch (error) {
      log.error('a transaction of the journal could not be rolled back', { err: error });
    }
  }

  /** A file that was moved or deleted can still be written here, and is gone with this process. */
  function demandInPlace(): void {
    if (fileIdentity(files.main) === identity) return;
    throw new JournalWriteError(
      'The journal file was moved or deleted while the bridge was running. Stop the bridge, put the file back, and start it ' +
        'again: without the file it begins a new journal, which knows of no payment.',
    );
  }

  /** Not while an operation is under way: what the terminal sends must not wait for a disk. */
  function checkpoint(): boolean {
    if (state.kind !== 'open' || tables.operationIsOpen()) return false;
    try {
      const result = database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get();
      // A reader of an older state holds back the rest.
      return result?.['busy'] === 0 && result['log'] === result['checkpointed'];
    } catch (error) {
      if (isDamage(error)) setAside(error);
      else log.warn('the write-ahead file could not be brought into the journal file', { err: error });
      return false;
    }
  }

  function writeMark(head: ChainHead): void {
    try {
      highWaterMark.write(head);
    } catch (error) {
      log.warn('the high-water mark beside the journal could not be written', { err: error });
    }
  }

  function setAside(error: unknown): JournalDamagedError {
    state = { kind: 'damaged', message: `The journal file is damaged: ${errorText(error)}.` };
    try {
      upkeep.end();
      highWaterMark.close();
      database.close();
      const name = setAsideJournal(files, clock.now());
      state = { kind: 'damaged', message: `${state.message} It was set aside as ${name}.` };
    } catch (failure) {
      log.error('the damaged journal could not be set aside', { err: failure });
    }
    log.error(state.message);
    return new JournalDamagedError(state.message, { cause: error });
  }

  return {
    ...queries,
    append(...events) {
      if (events.length === 0) return [];
      const at = new Date(clock.now()).toISOString();
      const stored: StoredEvent[] = [];
      append(
        events.map((event) => ({ at, event })),
        (event) => stored.push(event),
      );
      emitter.emit(...stored);
      return stored;
    },
    appendAll: (entries) => append(entries, () => {}).seq,
    subscribe: emitter.subscribe,
    operationEnded() {
      if (state.kind === 'open') upkeep.operationEnded();
    },
    close() {
      if (state.kind === 'closed') return;
      if (state.kind === 'open') {
        upkeep.end();
        highWaterMark.close();
        database.close();
      }
      state = { kind: 'closed' };
      emitter.clear();
      onClosed();
    },
  };
}

function fileIdentity(file: string): string | null {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev}:${found.ino}`;
}
