/** The mark and the checkpoints, which come when nobody waits: neither too early nor never. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { JournalRuleError, verifyJournal } from '../../../src/bridge/journal/index.ts';
import { journalFiles } from '../../../src/bridge/journal/journal-files.ts';
import { prepareFresh, publishFresh } from '../../../src/bridge/journal/open.ts';
import { openForWriting } from '../../../src/bridge/journal/schema.ts';
import { makeStore } from '../../../src/bridge/journal/store.ts';
import { readHighWaterMark } from '../../../src/bridge/journal/high-water-mark.ts';
import { createUpkeep } from '../../../src/bridge/journal/upkeep.ts';
import type { JournalEvent } from '../../../src/contract/journal-events.ts';
import { silentLog } from '../../../src/log/log.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { crashAfter } from './crash.ts';
import { dataFolder, open, tryOpen } from './folder.ts';
import { ended, inDoubt, sale } from './sample-events.ts';

const head = (seq: number) => ({ seq, hash: `${seq}`.padStart(64, '0') });

/** An upkeep, and what it did. */
function watched({ works = (): boolean => true } = {}) {
  const clock = createVirtualClock();
  const done: string[] = [];
  const upkeep = createUpkeep({
    clock,
    writeMark: ({ seq }) => done.push(`mark ${seq}`),
    checkpoint() {
      const worked = works();
      done.push(worked ? 'checkpoint' : 'failed');
      return worked;
    },
  });
  let seq = 0;
  const commit = (times: number) => {
    for (let i = 0; i < times; i += 1) upkeep.committed(head((seq += 1)));
  };
  return { clock, upkeep, done, commit };
}

describe('upkeep', () => {
  it('writes one mark for several commits, soon after them, and again when more have come', async () => {
    const { clock, done, commit } = watched();
    commit(3);
    expect(done).toEqual([]);
    await clock.advance(100);
    expect(done).toEqual(['mark 3']);
    await clock.advance(10_000);
    commit(1);
    await clock.advance(100);
    expect(done).toEqual(['mark 3', 'mark 4']);
    expect(clock.waiting).toBe(0);
  });

  it('writes the mark as often in a shop that never rests, and brings nothing in', async () => {
    const { clock, done, commit } = watched();
    for (let i = 0; i < 100; i += 1) {
      commit(1);
      await clock.advance(20);
    }
    expect(done.length).toBeGreaterThanOrEqual(16);
    expect(done.every((one) => one.startsWith('mark'))).toBe(true);
    await clock.advance(300);
    expect(done.slice(-2)).toEqual(['mark 100', 'checkpoint']);
    expect(clock.waiting).toBe(0);
  });

  it('brings in what has come together where it is never quiet, when an operation has ended', () => {
    let works = false;
    const { upkeep, done, commit } = watched({ works: () => works });
    commit(255);
    upkeep.operationEnded();
    expect(done).toEqual([]);
    commit(1);
    upkeep.operationEnded();
    expect(done).toEqual(['failed']);
    works = true;
    upkeep.operationEnded();
    upkeep.operationEnded();
    expect(done).toEqual(['failed', 'checkpoint']);
    commit(255);
    upkeep.operationEnded();
    expect(done).toEqual(['failed', 'checkpoint']);
  });

  it('brings in what has come together, once it is quiet, and then only when enough has come again', async () => {
    const { clock, done, commit } = watched();
    commit(31);
    await clock.advance(10_000);
    expect(done).toEqual(['mark 31']);
    commit(1);
    await clock.advance(299);
    expect(done).toEqual(['mark 31', 'mark 32']);
    await clock.advance(1);
    expect(done.at(-1)).toBe('checkpoint');
    commit(31);
    await clock.advance(10_000);
    expect(done.filter((one) => one === 'checkpoint')).toHaveLength(1);
  });

  it('tries again after the next commit what did not work', async () => {
    let works = false;
    const { clock, done, commit } = watched({ works: () => works });
    commit(40);
    await clock.advance(10_000);
    expect(done).toEqual(['mark 40', 'failed']);
    works = true;
    commit(1);
    await clock.advance(10_000);
    expect(done).toEqual(['mark 40', 'failed', 'mark 41', 'checkpoint']);
  });

  it('writes the mark at its end, and does nothing after it', async () => {
    const { clock, upkeep, done, commit } = watched();
    commit(40);
    upkeep.end();
    expect(done).toEqual(['mark 40']);
    await clock.advance(10_000);
    upkeep.end();
    expect(done).toEqual(['mark 40']);
  });
});

