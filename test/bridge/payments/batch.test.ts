import { describe, expect, it } from 'vitest';
import { currencyOfClose, openBatch, settle } from '../../../src/bridge/payments/batch.ts';
import type { PaymentRow, TerminalState } from '../../../src/bridge/journal/journal.ts';
import { emptyRecord, type TerminalRecord } from '../../../src/contract/terminal.ts';

function payment(number: number, more: Partial<PaymentRow> = {}, scheme = 'visa'): PaymentRow {
  return {
    position: number,
    transactionId: `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`,
    reference: `R-${number}`,
    conditionCode: '00',
    amountMinor: 100 * number,
    currency: 'EUR',
    status: 'approved',
    simulated: false,
    terminal: { protocol: 'zvt', terminalId: '12345678' },
    epoch: 3,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    completedAt: '2026-01-01T00:00:00.000Z',
    reason: '',
    result: {
      ...emptyRecord(),
      kind: 'payment',
      approved: true,
      amountMinor: 100 * number,
      receiptNumber: String(number).padStart(4, '0'),
      schemeGroup: scheme,
    },
    receiptLines: [],
    resolvedBy: null,
    batchNumber: null,
    ...more,
  };
}

const state: TerminalState = {
  terminal: { protocol: 'zvt', terminalId: '12345678' },
  lastRecord: { kind: 'empty' },
  epoch: 4,
  batchEpoch: 3,
};

function close(more: Partial<TerminalRecord>): TerminalRecord {
  return { ...emptyRecord(), kind: 'batch_close', approved: true, ...more };
}

const settled = (open: PaymentRow[], record: TerminalRecord | null) =>
  settle({
    open,
    terminal: null,
    record,
    currency: 'EUR',
    batchNumber: '7',
    known: { payments: [], reversals: [], reversed: [] },
  });

describe('closing the day', () => {
  it('expects what was approved on this terminal since the last certain boundary', () => {
    const list = [
      payment(1, { epoch: 2 }),
      payment(2),
      payment(3, { epoch: 4 }),
      payment(4, { terminal: { protocol: 'zvt', terminalId: '87654321' } }),
    ];
    expect(openBatch(list, state).map((row) => row.reference)).toEqual(['R-2', 'R-3']);
  });

  it('reconciles when the totals agree, scheme by scheme', () => {
    const record = close({
      amountMinor: 600,
      receiptFrom: '0001',
      receiptTo: '0003',
      totals: [
        { scheme: 'visa', count: 2, totalMinor: 300 },
        { scheme: 'girocard', count: 1, totalMinor: 300 },
        { scheme: 'amex', count: 0, totalMinor: 0 },
      ],
    });
    const { batch, settled: ids } = settled([payment(1), payment(2), payment(3, {}, 'girocard')], record);
    expect(batch).toMatchObject({
      batchNumber: '7',
      count: 3,
      totalMinor: 600,
      reconciled: true,
      differences: [],
    });
    expect(ids).toHaveLength(3);
  });

  it('names each difference, also in a scheme that only one side knows', () => {
    const record = close({
      amountMinor: 450,
      totals: [
        { scheme: 'visa', count: 1, totalMinor: 100 },
        { scheme: 'amex', count: 1, totalMinor: 350 },
      ],
    });
    const { batch } = settled([payment(1), payment(2, {}, 'girocard')], record);
    expect(batch.reconciled).toBe(false);
    expect(batch.differences).toEqual([
      { scheme: 'amex', terminalCount: 1, terminalTotalMinor: 350, journalCount: 0, journalTotalMinor: 0 },
      {
        scheme: 'girocard',
        terminalCount: 0,
        terminalTotalMinor: 0,
        journalCount: 1,
        journalTotalMinor: 200,
      },
    ]);
  });

  it('leaves out what the close does not cover, also when the receipt number has wrapped', () => {
    const open = [payment(2), payment(5), payment(9998)];
    const ids = (from: string, to: string) =>
      settled(open, close({ receiptFrom: from, receiptTo: to, totals: [] })).settled.map((id) =>
        Number(id.slice(-12)),
      );
    expect(settled(open, close({ receiptFrom: '0002', receiptTo: '0004', totals: [] })).uncovered).toEqual([
      'R-5',
      'R-9998',
    ]);
    expect(ids('0002', '0004')).toEqual([2]);
    expect(ids('9990', '0003')).toEqual([2, 9998]);
    expect(ids('0000', '0000')).toEqual([]);
  });

  it('compares one total where the terminal tells no more', () => {
    expect(settled([payment(1)], close({ amountMinor: 100, totals: [] })).batch.reconciled).toBe(true);
    expect(settled([payment(1)], close({ amountMinor: 90, totals: [] })).batch.differences).toEqual([
      { scheme: 'all', terminalCount: null, terminalTotalMinor: 90, journalCount: 1, journalTotalMinor: 100 },
    ]);
  });

  it.each([
    ['a close without amount and totals', { kind: 'batch_close' as const, approved: true, resultCode: '00' }],
    ['a refusal', { kind: 'payment' as const, approved: false, resultCode: '77' }],
  ])('is not reconciled by %s', (_, more) => {
    expect(settled([payment(12)], { ...emptyRecord(), ...more }).batch.reconciled).toBe(false);
  });

  it('settles nothing that the terminal did not tell of, and says so once', () => {
    const [first, second] = [payment(1), payment(2)];
    const settlement = settle({
      open: [first, second],
      terminal: null,
      record: close({ amountMinor: 100 }),
      currency: 'EUR',
      batchNumber: '7',
      known: { payments: [], reversals: [], reversed: [] },
      untold: [second.reference],
    });
    expect(settlement).toMatchObject({
      settled: [first.transactionId],
      uncovered: [second.reference],
      inQuestion: [],
      batch: { reconciled: false },
    });
  });

  it('holds a payment of another currency against no total: it stays as it is, and is in question', () => {
    const [first, other] = [payment(1), payment(2, { currency: 'CHF' })];
    // The terminal knows amounts only, and has added up both.
    expect(settled([first, other], close({ amountMinor: 300 }))).toMatchObject({
      settled: [],
      inQuestion: [first.reference, other.reference],
      batch: {
        reconciled: false,
        currency: 'EUR',
        differences: [{ terminalTotalMinor: 300, journalCount: 1, journalTotalMinor: 100 }],
      },
    });
    expect(settled([first, other], close({ amountMinor: 100 }))).toMatchObject({
      settled: [first.transactionId],
      uncovered: [other.reference],
      inQuestion: [other.reference],
      batch: { reconciled: false, totalMinor: 100, differences: [] },
    });
    // Nothing was added up.
    expect(settled([first, other], close({})).settled).toHaveLength(2);
    expect(settled([first, other], null).settled).toHaveLength(2);
  });

  it('counts in the currency of its payments, and in that of the settings where they have several', () => {
    const [euros, francs] = [payment(1), payment(2, { currency: 'CHF' })];
    expect(currencyOfClose([euros, payment(3)], 'CHF')).toBe('EUR');
    expect(currencyOfClose([euros, francs], 'CHF')).toBe('CHF');
    expect(currencyOfClose([], 'CHF')).toBe('CHF');
  });

  it('settles all when a person says so, and never calls that reconciled', () => {
    const { batch, settled: ids } = settled([payment(1), payment(2)], null);
    expect(batch).toMatchObject({ count: null, totalMinor: null, reconciled: false, differences: [] });
    expect(ids).toHaveLength(2);
  });
});
