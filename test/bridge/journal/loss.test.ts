/** What was in the journal and is not any more: lost in a repair, or written after the backup that is back in place. */
import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { repairJournal, verifyJournal } from '../../../src/bridge/journal/index.ts';
import { countsOf } from '../../support/ledger.ts';
import type { Rig } from '../../support/rig.ts';
import { closeRigsAfterEach, rigUp, terminalUp } from '../../support/rigs.ts';
import { transbankTerminal } from '../../support/terminals-on-cable.ts';
import { filledReference, fillJournal } from '../../support/fill-journal.ts';
import { dataFolder, flipByte, open, options } from './folder.ts';

closeRigsAfterEach();

const repair = (folder: string) =>
  repairJournal({ ...options(folder), by: 'Ada', reason: 'The disk was replaced.', uuid: randomUUID });

function breakFact(folder: string, reference: string) {
  const file = join(folder, 'journal.sqlite');
  const broken = `"reference":"${reference}`;
  flipByte(file, readFileSync(file).lastIndexOf(broken) + broken.length - 1);
}

/** Each event that `where` finds is no more what was written. */
function spoilEvents(folder: string, where: string) {
  const database = new DatabaseSync(join(folder, 'journal.sqlite'));
  const guard = "name = 'events_are_not_changed'";
  const trigger = database.prepare(`SELECT sql FROM sqlite_master WHERE ${guard}`).get()?.['sql'];
  database.exec('DROP TRIGGER events_are_not_changed');
  database.exec(`UPDATE events SET body = body || '?' WHERE ${where}`);
  database.exec(String(trigger));
  database.close();
}

describe('a repair', () => {
  it('that lost events leaves a discrepancy, which is open until a person has seen it', () => {
    const folder = dataFolder();
    fillJournal(folder, 20);
    breakFact(folder, filledReference(5));
    expect(repair(folder)).toMatchObject({ kind: 'repaired', eventsLost: 2 });
    const journal = open(folder);
    expect(journal.openDiscrepancies(10)).toMatchObject([
      { kind: 'journal_loss', references: [], operationId: null, message: /2 events/ },
    ]);
    journal.close();
    expect(verifyJournal(folder)).toMatchObject({ ok: true });
  });

  it('that lost nothing leaves none', () => {
    const folder = dataFolder();
    fillJournal(folder, 20);
    flipByte(join(folder, 'journal.sqlite'), 20);
    expect(repair(folder)).toMatchObject({ kind: 'repaired', eventsLost: 0 });
    expect(open(folder).openDiscrepancyCount()).toBe(0);
  });

  it('of which nobody can tell what it lost leaves one as well', () => {
    const folder = dataFolder();
    fillJournal(folder, 20);
    flipByte(join(folder, 'journal.sqlite'), 20);
    rmSync(join(folder, 'journal.sqlite-mark'));
    expect(repair(folder)).toMatchObject({ kind: 'repaired', eventsLost: 0 });
    expect(open(folder).openDiscrepancies(10)).toMatchObject([
      { kind: 'journal_loss', message: /cannot be told/ },
    ]);
  });
});

