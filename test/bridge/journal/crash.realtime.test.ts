import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openJournalReadOnly, verifyJournal } from '../../../src/bridge/journal/index.ts';
import { appendUntilKilled, crashAfter } from './crash.ts';
import { dataFolder, open, tryOpen } from './folder.ts';

/** Kills, and starts again on what is left, this many times. */
const kills = 12;

describe('a bridge that is killed', () => {
  it('has every event that was acknowledged, in order, and goes on from there', async () => {
    const folder = dataFolder();
    const references: string[] = [];
    let newest = 0;
    for (let round = 0; round < kills; round += 1) {
      // A number of events, and a random moment after the last of them.
      const events = 1 + Math.floor(Math.random() * 20);
      const waitMs = Math.random() * 3;
      const acknowledged = await appendUntilKilled(folder, (so, kill) => {
        if (so.length === events) setTimeout(kill, waitMs);
      });
      expect(acknowledged.length).toBeGreaterThanOrEqual(events);
      // One event for the opening, then without a gap.
      const first = acknowledged[0]?.seq ?? 0;
      expect(first).toBeGreaterThanOrEqual(newest + 2);
      expect(acknowledged.map(({ seq }) => seq)).toEqual(acknowledged.map((_, i) => first + i));
      newest = acknowledged.at(-1)?.seq ?? 0;
      references.push(...acknowledged.map(({ word }) => word).filter((word) => word.startsWith('C-')));
      const verified = verifyJournal(folder);
      expect(verified).toMatchObject({ ok: true });
      // What was being written when it was killed may be there too: at most one append.
      expect(verified.ok && verified.events - newest).toBeLessThanOrEqual(1);
    }
    const journal = open(folder);
    const unknown = references.filter((reference) => journal.paymentByReference(reference) === null);
    expect(unknown).toEqual([]);
    expect(new Set(references).size).toBe(references.length);
  });

  it('keeps the folder to itself while it lives, and leaves it when it is dead', async () => {
    const folder = dataFolder();
    let whileAlive = '';
    await appendUntilKilled(folder, (so, kill) => {
      if (so.length !== 1) return;
      whileAlive = tryOpen(folder).kind;
      kill();
    });
    expect(whileAlive).toBe('locked');
    expect(tryOpen(folder).kind).toBe('opened');
  });

  it('can be asked and verified from outside while it writes', async () => {
    const folder = dataFolder();
    let looks = 0;
    await appendUntilKilled(folder, (so, kill) => {
      if (so.length % 10 !== 0) return;
      const newest = so.at(-1)?.seq ?? 0;
      const result = openJournalReadOnly(folder);
      if (result.kind !== 'opened') throw new Error(result.message);
      expect(result.journal.lastSeq()).toBeGreaterThanOrEqual(newest);
      result.journal.close();
      const verified = verifyJournal(folder);
      expect(verified).toMatchObject({ ok: true });
      expect(verified.ok && verified.events).toBeGreaterThanOrEqual(newest);
      looks += 1;
      if (looks === 20) kill();
    });
    expect(looks).toBeGreaterThanOrEqual(20);
  });

  it('can be read before it is started again, and nothing is taken from what it left', async () => {
    const folder = dataFolder();
    const acknowledged = await crashAfter(folder, 3);
    const wal = join(folder, 'journal.sqlite-wal');
    const size = statSync(wal).size;
    expect(size).toBeGreaterThan(0);
    expect(verifyJournal(folder)).toMatchObject({ ok: true, events: 1 + acknowledged.length });
    const result = openJournalReadOnly(folder);
    expect(result.kind === 'opened' && result.journal.lastSeq()).toBe(1 + acknowledged.length);
    if (result.kind === 'opened') result.journal.close();
    expect(existsSync(wal) && statSync(wal).size).toBe(size);
  });
});
