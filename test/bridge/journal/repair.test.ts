import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  exportJournal,
  repairJournal,
  verifyJournal,
  type Journal,
} from '../../../src/bridge/journal/index.ts';
import { readHighWaterMark } from '../../../src/bridge/journal/high-water-mark.ts';
import { filledReference, filledTransactionId, fillJournal } from '../../support/fill-journal.ts';
import { closed, batch, ended, inDoubt, resultOf, sale, voidOf } from './sample-events.ts';
import { dataFolder, flipByte, open, options, tableRows, tamper, tryOpen } from './folder.ts';

function repair(folder: string) {
  return repairJournal({ ...options(folder), by: 'Ada', reason: 'The disk was replaced.', uuid: randomUUID });
}

function exported(folder: string): string[] {
  const lines: string[] = [];
  exportJournal(folder, (line) => lines.push(line));
  return lines;
}

/** Events of every kind, some of them open. */
function variedJournal(folder: string): void {
  const journal = open(folder);
  const [one, two, three, four] = [sale(), sale(), sale(), sale()];
  journal.append({
    type: 'terminal_ready',
    terminal: one.terminal,
    lastRecord: { kind: 'empty' },
    continuity: 'same',
  });
  for (const started of [one, two, three])
    journal.append(started, resultOf(started), ended(started, 'approved'));
  const reversal = voidOf(one);
  journal.append(reversal, ended(reversal, 'voided'));
  const close = batch();
  journal.append(close, closed(close, [two.operationId]));
  journal.append(voidOf(three), four, inDoubt(four));
  journal.close();
}

describe('repair', () => {
  it('takes everything over when only the head of the file is lost: same events, same hashes, same rows', () => {
    const folder = dataFolder();
    variedJournal(folder);
    const file = join(folder, 'journal.sqlite');
    const before = exported(folder);
    const rows = ['payments', 'operations', 'state', 'payment_hours'].map((table) => tableRows(file, table));
    writeFileSync(file, Buffer.alloc(100, 0x5a), { flag: 'r+' });
    expect(tryOpen(folder).kind).toBe('damaged');
    expect(repair(folder)).toMatchObject({ kind: 'repaired', eventsKept: before.length, eventsLost: 0 });
    const after = exported(folder);
    expect(after.slice(0, -1)).toEqual(before);
    expect(
      ['payments', 'operations', 'state', 'payment_hours'].map((table) => tableRows(file, table)),
    ).toEqual(rows);
    const [name] = readdirSync(folder).filter((entry) => /^journal-damaged-.*\.sqlite$/.test(entry));
    expect(JSON.parse(after.at(-1) ?? '')).toMatchObject({
      event: {
        type: 'journal_repaired',
        by: 'Ada',
        reason: 'The disk was replaced.',
        setAside: name,
        eventsKept: before.length,
      },
    });
    // The new journal is watched over from its first moment.
    expect(readHighWaterMark(`${file}-mark`)?.seq).toBe(after.length);
    // Nothing of the making is left.
    expect(readdirSync(folder).filter((entry) => /new|mending/.test(entry))).toEqual([]);
  });

  it('loses one event of many for a changed byte in the middle, and no reference after it', () => {
    const folder = dataFolder();
    fillJournal(folder, 300);
    const file = join(folder, 'journal.sqlite');
    const broken = `"reference":"${filledReference(10)}`;
    flipByte(file, readFileSync(file).indexOf(broken) + broken.length - 2);
    // Opening does not look there; whoever runs verify is told, and repairs.
    expect(verifyJournal(folder)).toMatchObject({ ok: false, seq: 22 });
    const result = repair(folder);
    // Its start, and its end that follows on nothing.
    expect(result).toMatchObject({ kind: 'repaired', eventsKept: 599, eventsLost: 2 });
    expect(result.message).toMatch(/2 could not be taken over/);
    const journal = open(folder);
    const unknown = Array.from({ length: 300 }, (_, i) => i).filter(
      (i) => journal.paymentByReference(filledReference(i)) === null,
    );
    expect(unknown).toEqual([10]);
    expect(verifyJournal(folder)).toMatchObject({ ok: true });
  });

  it('leaves an operation open whose end is lost', () => {
    const folder = dataFolder();
    fillJournal(folder, 20);
    tamper(folder, `UPDATE events SET body = replace(body, 'Approved', 'approved') WHERE seq = 13`);
    expect(repair(folder)).toMatchObject({ kind: 'repaired', eventsLost: 1 });
    const journal = open(folder);
    expect(journal.openOperations().map((row) => row.operationId)).toEqual([filledTransactionId(5)]);
    expect(journal.paymentByReference(filledReference(5))?.status).toBe('in_progress');
  });

  it('reads around pages that are destroyed', () => {
    const folder = dataFolder();
    fillJournal(folder, 300);
    const file = join(folder, 'journal.sqlite');
    const place = readFileSync(file).indexOf(`"reference":"${filledReference(100)}`);
    const bytes = readFileSync(file);
    const page = place - (place % 4096);
    writeFileSync(file, bytes.fill(0xa5, page, page + 4096));
    const result = repair(folder);
    if (result.kind !== 'repaired') throw new Error(result.message);
    expect(result.eventsLost).toBeGreaterThan(0);
    expect(result.eventsLost).toBeLessThan(20);
    const journal = open(folder);
    expect(journal.paymentByReference(filledReference(0))?.status).toBe('approved');
    expect(journal.paymentByReference(filledReference(299))?.status).toBe('approved');
  });

  it('takes over nothing that the chain does not vouch for', () => {
    const folder = dataFolder();
    fillJournal(folder, 20);
    tamper(
      folder,
      `UPDATE events SET body = replace(body, '"amountMinor":105', '"amountMinor":905') WHERE seq = 12`,
    );
    repair(folder);
    expect(open(folder).paymentByReference(filledReference(5))).toBeNull();
  });

  it('has nothing to do for a sound journal, or for none', () => {
    const folder = dataFolder();
    expect(repair(folder)).toMatchObject({ kind: 'nothing_to_repair' });
    fillJournal(folder, 3);
    const before = exported(folder);
    expect(repair(folder)).toMatchObject({ kind: 'nothing_to_repair' });
    expect(exported(folder)).toEqual(before);
  });

  it('is refused while a bridge has the folder', () => {
    const folder = dataFolder();
    const journal = open(folder);
    expect(repair(folder)).toMatchObject({ kind: 'locked' });
    journal.append(sale());
  });

  it('can follow on a repair', () => {
    const folder = dataFolder();
    fillJournal(folder, 5);
    for (const round of [1, 2]) {
      truncateSync(join(folder, 'journal.sqlite'), 0);
      expect(tryOpen(folder).kind).toBe('damaged');
      expect(repair(folder).kind).toBe('repaired');
      expect(readdirSync(folder).filter((name) => /^journal-damaged-.*\.sqlite$/.test(name))).toHaveLength(
        round,
      );
    }
  });
});

