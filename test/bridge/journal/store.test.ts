import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { journalFiles } from '../../../src/bridge/journal/journal-files.ts';
import { JournalWriteError, verifyJournal } from '../../../src/bridge/journal/index.ts';
import { prepareFresh, publishFresh } from '../../../src/bridge/journal/open.ts';
import { openForWriting } from '../../../src/bridge/journal/schema.ts';
import { makeStore } from '../../../src/bridge/journal/store.ts';
import { silentLog } from '../../../src/log/log.ts';
import type { StoredEvent } from '../../../src/contract/journal-events.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { ended, inDoubt, sale } from './sample-events.ts';
import { dataFolder, newJournal, open, tryOpen } from './folder.ts';

/** A store whose connection the test can make fail. */
function fragileStore() {
  const files = journalFiles(dataFolder());
  prepareFresh(files);
  publishFresh(files);
  const database = openForWriting(files.main);
  const store = makeStore({
    database,
    files,
    clock: createVirtualClock(),
    log: silentLog,
    onClosed: () => {},
  });
  return { database, store, files };
}

describe('append', () => {
  it('numbers and stamps events, and gives them back', () => {
    const journal = open(dataFolder(), {
      ...createVirtualClock(),
      now: () => Date.UTC(2031, 0, 2, 3, 4, 5, 6),
    });
    expect(journal.lastSeq()).toBe(1);
    const started = sale();
    const stored = journal.append(started, inDoubt(started));
    expect(stored).toEqual([
      { seq: 2, at: '2031-01-02T03:04:05.006Z', event: started },
      { seq: 3, at: '2031-01-02T03:04:05.006Z', event: inDoubt(started) },
    ]);
    expect(journal.eventsAfter(1, 10)).toEqual(stored);
    expect(journal.eventsOf(started.operationId)).toEqual(stored);
    expect(journal.append()).toEqual([]);
    expect(journal.lastSeq()).toBe(3);
  });

  it('begins with the version of the bridge', () => {
    expect(newJournal().eventsAfter(0, 1)[0]?.event).toEqual({
      type: 'journal_opened',
      version: '0.0.0-test',
    });
  });

  it('orders by number, whatever the clock says', () => {
    const times = [Date.UTC(2030, 0, 2), Date.UTC(2030, 0, 1), Date.UTC(2029, 0, 1)];
    const folder = dataFolder();
    const journal = open(folder, { ...createVirtualClock(), now: () => times.shift() ?? 0 });
    journal.append(sale({ reference: 'first' }));
    journal.append(sale({ reference: 'second' }));
    expect(journal.payments({ limit: 5 }).map((payment) => payment.reference)).toEqual(['second', 'first']);
    expect(journal.eventsAfter(0, 5).map(({ at }) => at.slice(0, 4))).toEqual(['2030', '2030', '2029']);
    expect(verifyJournal(folder)).toMatchObject({ ok: true, events: 3 });
  });

  it('is there after the journal was closed and opened again', () => {
    const folder = dataFolder();
    const first = open(folder);
    const started = sale();
    first.append(started);
    const before = first.paymentByReference(started.reference);
    first.close();
    const again = open(folder);
    expect(again.paymentByReference(started.reference)).toEqual(before);
    expect(again.openOperations()).toHaveLength(1);
    again.append(ended(started, 'approved'));
    expect(verifyJournal(folder)).toMatchObject({ ok: true, events: 4 });
  });

  it('refuses when it is closed', () => {
    const journal = newJournal();
    journal.close();
    journal.close();
    expect(() => journal.append(sale())).toThrow(JournalWriteError);
  });

  it('keeps texts of every kind as they are', () => {
    const journal = newJournal();
    const reasons = [
      '',
      "it's; DROP TABLE events;--",
      'ümläut €, 漢字, 🏧',
      'a\u0000b\u2028\n"\\',
      '\ud800 alone',
    ];
    for (const reason of reasons) {
      const started = sale();
      journal.append(started, inDoubt(started, reason));
      expect(journal.eventsOf(started.operationId)[1]?.event).toEqual(inDoubt(started, reason));
    }
  });
});

describe('the connection that writes', () => {
  it('syncs every commit', () => {
    const { database, store } = fragileStore();
    expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    expect(database.prepare('PRAGMA fullfsync').get()).toEqual({ fullfsync: 1 });
    store.close();
  });
});

