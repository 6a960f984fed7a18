/** Events that had been acknowledged and are not in the files any more; SQLite itself has no complaint. */
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { verifyJournal } from '../../../src/bridge/journal/index.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { fillJournal } from '../../support/fill-journal.ts';
import { crashAfter } from './crash.ts';
import { sale } from './sample-events.ts';
import { dataFolder, expectDamaged, flipByte, open, repair, tryOpen } from './folder.ts';

/** A journal of `count` payments, closed; gives its file. */
function closedJournal(folder: string, count: number, clock?: Clock): string {
  fillJournal(folder, count, clock);
  return join(folder, 'journal.sqlite');
}

describe('events that were acknowledged and are gone', () => {
  it('are missed when the write-ahead file of a killed bridge is gone', async () => {
    const folder = dataFolder();
    await crashAfter(folder, 5);
    rmSync(join(folder, 'journal.sqlite-wal'));
    expect(verifyJournal(folder)).toMatchObject({
      ok: false,
      seq: 1,
      problem: expect.stringMatching(/lost/) as string,
    });
    expect(expectDamaged(folder)).toMatch(/ends at event 0, but events up to 16 had been written/);
    expect(repair(folder)).toMatchObject({ eventsKept: 0, eventsLost: 16 });
  });

  it('are missed when a byte of it has changed, for SQLite says nothing', async () => {
    const folder = dataFolder();
    await crashAfter(folder, 5);
    const wal = join(folder, 'journal.sqlite-wal');
    const bytes = readFileSync(wal);
    flipByte(wal, Math.floor(bytes.length / 2));
    expect(expectDamaged(folder)).toMatch(/had been written: the newest are lost/);
    const { eventsKept, eventsLost } = repair(folder);
    expect(eventsKept).toBeGreaterThan(0);
    expect(eventsKept + eventsLost).toBe(16);
  });

  it('are missed when an older copy of the journal was put back', () => {
    const folder = dataFolder();
    const file = closedJournal(folder, 3);
    copyFileSync(file, `${file}.copy`);
    const journal = open(folder);
    journal.append(sale());
    journal.close();
    copyFileSync(`${file}.copy`, file);
    expect(expectDamaged(folder)).toMatch(/the newest are lost/);
  });

  it('are missed when another journal was put in its place', () => {
    const folder = dataFolder();
    const file = closedJournal(folder, 3);
    // Written at another time, or it would be the same to the last byte.
    const other = closedJournal(dataFolder(), 4, createVirtualClock({ startsAt: Date.UTC(2024, 5, 4) }));
    copyFileSync(other, file);
    expect(expectDamaged(folder)).toMatch(/is not the one that was written as such/);
  });

  it('are missed when the journal itself is gone', async () => {
    const folder = dataFolder();
    await crashAfter(folder, 5);
    rmSync(join(folder, 'journal.sqlite'));
    expect(expectDamaged(folder)).toMatch(/missing/);
    expect(readdirSync(folder).filter((name) => name.endsWith('-wal'))).toHaveLength(1);
  });

  it('are not missed when a database tool has tidied up after a kill', async () => {
    const folder = dataFolder();
    const acknowledged = await crashAfter(folder, 5);
    const tool = new DatabaseSync(join(folder, 'journal.sqlite'));
    tool.prepare('SELECT count(*) FROM events').get();
    tool.close();
    expect(existsSync(join(folder, 'journal.sqlite-wal'))).toBe(false);
    expect(open(folder).lastSeq()).toBe(acknowledged.length + 2);
  });

  it.each(['', '\0'.repeat(82), 'not a mark', `${'9'.repeat(16)} ${'g'.repeat(64)}\n`])(
    'are not missed for a mark that is garbage (a power cut can leave that): %j',
    (text) => {
      const folder = dataFolder();
      const file = closedJournal(folder, 3);
      writeFileSync(`${file}-mark`, text);
      const journal = open(folder);
      journal.append(sale());
      journal.close();
      expect(tryOpen(folder).kind).toBe('opened');
    },
  );
});

describe('an empty journal file beside a write-ahead file', () => {
  it('does not cost the write-ahead file', async () => {
    const folder = dataFolder();
    await crashAfter(folder, 5);
    const wal = readFileSync(join(folder, 'journal.sqlite-wal'));
    truncateSync(join(folder, 'journal.sqlite'), 0);
    expectDamaged(folder);
    const kept = readdirSync(folder).find((name) => name.endsWith('.sqlite-wal')) ?? '';
    expect(readFileSync(join(folder, kept)).equals(wal)).toBe(true);
    // It had never been brought into the journal file, so it has all there is.
    expect(repair(folder)).toMatchObject({ eventsKept: 16, eventsLost: 0 });
    expect(readFileSync(join(folder, kept)).equals(wal)).toBe(true);
  });
});
