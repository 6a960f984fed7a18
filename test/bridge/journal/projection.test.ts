/** What events add up to, through the journal itself. */
import { describe, expect, it } from 'vitest';
import { JournalRuleError } from '../../../src/bridge/journal/index.ts';
import type { JournalEvent } from '../../../src/contract/journal-events.ts';
import type { Continuity, LastRecord } from '../../../src/contract/terminal.ts';
import {
  batch,
  closed,
  ended,
  evidenceOf,
  inDoubt,
  lastRecord,
  record,
  resultOf,
  sale,
  terminal,
  voidOf,
} from './sample-events.ts';
import { newJournal } from './folder.ts';

describe('sale', () => {
  it('makes a payment and an open operation', () => {
    const journal = newJournal();
    const started = sale({ amountMinor: 1, conditionCode: '08', baseline: lastRecord('0007') });
    const [stored] = journal.append(started);
    expect(journal.paymentByReference(started.reference)).toEqual({
      position: stored?.seq,
      transactionId: started.operationId,
      reference: started.reference,
      conditionCode: '08',
      amountMinor: 1,
      currency: 'EUR',
      status: 'in_progress',
      simulated: true,
      terminal,
      epoch: 0,
      createdAt: stored?.at,
      updatedAt: stored?.at,
      completedAt: null,
      reason: '',
      result: null,
      receiptLines: [],
      resolvedBy: null,
      batchNumber: null,
    });
    expect(journal.openOperations()).toEqual([
      {
        position: stored?.seq,
        operationId: started.operationId,
        kind: 'sale',
        phase: 'started',
        outcome: null,
        paymentId: started.operationId,
        reference: started.reference,
        started,
        result: null,
        reason: '',
        needsDecision: false,
        cancelRequested: false,
        startedAt: stored?.at,
        endedAt: null,
      },
    ]);
  });

  it('keeps result, receipt and sentence at its end', () => {
    const journal = newJournal();
    const started = sale();
    const result = record({ receiptNumber: '0042', approvalCode: '123456' });
    journal.append(started, resultOf(started, result));
    expect(journal.operation(started.operationId)).toMatchObject({ phase: 'result_received', result });
    // Approved is said only once it is final.
    expect(journal.payment(started.operationId)).toMatchObject({ status: 'in_progress', result: null });
    const final = record({ receiptNumber: '0042', approvalCode: '123456', signatureRequired: true });
    const end = ended(started, 'approved', {
      result: final,
      receiptLines: ['PAID', '12.00 EUR'],
      reason: 'Approved.',
    });
    const [stored] = journal.append(end);
    expect(journal.payment(started.operationId)).toMatchObject({
      status: 'approved',
      result: final,
      receiptLines: ['PAID', '12.00 EUR'],
      reason: 'Approved.',
      completedAt: stored?.at,
      updatedAt: stored?.at,
    });
    expect(journal.operation(started.operationId)).toMatchObject({
      phase: 'ended',
      outcome: 'approved',
      result: final,
      endedAt: stored?.at,
      reason: 'Approved.',
    });
    expect(journal.openOperations()).toEqual([]);
  });

  it('keeps the result that it had when the end brings none', () => {
    const journal = newJournal();
    const started = sale();
    const result = record({ receiptNumber: '0042' });
    journal.append(started, resultOf(started, result), inDoubt(started), ended(started, 'failed'));
    expect(journal.operation(started.operationId)?.result).toEqual(result);
    expect(journal.payment(started.operationId)?.result).toBeNull();
  });

  it('stays in doubt while results and evidence come in', () => {
    const journal = newJournal();
    const started = sale();
    journal.append(started, inDoubt(started, 'The line was lost.'));
    const since = journal.payment(started.operationId)?.updatedAt;
    journal.append({ ...resultOf(started), late: true });
    expect(journal.operation(started.operationId)).toMatchObject({ phase: 'in_doubt', result: record() });
    journal.append(evidenceOf(started, true));
    expect(journal.operation(started.operationId)).toMatchObject({
      phase: 'in_doubt',
      needsDecision: true,
      reason: 'The terminal shows nothing.',
    });
    journal.append(inDoubt(started, 'The bridge was restarted.'));
    expect(journal.payment(started.operationId)).toMatchObject({
      status: 'unknown',
      reason: 'The bridge was restarted.',
      updatedAt: since,
    });
    journal.append(ended(started, 'failed', { resolvedBy: { name: 'Ada', reason: 'Saw the slip.' } }));
    expect(journal.operation(started.operationId)).toMatchObject({ phase: 'ended', needsDecision: false });
  });

  it('notes that a cancel was asked for', () => {
    const journal = newJournal();
    const started = sale();
    journal.append(started, { type: 'cancel_requested', operationId: started.operationId });
    expect(journal.operation(started.operationId)?.cancelRequested).toBe(true);
  });
});

