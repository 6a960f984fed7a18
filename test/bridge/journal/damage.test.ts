import { randomUUID } from 'node:crypto';
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
import {
  JournalDamagedError,
  openJournalReadOnly,
  repairJournal,
  verifyJournal,
} from '../../../src/bridge/journal/index.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { crashAfter } from './crash.ts';
import { filledReference, fillJournal } from '../../support/fill-journal.ts';
import { sale } from './sample-events.ts';
import { dataFolder, expectDamaged, flipByte, open, options, repair, tamper, tryOpen } from './folder.ts';

/** More events than are looked at when a journal is opened. */
const payments = 200;

/** A journal of `count` payments, closed; gives its file. */
function closedJournal(folder: string, count = payments): string {
  fillJournal(folder, count);
  return join(folder, 'journal.sqlite');
}

/** Turns over a byte inside the first text of the file that is `text`. */
function flipIn(file: string, text: string): void {
  const offset = readFileSync(file).indexOf(text);
  if (offset < 0) throw new Error(`No ${text} in ${file}`);
  flipByte(file, offset + Math.floor(text.length / 2));
}

describe('damage that is seen at the start', () => {
  const forms: [string, (file: string) => void, RegExp][] = [
    [
      'a header that is garbage',
      (file) => writeFileSync(file, 'garbage, all of it', { flag: 'r+' }),
      /not a database/,
    ],
    ['a file that is empty', (file) => truncateSync(file, 0), /empty/],
    ['a file that was cut off', (file) => truncateSync(file, 40_000), /malformed/],
    ['another program’s database', (file) => foreignDatabase(file), /not a journal of Tillbridge/],
    ['a text file', (file) => writeFileSync(file, 'hello\n'.repeat(1000)), /not a database/],
    [
      'a changed newest event',
      (file) => flipIn(file, `"reference":"${filledReference(payments - 1)}`),
      /Event 400 does not fit its hash/,
    ],
    [
      'an event that is gone',
      (file) => edit(file, 'DELETE FROM events WHERE seq = 300'),
      /Event 300 is missing/,
    ],
    [
      'newest events that are gone',
      (file) => edit(file, 'DELETE FROM events WHERE seq > 399'),
      /missing|lost/,
    ],
    ['a newest event with a good hash but without its payment', withoutPayment, /not in what was worked out/],
    ['a payment that says something else', withoutReference, /not in what was worked out/],
    [
      'a terminal state that is garbage',
      (file) => edit(file, "UPDATE state SET last_record = '{'"),
      /cannot be read/,
    ],
    ['a state row that is gone', (file) => edit(file, 'DELETE FROM state'), /state row/],
    ['a table that is gone', (file) => plain(file, 'DROP TABLE operations'), /no "operations"/],
    [
      'a trigger that is gone',
      (file) => plain(file, 'DROP TRIGGER events_are_not_removed'),
      /events_are_not_removed/,
    ],
    [
      'a version that never was',
      (file) => plain(file, 'PRAGMA user_version = 0; DROP TABLE state'),
      /"state"/,
    ],
  ];

  it.each(forms)('%s', (_name, spoil, problem) => {
    const folder = dataFolder();
    const file = closedJournal(folder);
    spoil(file);
    expect(openJournalReadOnly(folder)).toMatchObject({ kind: 'damaged' });
    expect(verifyJournal(folder)).toMatchObject({ ok: false });
    const spoiled = readFileSync(file);
    expect(expectDamaged(folder)).toMatch(problem);
    // As it was found, byte by byte.
    const [name] = readdirSync(folder).filter((entry) => /^journal-damaged-.*\.sqlite$/.test(entry));
    expect(readFileSync(join(folder, name ?? '')).equals(spoiled)).toBe(true);
    repair(folder);
    expect(tryOpen(folder).kind).toBe('opened');
    expect(existsSync(join(folder, name ?? ''))).toBe(true);
  });

  it('that shows only once it is open for reading is said to be damage', () => {
    const folder = dataFolder();
    const file = closedJournal(folder);
    const opened = openJournalReadOnly(folder);
    if (opened.kind !== 'opened') throw new Error(opened.message);
    edit(file, "UPDATE state SET last_record = '{'");
    expect(() => opened.journal.terminalState()).toThrow(JournalDamagedError);
    expect(() => opened.journal.terminalState()).toThrow(`The journal in ${folder} is damaged: `);
    opened.journal.close();
  });

  it.each(['started', 'ended'])(
    'a batch close that %s as garbage, however many payments came after it',
    (which) => {
      const folder = dataFolder();
      closedJournal(folder, 1_200);
      tamper(
        folder,
        `UPDATE events SET body = substr(body, 1, length(body) - 1) WHERE type = 'operation_${which}' AND operation_id =
        (SELECT operation_id FROM operations WHERE kind = 'batch_close')`,
      );
      expect(expectDamaged(folder)).toMatch(/the batch close 2002 is not JSON/);
    },
  );

  function foreignDatabase(file: string): void {
    rmSync(file);
    const database = new DatabaseSync(file);
    database.exec('CREATE TABLE notes (text)');
    database.close();
  }
  function plain(file: string, sql: string): void {
    const database = new DatabaseSync(file);
    database.exec(sql);
    database.close();
  }
  function edit(file: string, sql: string): void {
    tamper(join(file, '..'), sql);
  }
  function withoutPayment(file: string): void {
    edit(file, 'DELETE FROM payments WHERE position = (SELECT max(position) FROM payments)');
  }
  function withoutReference(file: string): void {
    edit(
      file,
      "UPDATE payments SET reference = 'other' WHERE position = (SELECT max(position) FROM payments)",
    );
  }
});

