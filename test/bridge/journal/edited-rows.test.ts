/** Rows that answer the POS, changed in the file while the chain of events stays as it is. */
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openJournal, repairJournal, verifyJournal } from '../../../src/bridge/journal/index.ts';
import { silentLog } from '../../../src/log/log.ts';
import { fillJournal } from '../../support/fill-journal.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

const clock = createVirtualClock();
const options = () => ({ folder, clock, log: silentLog, version: '1' });

let folder = '';
beforeEach(() => {
  folder = tempFolder('edited-rows');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function edit(statement: string): void {
  const database = new DatabaseSync(path.join(folder, 'journal.sqlite'));
  database.exec(statement);
  database.close();
}

/** The first payments of a filled journal stand at 2, 4 and 6. */
const edits = [
  "UPDATE payments SET status = 'declined' WHERE position = 4",
  'UPDATE payments SET amount_minor = amount_minor + 1 WHERE position = 4',
  'UPDATE payments SET ended_seq = 3 WHERE position = 4',
  "UPDATE payments SET batch_number = '7' WHERE position = 4",
  'UPDATE payments SET epoch = 9 WHERE position = 4',
  'DELETE FROM payments WHERE position = 4',
  "UPDATE operations SET phase = 'started', outcome = NULL WHERE position = 4",
  'UPDATE operations SET result_seq = 3 WHERE position = 4',
  'UPDATE state SET batch_epoch = 9 WHERE id = 1',
  'DELETE FROM payment_hours',
  "INSERT INTO terminals VALUES ('zvt:99999999', 1, '[]')",
];

describe('a row that its events did not make', () => {
  it.each(edits)('is found before a young journal is used: %s', (statement) => {
    fillJournal(folder, 5, clock);
    expect(verifyJournal(folder)).toMatchObject({ ok: true });
    edit(statement);
    expect(verifyJournal(folder)).toMatchObject({ ok: false });
    expect(openJournal(options())).toMatchObject({ kind: 'damaged' });
  });

  it.each(edits)('is found in a long journal by "journal verify": %s', (statement) => {
    fillJournal(folder, 300, clock);
    edit(statement);
    expect(verifyJournal(folder)).toMatchObject({ ok: false });
  });

  it('is made anew by a repair', () => {
    fillJournal(folder, 5, clock);
    edit(edits[0] ?? '');
    const repaired = repairJournal({ ...options(), by: 'Ada', reason: 'a test', uuid: () => 'none' });
    expect(repaired).toMatchObject({ kind: 'repaired', eventsLost: 0 });
    expect(verifyJournal(folder)).toMatchObject({ ok: true });
    const opened = openJournal(options());
    if (opened.kind !== 'opened') throw new Error(opened.message);
    expect(opened.journal.paymentByReference('F-00000001')?.status).toBe('approved');
    opened.journal.close();
  });
});

describe('a young journal that this process has checked before', () => {
  const open = (version: string) => openJournal({ ...options(), version });
  function openAndClose(version = '1'): void {
    const opened = open(version);
    if (opened.kind !== 'opened') throw new Error(opened.message);
    opened.journal.close();
  }

  it.each(edits)('is not taken for sound because its events are the same: %s', (statement) => {
    fillJournal(folder, 5, clock);
    openAndClose();
    openAndClose();
    edit(statement);
    expect(open('1')).toMatchObject({ kind: 'damaged' });
  });

  it('is judged by its own events when others were checked between, or it went back and on another way', () => {
    const other = tempFolder('edited-rows-other');
    const backup = tempFolder('edited-rows-backup');
    fillJournal(folder, 5, clock);
    openAndClose();
    cpSync(folder, backup, { recursive: true });
    openAndClose('one way');
    for (const payments of [40, 3, 0]) {
      rmSync(other, { recursive: true });
      fillJournal(other, payments, clock);
      const opened = openJournal({ ...options(), folder: other });
      if (opened.kind === 'opened') opened.journal.close();
      expect(opened.kind).toBe('opened');
      openAndClose('one way');
    }
    rmSync(folder, { recursive: true });
    cpSync(backup, folder, { recursive: true });
    openAndClose('another way');
    openAndClose('another way');
    edit(edits[0] ?? '');
    expect(open('1')).toMatchObject({ kind: 'damaged' });
    for (const made of [other, backup]) rmSync(made, { recursive: true });
  });
});

it('takes a mark that cannot be read for a sign that there was a journal', () => {
  fillJournal(folder, 5, clock);
  const main = path.join(folder, 'journal.sqlite');
  rmSync(main);
  writeFileSync(`${main}-mark`, 'x'.repeat(82));
  expect(openJournal(options())).toMatchObject({ kind: 'damaged' });
});
