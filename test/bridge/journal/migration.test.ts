import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import {
  exportJournal,
  openJournalReadOnly,
  verifyJournal,
  type ReadOnlyJournal,
} from '../../../src/bridge/journal/index.ts';
import { schemaVersion } from '../../../src/bridge/journal/schema.ts';
import { filledReference, fillJournal } from '../../support/fill-journal.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { record, sale, terminal } from './sample-events.ts';
import { dataFolder, expectDamaged, open, repair, tableRows } from './folder.ts';
import { finished } from '../../support/parts.ts';
import { becomeVersion1, becomeVersion2, versionOf } from './older-versions.ts';

const payments = 300;
const tables = ['events', 'payments', 'operations', 'state'];

/** A folder with a journal of an older version, and the hours that one of this version has for the same events. */
function oldFolder(version: 1 | 2): { folder: string; file: string; hours: unknown[] } {
  const folder = dataFolder();
  const file = join(folder, 'journal.sqlite');
  fillJournal(folder, payments);
  const hours = tableRows(file, 'payment_hours');
  if (version === 1) becomeVersion1(folder);
  else becomeVersion2(folder);
  expect(versionOf(folder)).toBe(version);
  return { folder, file, hours };
}

const span = { from: '2020-01-01T00:30:00Z', until: '2020-01-01T01:30:00Z' };

function answers(journal: Pick<ReadOnlyJournal, 'searchPayments' | 'summary'>) {
  return [
    journal.searchPayments({ span, status: null, text: null, before: null, limit: 200 }),
    finished(journal.summary(span, 'EUR')),
  ];
}

function readOnly(folder: string): ReadOnlyJournal {
  const result = openJournalReadOnly(folder);
  if (result.kind !== 'opened') throw new Error(result.message);
  return result.journal;
}

describe.each([1, 2] as const)('a journal of version %i', (version) => {
  it('is brought to this one when it is opened, with all that it holds', () => {
    const { folder, file, hours } = oldFolder(version);
    const before = tables.map((table) => tableRows(file, table));
    open(folder).close();
    expect(versionOf(folder)).toBe(schemaVersion);
    expect(tableRows(file, 'payment_hours')).toEqual(hours);
    const [events = [], ...rows] = tables.map((table) => tableRows(file, table));
    // The opening itself is one event more.
    expect([events.slice(0, -1), ...rows]).toEqual(before);
    expect(verifyJournal(folder)).toMatchObject({ ok: true });
  });

  it('goes on as any other afterwards', () => {
    const { folder } = oldFolder(version);
    const clock = createVirtualClock();
    const journal = open(folder, clock);
    const started = sale();
    journal.append(started);
    const now = clock.now();
    const today = {
      from: new Date(now - 600_000).toISOString(),
      until: new Date(now + 600_000).toISOString(),
    };
    const page = journal.searchPayments({ span: today, status: null, text: null, before: null, limit: 10 });
    expect(page.payments.map(({ reference }) => reference)).toEqual([started.reference]);
    journal.close();
    expect(verifyJournal(folder)).toMatchObject({ ok: true });
    open(folder);
  });

  it('can be read, verified and exported as it is, and answers the same', () => {
    const { folder } = oldFolder(version);
    const reader = readOnly(folder);
    const old = answers(reader);
    reader.close();
    expect(old).toMatchObject([{ payments: { length: 120 }, next: null }, { count: 120 }]);
    expect(verifyJournal(folder)).toMatchObject({ ok: true });
    expect(exportJournal(folder, () => {})).toBe(2 * payments + 1);
    expect(versionOf(folder)).toBe(version);
    expect(answers(open(folder))).toEqual(old);
  });

  it('can be asked by one who opened it before', () => {
    const { folder } = oldFolder(version);
    const reader = readOnly(folder);
    const old = answers(reader);
    open(folder);
    expect(answers(reader)).toEqual(old);
    reader.close();
  });

  it.each(['as it was', 'brought to this version'])('is repaired: %s', (state) => {
    const { folder, file, hours } = oldFolder(version);
    if (state !== 'as it was') open(folder).close();
    writeFileSync(file, Buffer.alloc(100, 0x5a), { flag: 'r+' });
    expectDamaged(folder);
    expect(repair(folder)).toMatchObject({ eventsLost: 0 });
    expect(versionOf(folder)).toBe(schemaVersion);
    expect(tableRows(file, 'payment_hours')).toEqual(hours);
    expect(open(folder).paymentByReference(filledReference(0))?.status).toBe('approved');
  });

  it('is damaged when a table of its version is missing', () => {
    const { folder, file } = oldFolder(version);
    const database = new DatabaseSync(file);
    database.exec('DROP INDEX operations_open');
    database.close();
    expect(verifyJournal(folder)).toMatchObject({ ok: false, problem: /operations_open/ });
    expect(expectDamaged(folder)).toMatch(/operations_open/);
  });

  it('knows of the terminal what it had shown, and has no discrepancies', () => {
    const folder = dataFolder();
    const journal = open(folder);
    const shown = { kind: 'record', record: record() } as const;
    const ready = { type: 'terminal_ready', continuity: 'same' } as const;
    const other = { ...terminal, terminalId: '99999999' };
    journal.append(
      { ...ready, terminal, lastRecord: shown },
      { ...ready, terminal: other, lastRecord: { kind: 'empty' } },
    );
    journal.close();
    if (version === 1) becomeVersion1(folder);
    else becomeVersion2(folder);
    const reader = readOnly(folder);
    expect(reader.openDiscrepancies(10)).toEqual([]);
    expect(reader.terminalKnowledge(terminal).showsRecords).toBe(false);
    reader.close();
    const brought = open(folder);
    expect(brought.terminalKnowledge(terminal)).toEqual({ showsRecords: true, traits: [] });
    expect(brought.terminalKnowledge(other)).toEqual({ showsRecords: false, traits: [] });
    expect(brought.openDiscrepancyCount()).toBe(0);
  });
});

describe('the table of hours', () => {
  it.each([
    ['is gone', `DELETE FROM payment_hours WHERE hour = '2020-01-01T01'`],
    ['ends too early', `UPDATE payment_hours SET last_position = last_position - 1`],
  ])('is looked at by verify: an hour %s', (_, sql) => {
    const folder = dataFolder();
    fillJournal(folder, payments);
    const database = new DatabaseSync(join(folder, 'journal.sqlite'));
    database.exec(sql);
    database.close();
    expect(verifyJournal(folder)).toMatchObject({ ok: false, seq: 0, problem: /hours/ });
    repair(folder);
    expect(answers(open(folder))).toMatchObject([{ payments: { length: 120 } }, { count: 120 }]);
  });

  it('has module in the first page of the file, where repair expects the whole schema', () => {
    const folder = dataFolder();
    open(folder).close();
    const database = new DatabaseSync(join(folder, 'journal.sqlite'), { readOnly: true });
    const used = database.prepare('SELECT sum(length(sql)) AS used FROM sqlite_schema').get()?.['used'];
    database.close();
    expect(Number(used)).toBeLessThan(3_000);
  });
});