describe('damage in the middle', () => {
  it('does not keep a large journal from opening; verify names the first event that does not fit', () => {
    const folder = dataFolder();
    const file = closedJournal(folder);
    flipIn(file, `"reference":"${filledReference(20)}`);
    expect(tryOpen(folder)).toMatchObject({ kind: 'opened' });
    expect(verifyJournal(folder)).toMatchObject({
      ok: false,
      seq: 42,
      problem: expect.stringMatching(/Event 42 does not fit its hash/) as string,
    });
  });
});

describe('what was worked out from the events', () => {
  it.each([
    ['an outcome', "UPDATE operations SET outcome = 'declined' WHERE position = 42", 43],
    ['a reference', "UPDATE payments SET reference = 'other' WHERE position = 42", 42],
    ['an amount', 'UPDATE payments SET amount_minor = 1 WHERE position = 42', 42],
    ['a payment that is gone', 'DELETE FROM payments WHERE position = 42', 42],
  ])('is held against them by verify: %s', (_name, sql, seq) => {
    const folder = dataFolder();
    closedJournal(folder);
    tamper(folder, sql);
    expect(tryOpen(folder).kind).toBe('opened');
    expect(verifyJournal(folder)).toMatchObject({ ok: false, seq });
  });

  it('is found wrong in each place of the file that says a reference, its index too', () => {
    const folder = dataFolder();
    const file = closedJournal(folder);
    const text = filledReference(20);
    const bytes = readFileSync(file);
    const places: number[] = [];
    for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) places.push(at);
    let found = 0;
    for (const place of places) {
      flipByte(file, place + 3);
      const { ok } = verifyJournal(folder);
      flipByte(file, place + 3);
      if (!ok) found += 1;
    }
    // The event, the payment, the operation, and the index. (Other places are free: pages keep what they had.)
    expect(found).toBeGreaterThanOrEqual(4);
    expect(verifyJournal(folder)).toMatchObject({ ok: true });
  });
});

describe('a journal of a newer version', () => {
  it('is left alone', () => {
    const folder = dataFolder();
    const file = closedJournal(folder, 2);
    const database = new DatabaseSync(file);
    database.exec('PRAGMA user_version = 99; CREATE TABLE more (x); DROP TABLE state');
    database.close();
    const bytes = readFileSync(file);
    expect(tryOpen(folder)).toMatchObject({
      kind: 'too_new',
      message: expect.stringMatching(/99/) as string,
    });
    expect(openJournalReadOnly(folder)).toMatchObject({ kind: 'too_new' });
    expect(repairJournal({ ...options(folder), by: 'Ada', reason: 'x', uuid: randomUUID })).toMatchObject({
      kind: 'too_new',
    });
    expect(verifyJournal(folder)).toMatchObject({ ok: false, seq: 0 });
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });
});

describe('damage that is met while the bridge runs', () => {
  it.each([
    ['by a question', (journal: ReturnType<typeof open>) => journal.paymentByReference(filledReference(3))],
    [
      'by an event',
      (journal: ReturnType<typeof open>) => journal.append(sale({ reference: filledReference(3) })),
    ],
  ])('%s: the file is set aside and nothing goes on', (_name, meet) => {
    const folder = dataFolder();
    const file = closedJournal(folder, 2000);
    const journal = open(folder);
    // Everything but what opening has read: no page of the old payments is what it was.
    const size = readFileSync(file).length;
    writeFileSync(file, Buffer.alloc(size - 16 * 4096, 0xa5), { flag: 'r+' });
    expect(() => meet(journal)).toThrow(JournalDamagedError);
    expect(() => journal.append(sale())).toThrow(JournalDamagedError);
    expect(() => journal.paymentByReference(filledReference(1999))).toThrow(/set aside as/);
    expect(existsSync(file)).toBe(false);
    expect(tryOpen(folder).kind).toBe('locked');
    journal.close();
    expectDamaged(folder);
  });
});

describe('names of what is set aside', () => {
  it('sort by age even when the clock is set back, and none is written over', () => {
    const folder = dataFolder();
    const at = (now: number) => ({ ...createVirtualClock(), now: () => now });
    const times = [Date.UTC(2030, 0, 1), Date.UTC(2030, 0, 1), Date.UTC(2020, 0, 1)];
    const names = times.map((now) => {
      const file = closedJournal(folder, 1);
      truncateSync(file, 0);
      const result = tryOpen(folder, at(now));
      if (result.kind !== 'damaged') throw new Error(result.kind);
      repair(folder);
      return result.setAside;
    });
    expect(names[0]).toContain('journal-damaged-20300101T000000000Z.sqlite');
    expect([...names].sort()).toEqual(names);
    expect(new Set(names).size).toBe(3);
    for (const name of names) expect(existsSync(name)).toBe(true);
  });

  it('are completed when setting aside was cut off after the first file', async () => {
    const folder = dataFolder();
    await crashAfter(folder, 5);
    const file = join(folder, 'journal.sqlite');
    const setAside = join(folder, 'journal-damaged-20300101T000000000Z.sqlite');
    copyFileSync(file, setAside);
    rmSync(file);
    expect(tryOpen(folder)).toMatchObject({ kind: 'damaged', setAside });
    expect(existsSync(`${setAside}-wal`)).toBe(true);
    expect(existsSync(`${file}-wal`)).toBe(false);
    expect(repair(folder)).toMatchObject({ eventsKept: 16, eventsLost: 0 });
  });
});