describe('void', () => {
  it('is bound to its payment and leaves the sale’s own result', () => {
    const journal = newJournal();
    const started = sale();
    const result = record({ receiptNumber: '0042' });
    journal.append(started, ended(started, 'approved', { result, receiptLines: ['PAID'] }));
    const completedAt = journal.payment(started.operationId)?.completedAt;
    const reversal = voidOf(started);
    journal.append(reversal);
    expect(journal.operation(reversal.operationId)).toMatchObject({
      kind: 'void',
      paymentId: started.operationId,
      reference: started.reference,
    });
    journal.append(inDoubt(reversal, 'No answer.'));
    expect(journal.payment(started.operationId)).toMatchObject({ status: 'voiding', reason: 'No answer.' });
    journal.append(
      ended(reversal, 'not_voided', {
        reason: 'The terminal refused.',
        result: record({ kind: 'reversal' }),
      }),
    );
    expect(journal.payment(started.operationId)).toMatchObject({
      status: 'approved',
      reason: 'The terminal refused.',
      result,
      receiptLines: ['PAID'],
      completedAt,
    });
    const second = voidOf(started);
    journal.append(second, ended(second, 'voided'));
    expect(journal.payment(started.operationId)?.status).toBe('voided');
  });
});

describe('batch close', () => {
  it('settles what it covers and counts', () => {
    const journal = newJournal();
    const sales = [sale(), sale(), sale()];
    for (const started of sales) journal.append(started, ended(started, 'approved'));
    const close = batch();
    const covered = sales.slice(0, 2).map((started) => started.operationId);
    expect(journal.closedBatches()).toBe(0);
    journal.append(close, closed(close, covered, '17'));
    const rows = sales.map((started) => journal.payment(started.operationId));
    expect(rows.map((payment) => payment?.status)).toEqual(['settled', 'settled', 'approved']);
    expect(rows.map((payment) => payment?.batchNumber)).toEqual(['17', '17', null]);
    expect(journal.closedBatches()).toBe(1);
    expect(journal.unsettledPayments().map((payment) => payment.transactionId)).toEqual([
      sales[2]?.operationId,
    ]);
    expect(journal.terminalState()).toMatchObject({ epoch: 1, batchEpoch: 1 });
  });

  it('changes nothing when it was not closed', () => {
    const journal = newJournal();
    const close = batch();
    journal.append(close, ended(close, 'not_closed'));
    expect(journal.closedBatches()).toBe(0);
    expect(journal.terminalState()).toMatchObject({ epoch: 0, batchEpoch: 0 });
    expect(journal.batches({ limit: 5 })).toMatchObject([
      { operationId: close.operationId, outcome: 'not_closed' },
    ]);
  });
});

describe('what cannot follow', () => {
  const started = sale();
  const close = batch();
  const approved: JournalEvent[] = [started, ended(started, 'approved')];
  const cases: [string, JournalEvent[], JournalEvent[]][] = [
    ['a second sale for a reference', [started], [sale({ reference: started.reference })]],
    ['an operation that was started before', approved, [sale({ operationId: started.operationId })]],
    ['a result of an unknown operation', [], [resultOf(started)]],
    ['doubt about an unknown operation', [], [inDoubt(started)]],
    ['anything after the end', approved, [resultOf(started)]],
    ['doubt after the end', approved, [inDoubt(started)]],
    ['evidence after the end', approved, [evidenceOf(started, false)]],
    ['a cancel after the end', approved, [{ type: 'cancel_requested', operationId: started.operationId }]],
    ['a second end', approved, [ended(started, 'failed')]],
    ['a sale that is voided', [started], [ended(started, 'voided')]],
    ['a sale that is closed', [started], [ended(started, 'closed')]],
    ['a batch that is approved', [close], [ended(close, 'approved')]],
    ['a void of no payment', [], [voidOf(started)]],
    ['a void of a batch', [close], [voidOf(started, { paymentId: close.operationId })]],
    ['a void under another reference', approved, [voidOf(started, { reference: 'other' })]],
    ['settling twice', [...approved, close], [closed(close, [started.operationId, started.operationId])]],
    ['settling what is not known', [close], [closed(close, [started.operationId])]],
    [
      'settling without closing',
      [...approved, close],
      [ended(close, 'not_closed', { settled: [started.operationId] })],
    ],
  ];

  it.each(cases)('%s', (_name, before, wrong) => {
    const journal = newJournal();
    if (before.length > 0) journal.append(...before);
    const seq = journal.lastSeq();
    // Nothing of an append is kept when one of its events is wrong.
    expect(() => journal.append(sale({ reference: 'beside' }), ...wrong)).toThrow(JournalRuleError);
    expect(journal.lastSeq()).toBe(seq);
    expect(journal.paymentByReference('beside')).toBeNull();
    journal.append(sale({ reference: 'after' }));
    expect(journal.paymentByReference('after')?.position).toBe(seq + 1);
  });
});