describe('whatever happened to the file', () => {
  const payments = 30;

  /** Everything that a bridge asks when it starts and works. */
  function ask(journal: Journal): void {
    journal.openOperations();
    journal.terminalState();
    journal.payments({ limit: 10 });
    for (let i = 0; i < payments; i += 1) journal.paymentByReference(filledReference(i));
  }

  type Blow = { kind: 'flip' | 'zero' | 'noise' | 'cut'; place: number };
  const blow: fc.Arbitrary<Blow> = fc.record({
    kind: fc.constantFrom('flip', 'zero', 'noise', 'cut'),
    place: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  });

  function strike(file: string, { kind, place }: Blow): void {
    const bytes = readFileSync(file);
    const offset = Math.floor(place * bytes.length);
    const page = offset - (offset % 4096);
    if (kind === 'flip' && offset < bytes.length) bytes[offset] = (bytes[offset] ?? 0) ^ 0xff;
    const end = Math.min(page + 4096, bytes.length);
    if (kind === 'zero') bytes.fill(0, page, end);
    if (kind === 'noise') for (let i = page; i < end; i += 1) bytes[i] = (i * 7919) & 0xff;
    writeFileSync(file, kind === 'cut' ? bytes.subarray(0, offset) : bytes);
  }

  it('nothing throws but what is meant to, and a repair always leads to a journal that verifies', () => {
    const source = dataFolder();
    fillJournal(source, payments);
    const file = join(source, 'journal.sqlite');
    const whole = readFileSync(file);
    const mark = readFileSync(`${file}-mark`);
    fc.assert(
      fc.property(fc.array(blow, { minLength: 1, maxLength: 3 }), (blows) => {
        const folder = dataFolder();
        const damaged = join(folder, 'journal.sqlite');
        writeFileSync(damaged, whole);
        writeFileSync(`${damaged}-mark`, mark);
        for (const each of blows) strike(damaged, each);
        const verified = verifyJournal(folder);
        const result = tryOpen(folder);
        expect(['opened', 'damaged']).toContain(result.kind);
        if (result.kind === 'opened') {
          try {
            ask(result.journal);
            result.journal.append(sale());
          } catch (error) {
            expect(error).toMatchObject({ name: 'JournalDamagedError' });
            expect(verified.ok).toBe(false);
          }
          result.journal.close();
        } else {
          expect(verified.ok).toBe(false);
        }
        const repaired = repair(folder);
        expect(repaired.kind).toBe(
          result.kind === 'opened' && verified.ok ? 'nothing_to_repair' : 'repaired',
        );
        expect(verifyJournal(folder)).toMatchObject({ ok: true });
        expect(tryOpen(folder).kind).toBe('opened');
      }),
      { numRuns: 40 },
    );
  });
});