describe('the mark of a journal', () => {
  const markOf = (folder: string) => readHighWaterMark(join(folder, 'journal.sqlite-mark'))?.seq;

  it('follows what is committed, and never what was not', async () => {
    const clock = createVirtualClock();
    const folder = dataFolder();
    const journal = open(folder, clock);
    for (let i = 0; i < 3; i += 1) {
      journal.append(sale());
      expect(markOf(folder) ?? 0).toBeLessThan(journal.lastSeq());
      await clock.advance(100);
      expect(markOf(folder)).toBe(journal.lastSeq());
    }
    const started = sale();
    expect(() => journal.append(started, started)).toThrow(JournalRuleError);
    await clock.advance(100);
    expect(markOf(folder)).toBe(4);
  });

  it('is written before the journal is closed', () => {
    const folder = dataFolder();
    const journal = open(folder);
    journal.append(sale(), sale());
    journal.close();
    expect(markOf(folder)).toBe(3);
  });

  it('may be behind after a kill, which is no damage', async () => {
    const folder = dataFolder();
    await crashAfter(folder, 1, { atRest: false });
    expect(markOf(folder)).toBeUndefined();
    const opened = tryOpen(folder);
    expect(opened.kind).toBe('opened');
    expect(opened.kind === 'opened' && opened.journal.lastSeq()).toBe(5);
  });
});

describe('the write-ahead file', () => {
  /** The newest event in the journal file itself, as a copy without its companions has it. */
  function inTheFile(folder: string): number {
    const copy = join(folder, 'copy.sqlite');
    copyFileSync(join(folder, 'journal.sqlite'), copy);
    const database = new DatabaseSync(copy);
    const row = database.prepare('SELECT max(seq) AS seq FROM events').get();
    database.close();
    return Number(row?.['seq'] ?? 0);
  }

  const payment = (): [JournalEvent, JournalEvent] => {
    const started = sale();
    return [started, ended(started, 'approved')];
  };

  function busyJournal() {
    const clock = createVirtualClock();
    const folder = dataFolder();
    const journal = open(folder, clock);
    for (let i = 0; i < 20; i += 1) for (const event of payment()) journal.append(event);
    return { clock, folder, journal };
  }

  it('is brought into the journal while it is quiet', async () => {
    const { clock, folder, journal } = busyJournal();
    expect(inTheFile(folder)).toBe(0);
    await clock.advance(300);
    expect(inTheFile(folder)).toBe(journal.lastSeq());
  });

  it('waits for the end of an operation, but not for one in doubt', async () => {
    const { clock, folder, journal } = busyJournal();
    const started = sale();
    journal.append(started);
    await clock.advance(60_000);
    expect(inTheFile(folder)).toBe(0);
    journal.append({ type: 'cancel_requested', operationId: started.operationId });
    await clock.advance(60_000);
    expect(inTheFile(folder)).toBe(0);
    journal.append(inDoubt(started));
    await clock.advance(300);
    expect(inTheFile(folder)).toBe(journal.lastSeq());
  });

  it('is brought in as far as a reader lets it, and to the end once the reader is gone', async () => {
    const { clock, folder, journal } = busyJournal();
    const reader = new DatabaseSync(join(folder, 'journal.sqlite'), { readOnly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM events').get();
    journal.append(...payment());
    await clock.advance(300);
    // Pages that the reader must not see are left out, so that the file alone is of no use.
    expect(() => inTheFile(folder)).toThrow(/malformed/);
    reader.close();
    await clock.advance(60_000);
    journal.append(...payment());
    await clock.advance(300);
    expect(inTheFile(folder)).toBe(journal.lastSeq());
  });

  it('stays when it cannot be brought in, nothing is lost, and it is tried again', async () => {
    const files = journalFiles(dataFolder());
    prepareFresh(files);
    publishFresh(files);
    const database = openForWriting(files.main);
    const prepare = database.prepare.bind(database);
    let full = true;
    database.prepare = (sql) => {
      if (full && sql.includes('wal_checkpoint')) throw new Error('database or disk is full');
      return prepare(sql);
    };
    const clock = createVirtualClock();
    const warnings: string[] = [];
    const log = { ...silentLog, warn: (message: string) => void warnings.push(message) };
    const store = makeStore({ database, files, clock, log, onClosed: () => {} });
    for (let i = 0; i < 20; i += 1) for (const event of payment()) store.append(event);
    await clock.advance(1_000);
    expect(warnings).toHaveLength(1);
    full = false;
    store.append(...payment());
    await clock.advance(1_000);
    expect(inTheFile(files.folder)).toBe(store.lastSeq());
    store.close();
    expect(verifyJournal(files.folder)).toMatchObject({ ok: true, events: 42 });
  });

  it('is left alone once the journal is closed', async () => {
    const { clock, journal } = busyJournal();
    journal.close();
    expect(clock.waiting).toBe(0);
    await clock.advance(1_000);
  });
});
