/** A close settles only what it certainly covers; what its totals put in question is named. */
import { describe, expect, it } from 'vitest';
import type { PaymentRow } from '../../../src/bridge/journal/journal.ts';
import { settle } from '../../../src/bridge/payments/batch.ts';
import type { KnownByHand } from '../../../src/bridge/payments/history.ts';
import { dialects } from '../../../src/simulator/dialects.ts';
import { emptyRecord, type SchemeTotal, type TerminalRecord } from '../../../src/contract/terminal.ts';
import type { Rig } from '../../support/rig.ts';
import { closeRigsAfterEach, payment as paymentOf, rigUp } from '../../support/rigs.ts';

closeRigsAfterEach();

function payment(number: number, amountMinor: number, scheme: string | null, receipt = true): PaymentRow {
  const digits = String(number).padStart(4, '0');
  return {
    position: number,
    transactionId: `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`,
    reference: `R-${number}`,
    conditionCode: '00',
    amountMinor,
    currency: 'EUR',
    status: 'approved',
    simulated: false,
    terminal: { protocol: 'zvt', terminalId: '12345678' },
    epoch: 0,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    completedAt: '2026-01-01T00:00:00.000Z',
    reason: '',
    result: byHand(amountMinor, scheme, receipt ? digits : null),
    receiptLines: [],
    resolvedBy: null,
    batchNumber: null,
  };
}

function byHand(
  amountMinor: number,
  schemeGroup: string | null,
  receiptNumber: string | null = null,
): TerminalRecord {
  return { ...emptyRecord(), kind: 'payment', approved: true, amountMinor, receiptNumber, schemeGroup };
}

const total = (scheme: string, count: number, totalMinor: number): SchemeTotal => ({
  scheme,
  count,
  totalMinor,
});

function close(
  open: PaymentRow[],
  totals: SchemeTotal[],
  more: { known?: Partial<KnownByHand>; range?: [string, string] | null; amountMinor?: number } = {},
) {
  const { range = ['0001', '0099'], amountMinor = null } = more;
  const record: TerminalRecord = {
    ...emptyRecord(),
    kind: 'batch_close',
    approved: true,
    amountMinor,
    totals,
    receiptFrom: range?.[0] ?? null,
    receiptTo: range?.[1] ?? null,
  };
  const known = { payments: [], reversals: [], reversed: [], ...more.known };
  const { settled, inQuestion, unexplained, batch } = settle({
    open,
    terminal: null,
    record,
    currency: 'EUR',
    batchNumber: '7',
    known,
  });
  return { settled: settled.map((id) => Number(id.slice(-12))), inQuestion, unexplained, ...batch };
}

describe('the totals of a close', () => {
  const [one, two, three] = [payment(1, 1000, 'visa'), payment(2, 1000, 'visa'), payment(3, 500, 'visa')];
  const four = payment(4, 700, 'girocard');
  const all = [one, two, three, four];
  const girocard = total('girocard', 1, 700);

  it('settle what they agree with', () => {
    expect(close(all, [total('visa', 3, 2500), girocard])).toMatchObject({
      settled: [1, 2, 3, 4],
      inQuestion: [],
      reconciled: true,
      count: 4,
      totalMinor: 3200,
    });
  });

  it('put those in question of which one is missing, and no others', () => {
    expect(close(all, [total('visa', 2, 1500), girocard])).toMatchObject({
      settled: [3, 4],
      inQuestion: ['R-1', 'R-2'],
      reconciled: false,
    });
  });

  it.each([
    ['two are missing', total('visa', 1, 1000)],
    ['the sum alone differs', total('visa', 3, 2400)],
    ['the count alone differs', total('visa', 2, 2500)],
    ['something unknown is in it', total('visa', 4, 3300)],
  ])('put a whole scheme in question: %s', (_, visa) => {
    const { settled, inQuestion, reconciled } = close(all, [visa, girocard]);
    expect({ settled, inQuestion, reconciled }).toEqual({
      settled: [4],
      inQuestion: ['R-1', 'R-2', 'R-3'],
      reconciled: false,
    });
  });

  it('count what is known to have been done by hand', () => {
    const known = { payments: [byHand(300, 'visa'), byHand(200, 'visa')], reversals: [byHand(200, 'visa')] };
    expect(close(all, [total('visa', 4, 2800), girocard], { known })).toMatchObject({
      settled: [1, 2, 3, 4],
      inQuestion: [],
      unexplained: [],
      reconciled: false,
      differences: [{ scheme: 'visa', terminalCount: 4, journalCount: 3 }],
      count: 5,
    });
    // A refund by hand looks like a payment; totals that are exactly ours are ours.
    expect(close(all, [total('visa', 3, 2500), girocard], { known })).toMatchObject({
      settled: [1, 2, 3, 4],
      reconciled: true,
    });
  });

  it('leave out what is known to have been reversed', () => {
    const known = { reversed: ['R-1'] };
    expect(close(all, [total('visa', 2, 1500), girocard], { known })).toMatchObject({
      settled: [2, 3, 4],
      inQuestion: [],
      reconciled: true,
    });
  });

  it('are compared by the sum of the differing schemes where a scheme of ours is not known', () => {
    const open = [one, payment(5, 900, null)];
    expect(close(open, [total('visa', 1, 1000), total('amex', 1, 900)])).toMatchObject({
      settled: [1, 5],
      reconciled: true,
    });
    expect(close(open, [total('visa', 1, 1000), total('amex', 1, 800)])).toMatchObject({
      settled: [1],
      inQuestion: ['R-5'],
    });
  });

  it('have counts of one byte on the wire', () => {
    const many = Array.from({ length: 300 }, (_, i) => payment(i + 1, 100, 'visa'));
    const range: [string, string] = ['0001', '0300'];
    const { settled, reconciled, count } = close(many, [total('visa', 44, 30_000)], { range });
    expect({ settled: settled.length, reconciled, count }).toEqual({
      settled: 300,
      reconciled: true,
      count: 300,
    });
    expect(close(many, [total('visa', 44, 29_900)], { range })).toMatchObject({ reconciled: false });
    expect(close(many, [total('visa', 43, 29_900)], { range }).inQuestion).toHaveLength(300);
  });

  it('may be one sum only', () => {
    expect(close(all, [], { amountMinor: 3200 })).toMatchObject({
      settled: [1, 2, 3, 4],
      reconciled: true,
      count: null,
    });
    expect(close(all, [], { amountMinor: 2700 })).toMatchObject({
      settled: [1, 2, 4],
      inQuestion: ['R-3'],
      differences: [{ scheme: 'all', terminalCount: null, terminalTotalMinor: 2700, journalCount: 4 }],
    });
  });

  it('may be missing: then nothing is invented', () => {
    expect(close(all, [], { range: null })).toMatchObject({
      settled: [1, 2, 3, 4],
      inQuestion: [],
      reconciled: false,
      count: null,
      totalMinor: null,
      differences: [],
    });
  });

  it('do not cover a payment without a receipt number, unless no range is told at all', () => {
    const unnumbered = payment(9, 400, 'visa', false);
    const open = [one, unnumbered];
    expect(close(open, [total('visa', 1, 1000)])).toMatchObject({
      settled: [1],
      inQuestion: ['R-9'],
      reconciled: false,
    });
    expect(close(open, [total('visa', 2, 1400)])).toMatchObject({
      settled: [1],
      inQuestion: [],
      reconciled: true,
    });
    expect(close(open, [total('visa', 2, 1400)], { range: null })).toMatchObject({ settled: [1, 9] });
  });
});