describe('terminal state', () => {
  it('is unknown at first', () => {
    expect(newJournal().terminalState()).toMatchObject({
      terminal: null,
      lastRecord: { kind: 'unavailable' },
      epoch: 0,
      batchEpoch: 0,
    });
  });

  it.each<[Continuity, number, number]>([
    ['same', 1, 0],
    ['next', 1, 0],
    ['unknown', 1, 0],
    ['gap', 2, 0],
    ['batch', 2, 2],
    ['changed_terminal', 2, 2],
  ])('after %s the epoch is %i and the batch’s %i', (continuity, epoch, batchEpoch) => {
    const other = { protocol: 'zvt', terminalId: '99' } as const;
    for (const type of ['terminal_ready', 'record_seen'] as const) {
      const journal = newJournal();
      journal.append({ type: 'terminal_ready', terminal, lastRecord: lastRecord('1'), continuity: 'gap' });
      const seen = { lastRecord: lastRecord('2'), continuity };
      journal.append(type === 'terminal_ready' ? { type, terminal: other, ...seen } : { type, ...seen });
      expect(journal.terminalState()).toEqual({
        terminal: type === 'terminal_ready' ? other : terminal,
        // The same record shown again may tell less than the one that is known.
        lastRecord: lastRecord(type === 'terminal_ready' && continuity === 'same' ? '1' : '2'),
        epoch,
        batchEpoch,
      });
    }
  });

  it('takes an id over that is told later, and keeps it when it is not told again', () => {
    const nameless = { ...terminal, terminalId: null };
    const named: LastRecord = { kind: 'record', record: record({ terminalId: terminal.terminalId }) };
    const journal = newJournal();
    journal.append({
      type: 'terminal_ready',
      terminal: nameless,
      lastRecord: { kind: 'empty' },
      continuity: 'unknown',
    });
    expect(journal.terminalState().terminal).toEqual(nameless);
    journal.append({ type: 'record_seen', lastRecord: named, continuity: 'next', source: 'result' });
    expect(journal.terminalState().terminal).toEqual(terminal);
    journal.append({ type: 'terminal_ready', terminal: nameless, lastRecord: named, continuity: 'same' });
    expect(journal.terminalState().terminal).toEqual(terminal);
    expect(journal.terminalKnowledge(terminal).showsRecords).toBe(true);
  });

  it('knows that a terminal shows records only from what the terminal itself has shown', () => {
    const shows = (event: JournalEvent) => {
      const journal = newJournal();
      journal.append(
        { type: 'terminal_ready', terminal, lastRecord: { kind: 'empty' }, continuity: 'unknown' },
        event,
      );
      return journal.terminalKnowledge(terminal).showsRecords;
    };
    const seen = { type: 'record_seen', lastRecord: lastRecord('1'), continuity: 'next' } as const;
    expect(shows({ ...seen, source: 'terminal' })).toBe(true);
    expect(shows({ ...seen, source: 'result' })).toBe(false);
    expect(shows(seen)).toBe(false);
  });

  it('is not changed by a lost terminal', () => {
    const journal = newJournal();
    journal.append({ type: 'terminal_ready', terminal, lastRecord: lastRecord('1'), continuity: 'same' });
    const before = journal.terminalState();
    journal.append({ type: 'terminal_lost', reason: 'The line was cut.' });
    expect(journal.terminalState()).toEqual(before);
  });

  const gap: JournalEvent = { type: 'record_seen', lastRecord: lastRecord('9'), continuity: 'gap' };

  it('gives a payment its epoch when it is approved', () => {
    const journal = newJournal();
    const started = sale();
    journal.append(gap, started);
    expect(journal.payment(started.operationId)?.epoch).toBe(1);
    journal.append(gap, ended(started, 'approved'));
    expect(journal.payment(started.operationId)?.epoch).toBe(2);
  });

  it('leaves a payment that was in doubt in the epoch of its start: a batch may have been closed since', () => {
    const journal = newJournal();
    const started = sale();
    journal.append(started, inDoubt(started), gap, ended(started, 'approved'));
    expect(journal.payment(started.operationId)?.epoch).toBe(0);
  });

  it('leaves a payment whose void did not happen in its epoch', () => {
    const journal = newJournal();
    const started = sale();
    const reversal = voidOf(started);
    journal.append(started, ended(started, 'approved'), reversal, gap, ended(reversal, 'not_voided'));
    expect(journal.payment(started.operationId)?.epoch).toBe(0);
  });

  it('tells the unsettled payments of the open batch from older ones', () => {
    const journal = newJournal();
    const [old, recent] = [sale(), sale()];
    journal.append(old, ended(old, 'approved'));
    journal.append({ type: 'record_seen', lastRecord: { kind: 'empty' }, continuity: 'batch' });
    journal.append(recent, ended(recent, 'approved'));
    const ids = (rows: { transactionId: string }[]) => rows.map((payment) => payment.transactionId);
    expect(ids(journal.unsettledPayments())).toEqual([old.operationId, recent.operationId]);
    expect(ids(journal.unsettledPayments(journal.terminalState().batchEpoch))).toEqual([recent.operationId]);
  });
});