describe('a write that fails', () => {
  it('says so, keeps nothing, and the next one works', () => {
    const { database, store, files } = fragileStore();
    store.append(sale({ reference: 'before' }));
    const pages = Number(database.prepare('PRAGMA page_count').get()?.['page_count']);
    database.exec(`PRAGMA max_page_count = ${pages}`);
    const long = sale({ reference: 'long', conditionCode: 'x'.repeat(100_000) });
    expect(() => store.append(sale({ reference: 'beside' }), long)).toThrow(JournalWriteError);
    expect(() => store.append(long)).toThrow(/database or disk is full/);
    expect(store.lastSeq()).toBe(1);
    expect(store.paymentByReference('beside')).toBeNull();
    expect(store.paymentByReference('before')?.status).toBe('in_progress');
    database.exec('PRAGMA max_page_count = 1000000');
    expect(store.append(long)).toMatchObject([{ seq: 2 }]);
    store.close();
    expect(verifyJournal(files.folder)).toMatchObject({ ok: true, events: 2 });
  });

  it('also when it is the commit that fails', () => {
    const { database, store, files } = fragileStore();
    database.exec(`PRAGMA foreign_keys = ON;
      CREATE TABLE parent (id INTEGER PRIMARY KEY);
      CREATE TABLE child (parent REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
      CREATE TEMP TRIGGER fail_at_commit AFTER INSERT ON main.events BEGIN INSERT INTO child VALUES (7); END`);
    expect(() => store.append(sale({ reference: 'lost' }))).toThrow(JournalWriteError);
    expect(() => store.append(sale({ reference: 'lost' }))).toThrow(/FOREIGN KEY/);
    expect(store.lastSeq()).toBe(0);
    database.exec('DROP TRIGGER fail_at_commit');
    store.append(sale({ reference: 'kept' }));
    expect(store.paymentByReference('lost')).toBeNull();
    expect(store.paymentByReference('kept')).not.toBeNull();
    store.close();
    expect(verifyJournal(files.folder)).toMatchObject({ ok: true, events: 1 });
  });

  it('while another program holds the file, and works when it lets go', () => {
    const folder = dataFolder();
    const journal = open(folder);
    const other = new DatabaseSync(join(folder, 'journal.sqlite'));
    other.exec('BEGIN IMMEDIATE');
    expect(() => journal.append(sale())).toThrow(/locked/);
    other.exec('ROLLBACK');
    other.close();
    expect(journal.append(sale())).toMatchObject([{ seq: 2 }]);
  });

  it('tells no subscriber', () => {
    const { database, store } = fragileStore();
    const heard: StoredEvent[] = [];
    store.subscribe((stored) => heard.push(stored));
    database.exec('PRAGMA max_page_count = 1');
    expect(() => store.append(sale({ conditionCode: 'x'.repeat(100_000) }))).toThrow(JournalWriteError);
    expect(heard).toEqual([]);
    store.close();
  });

  it('when the file was moved away, for what is written then would be lost', () => {
    const folder = dataFolder();
    const journal = open(folder);
    renameSync(join(folder, 'journal.sqlite'), join(folder, 'elsewhere.sqlite'));
    expect(() => journal.append(sale())).toThrow(/moved or deleted/);
    renameSync(join(folder, 'elsewhere.sqlite'), join(folder, 'journal.sqlite'));
    expect(journal.append(sale())).toMatchObject([{ seq: 2 }]);
    rmSync(folder, { recursive: true });
    expect(() => journal.append(sale())).toThrow(JournalWriteError);
  });
});

describe('events', () => {
  it.each(['UPDATE events SET at = at', 'DELETE FROM events', 'REPLACE INTO events SELECT * FROM events'])(
    'cannot be touched: %s',
    (sql) => {
      const { database, store } = fragileStore();
      store.append(sale());
      // REPLACE fires delete triggers only with this.
      database.exec('PRAGMA recursive_triggers = ON');
      expect(() => database.exec(sql)).toThrow(/never/);
      store.close();
    },
  );
});

describe('subscribers', () => {
  it('hear of events once they are kept, until they end it', () => {
    const journal = newJournal();
    const heard: number[] = [];
    const end = journal.subscribe(({ seq }) => {
      expect(journal.lastSeq()).toBeGreaterThanOrEqual(seq);
      heard.push(seq);
    });
    const started = sale();
    journal.append(started, inDoubt(started));
    end();
    journal.append(sale());
    expect(heard).toEqual([2, 3]);
  });

  it('hear in the order of the chain, also when one of them appends', () => {
    const journal = newJournal();
    const heard: number[] = [];
    journal.subscribe(({ event }) => {
      if (event.type === 'operation_started') journal.append(inDoubt(event));
    });
    journal.subscribe(({ seq }) => heard.push(seq));
    journal.append(sale(), sale());
    expect(heard).toEqual([2, 3, 4, 5]);
  });

  it('do not hinder each other or the writer when one fails', () => {
    const journal = newJournal();
    const heard: number[] = [];
    journal.subscribe(() => {
      throw new Error('a bug');
    });
    journal.subscribe(({ seq }) => heard.push(seq));
    expect(journal.append(sale())).toHaveLength(1);
    expect(heard).toEqual([2]);
  });
});

describe('one writer', () => {
  it('refuses a second in the same process, with the folder named, until the first has closed', () => {
    const folder = dataFolder();
    const first = open(folder);
    const second = tryOpen(folder);
    expect(second).toMatchObject({ kind: 'locked' });
    expect(second.kind === 'locked' && second.message).toContain(folder);
    first.append(sale());
    first.close();
    expect(tryOpen(folder).kind).toBe('opened');
  });

  it('makes the folder when it is missing', () => {
    const folder = join(dataFolder(), 'a', 'b');
    open(folder);
    expect(existsSync(join(folder, 'journal.sqlite'))).toBe(true);
  });

  it('says which folder it is that refuses', () => {
    const folder = dataFolder();
    mkdirSync(join(folder, 'journal.lock'));
    expect(() => tryOpen(folder)).toThrow(JournalWriteError);
    expect(() => tryOpen(folder)).toThrow(folder);
  });
});