describe('a close on the whole way', () => {
  const open = (rig: Rig) => rig.payments.discrepancies();
  const receiptOf = (rig: Rig, reference: string) => paymentOf(rig, reference).result?.receiptNumber ?? '';

  async function day(dialect: keyof typeof dialects = 'strict') {
    const rig = await rigUp({ simulator: { dialect: dialects[dialect] } });
    for (const [amount, reference] of [
      ['12.00', 'A'],
      ['12.00', 'B'],
      ['30.00', 'C'],
    ] as const) {
      await rig.sale(amount, reference);
      await rig.ready();
    }
    return rig;
  }

  it('never settles what was reversed by hand a moment before', async () => {
    const rig = await day();
    rig.simulator.reverseManually(receiptOf(rig, 'C'));
    const answer = await rig.payments.submitBatch(60_000);
    expect(answer).toMatchObject({ ok: true, value: { batch: { reconciled: false } } });
    expect(rig.status('C')).toBe('approved');
    expect(open(rig)).toMatchObject([
      { kind: 'unseen_records' },
      { kind: 'batch_differs', references: ['C'], amountMinor: 3000 },
    ]);
    expect(rig.tap.sent('0650')).toBe(1);
  });

  it('settles the others when a reversal by hand is known', async () => {
    const rig = await day();
    rig.simulator.reverseManually(receiptOf(rig, 'B'));
    await rig.clock.advance(40_000);
    expect(open(rig)).toMatchObject([{ kind: 'unexplained_reversal', references: ['B'] }]);
    const answer = await rig.payments.submitBatch(60_000);
    expect(answer).toMatchObject({
      ok: true,
      value: { batch: { count: 2, totalMinor: 4200, reconciled: true } },
    });
    expect(['A', 'B', 'C'].map((reference) => rig.status(reference))).toEqual([
      'settled',
      'approved',
      'settled',
    ]);
    expect(open(rig)).toHaveLength(1);
  });

  it('knows a payment by hand that it has seen', async () => {
    const rig = await day();
    rig.simulator.payManually(500);
    await rig.clock.advance(40_000);
    const answer = await rig.payments.submitBatch(60_000);
    expect(answer).toMatchObject({
      ok: true,
      value: { batch: { count: 4, totalMinor: 5900, reconciled: false } },
    });
    expect(rig.status('A')).toBe('settled');
    expect(open(rig).map(({ kind }) => kind)).toEqual(['unexplained_payment']);
  });

  it('names what it does not hold, because the day had been closed by hand a moment before', async () => {
    const rig = await day();
    rig.simulator.closeDayManually();
    expect(await rig.payments.submitBatch(60_000)).toMatchObject({
      ok: true,
      value: { batch: { count: 0, reconciled: false } },
    });
    expect(['A', 'B', 'C'].map((reference) => rig.status(reference))).toEqual(Array(3).fill('approved'));
    expect(open(rig)).toMatchObject([
      { kind: 'unseen_records' },
      { kind: 'batch_differs', references: ['A', 'B', 'C'] },
    ]);
  });

  it('invents no figures where the terminal tells none', async () => {
    const rig = await day('no-day-totals');
    const answer = await rig.payments.submitBatch(60_000);
    expect(answer).toMatchObject({
      ok: true,
      value: { batch: { count: null, totalMinor: 5400, differences: [] } },
    });
    expect(rig.status('A')).toBe('settled');
  });
});
