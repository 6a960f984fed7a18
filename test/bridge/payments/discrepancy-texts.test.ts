/** What a discrepancy says to a person: whole sentences, also of none, one and several payments. */
import { describe, expect, it } from 'vitest';
import { findingsOfBatch, findingsOfResult } from '../../../src/bridge/payments/discrepancies.ts';
import type { PaymentRow } from '../../../src/bridge/journal/journal.ts';
import type { Settlement } from '../../../src/bridge/payments/operation-machine.ts';
import { batch, record } from '../journal/sample-events.ts';

const lastRecord = { kind: 'record', record: record({ receiptNumber: '0003' }) } as const;
const unsettled = (count: number) =>
  Array.from(
    { length: count },
    (_, number) => ({ reference: `A-${number}`, amountMinor: 500 }) as PaymentRow,
  );
const textOf = (continuity: 'gap' | 'changed_terminal' | 'batch', count: number) =>
  findingsOfResult({ lastRecord, continuity, unsettled: unsettled(count), currency: 'EUR' })[0]?.message;

describe('the sentence about', () => {
  it.each([
    [0, 'No approved payment of ours is affected.'],
    [1, '1 earlier payment of ours can no longer be voided here.'],
    [2, '2 earlier payments of ours can no longer be voided here.'],
  ])('records that were not seen, with %i payments before them', (count, end) => {
    const text = `The terminal did things before its last record (receipt 0003) that the bridge has not seen. ${end}`;
    expect(textOf('gap', count)).toBe(text);
  });

  it.each([
    [1, '1 payment of ours was not settled: it stays approved and can no longer be voided here.'],
    [2, '2 payments of ours were not settled: they stay approved and can no longer be voided here.'],
  ])('another terminal, with %i payments on the one before', (count, end) => {
    expect(textOf('changed_terminal', count)).toBe(
      `Another terminal answers on this line. On the one before, ${end}`,
    );
  });

  it.each([
    [0, 'No approved payment of ours is affected.'],
    [1, '1 payment of ours may be in it: it stays approved and can no longer be voided here.'],
  ])('a batch that was closed before a payment of ours, with %i payments in it', (count, end) => {
    expect(textOf('batch', count)).toBe(
      'With our last payment (receipt 0003) a new batch has begun at the terminal: the one before was closed, and not by the ' +
        `bridge, or another terminal is connected. ${end}`,
    );
  });

  it.each([
    [[], 'None of our payments is in question.'],
    [['A'], '1 payment is in question and stays approved.'],
    [['A', 'B'], '2 payments are in question and stay approved.'],
  ])('totals that differ, with %j in question', (inQuestion, end) => {
    const difference = {
      scheme: 'visa',
      terminalCount: 1,
      terminalTotalMinor: 500,
      journalCount: 2,
      journalTotalMinor: 1_000,
    };
    const closed = { currency: 'EUR', differences: [difference] } as unknown as Settlement['batch'];
    const settlement = {
      batch: closed,
      settled: [],
      uncovered: [],
      inQuestion,
      mayBeOthers: false,
      unexplained: ['visa'],
    };
    expect(findingsOfBatch(batch(), settlement, record())[0]?.message).toBe(
      'The terminal’s totals of the closed batch differ from the journal’s (visa: the terminal has 1 for 5.00 EUR, ' +
        `the journal 2 for 10.00 EUR). ${end}`,
    );
  });

  it('totals that differ, where others than those in question may be missing', () => {
    const difference = {
      scheme: 'all',
      terminalCount: null,
      terminalTotalMinor: 500,
      journalCount: 2,
      journalTotalMinor: 1_000,
    };
    const closed = { currency: 'EUR', differences: [difference] } as unknown as Settlement['batch'];
    const more = { settled: [], uncovered: [], inQuestion: ['A'], mayBeOthers: true, unexplained: ['all'] };
    expect(findingsOfBatch(batch(), { batch: closed, ...more }, record())[0]?.message).toBe(
      'The terminal’s totals of the closed batch differ from the journal’s (all: the terminal has 5.00 EUR, the journal 2 ' +
        'for 10.00 EUR). 1 payment is in question and stays approved. The terminal does not say how many payments it ' +
        'counted, so different ones may be missing.',
    );
  });

  it('a close by a person’s word, which does not hold all that was expected', () => {
    const closed = { currency: 'EUR', differences: [] } as unknown as Settlement['batch'];
    const more = { settled: [], uncovered: [], inQuestion: ['A'], mayBeOthers: false, unexplained: [] };
    expect(findingsOfBatch(batch(), { batch: closed, ...more }, null)[0]?.message).toBe(
      'A person said that the batch was closed. Nothing shows that it held all that the journal expected in it. 1 payment ' +
        'is in question and stays approved.',
    );
  });
});