describe('the same reference again', () => {
  const again = (rig: Rig) =>
    rig.payments.createPayment({ amountMinor: 1_200, reference: 'A', conditionCode: '00' });
  const held = { ok: false, refusal: { code: 'payment_unresolved' } };

  it('is not charged a second time after a repair that lost it', async () => {
    const rig = await rigUp();
    await rig.sale('1.00', 'BEFORE');
    await rig.ready();
    await rig.sale('12.00', 'A');
    await rig.ready();
    await rig.crash();
    breakFact(rig.folder, 'A');
    expect(repair(rig.folder)).toMatchObject({ kind: 'repaired' });
    rig.restart();
    await rig.ready();
    expect(rig.payments.queryPayment('A').ok).toBe(false);
    expect(await again(rig)).toMatchObject(held);
    const other = await rig.payments.createPayment({ amountMinor: 500, reference: 'C', conditionCode: '00' });
    expect(other).toMatchObject(held);
    expect(rig.tap.sent('0601')).toBe(2);
    for (const { discrepancyId } of rig.payments.discrepancies())
      rig.payments.acknowledge({ discrepancyId, by: 'Kim', reason: 'compared with the slips' });
    expect(await rig.sale('5.00', 'C')).toBe('approved');
  });

  it('is not charged a second time after a backup was restored that does not know it', async () => {
    const rig = await rigUp();
    await rig.sale('1.00', 'BEFORE');
    await rig.ready();
    await rig.crash();
    const backup = join(rig.folder, 'backup');
    mkdirSync(backup);
    const files = () => readdirSync(rig.folder).filter((name) => name.startsWith('journal.sqlite'));
    for (const name of files()) copyFileSync(join(rig.folder, name), join(backup, name));
    rig.restart();
    await rig.ready();
    await rig.sale('12.00', 'A');
    await rig.ready();
    await rig.crash();
    for (const name of files()) rmSync(join(rig.folder, name));
    for (const name of readdirSync(backup)) copyFileSync(join(backup, name), join(rig.folder, name));
    rig.restart();
    await rig.ready();
    expect(rig.payments.discrepancies()).toMatchObject([{ kind: 'unexplained_payment', amountMinor: 1200 }]);
    expect(await again(rig)).toMatchObject(held);
    expect(rig.tap.sent('0601')).toBe(2);
    expect(countsOf(rig.ledger(), '12.00').charged).toBe(1);
    // Another amount is nobody's double charge.
    expect(await rig.sale('5.00', 'C')).toBe('approved');
  });
});

describe('a close whose end was lost in a repair', () => {
  function loseEndOfClose(folder: string) {
    const close = "operation_id = (SELECT operation_id FROM operations WHERE kind = 'batch_close')";
    spoilEvents(folder, `${close} AND type <> 'operation_started'`);
    expect(repair(folder)).toMatchObject({ kind: 'repaired', eventsLost: 2 });
  }

  it('holds no payment that was taken after it', async () => {
    const rig = await rigUp();
    await rig.sale('12.00', 'BEFORE');
    await rig.ready();
    expect(await rig.payments.submitBatch(60_000)).toMatchObject({ ok: true });
    await rig.ready();
    await rig.sale('5.00', 'AFTER');
    await rig.ready();
    await rig.crash();
    // With the terminal's own word for it, whose receipt numbers would tell.
    loseEndOfClose(rig.folder);
    rig.restart();
    await rig.until(() => rig.asked().length > 0, 'a question to a person');
    for (const { operationId } of rig.payments.operationsInDoubt())
      rig.payments.resolve({ operationId, resolution: 'closed', by: 'Kim', reason: 'there is a slip of it' });
    expect(rig.payments.queryPayment('BEFORE')).toMatchObject({ value: { status: 'settled' } });
    expect(rig.payments.queryPayment('AFTER')).toMatchObject({ value: { status: 'approved' } });
  });

  it('is not called off by what the terminal has taken since', async () => {
    const rig = await terminalUp(transbankTerminal());
    await rig.sell(2_400, 'BEFORE');
    await rig.ready();
    expect(await rig.payments.submitBatch(60_000)).toMatchObject({ ok: true });
    await rig.ready();
    await rig.sell(2_500, 'AFTER');
    await rig.ready();
    await rig.crash();
    loseEndOfClose(rig.folder);
    rig.restart();
    await rig.until(() => rig.asked().length > 0, 'a question to a person');
    expect(rig.payments.operationsInDoubt()).toMatchObject([{ kind: 'batch_close' }]);
  });
});

describe('a journal that is closed', () => {
  it('answers each question with an error that says so, and no other', () => {
    const folder = dataFolder();
    fillJournal(folder, 3);
    const journal = open(folder);
    journal.close();
    const questions: (() => unknown)[] = [
      () => journal.paymentByReference(filledReference(0)),
      () => journal.openOperations(),
      () => journal.terminalState(),
      () => journal.lastSeq(),
      () => journal.openDiscrepancies(10),
      () => journal.payments({ limit: 1 }),
      () => journal.summary({ from: '2020-01-01T00:00:00Z', until: '2020-01-02T00:00:00Z' }, 'EUR').next(),
    ];
    for (const question of questions) {
      expect(question).toThrow(
        expect.objectContaining({ name: 'JournalWriteError', message: 'The journal is closed.' }),
      );
    }
  });
});
