import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OperationStarted } from '../../../../src/contract/journal-events.ts';
import { emptyRecord, type LastRecord, type TerminalRecord } from '../../../../src/contract/terminal.ts';
import type { ReconciliationResult } from '../../../../src/bridge/terminals/terminal-driver.ts';
import { reconcile, continuity } from '../../../../src/bridge/terminals/zvt/evidence.ts';
import { before, closing, empty, record, refused, sale, shown, terminal, voiding } from './doubt-samples.ts';

const otherTerminal = { protocol: 'zvt', terminalId: '11111111' } as const;

const unavailable: LastRecord = { kind: 'unavailable', reason: 'it is not shown' };
const batch = (parts: Partial<TerminalRecord> = {}) =>
  shown({ kind: 'batch_close', receiptNumber: null, amountMinor: 9000, ...parts });
const reversal = (parts: Partial<TerminalRecord> = {}) =>
  shown({
    kind: 'reversal',
    traceNumber: '000472',
    receiptNumber: '0472',
    originalTraceNumber: '000471',
    ...parts,
  });

const reconciled = (
  operation: OperationStarted,
  lastRecord: LastRecord,
  result: TerminalRecord | null = null,
  now: { protocol: 'zvt'; terminalId: string | null } = terminal,
): ReconciliationResult['kind'] =>
  reconcile({ operation, result, acknowledged: false, showsRecords: true }, now, lastRecord).kind;

describe('continuity', () => {
  it.each<[string, LastRecord, LastRecord, string]>([
    ['nothing and nothing', empty, empty, 'same'],
    ['nothing and a first record', empty, shown(), 'next'],
    ['nothing and a batch close', empty, batch(), 'batch'],
    ['a record and nothing', shown(), empty, 'gap'],
    ['a record and the same', shown(), shown(), 'same'],
    [
      'a record and the same with less in it',
      shown({ turnoverNumber: '1' }),
      shown({ cardScheme: 'Visa' }),
      'same',
    ],
    ['a record and the next', before, shown(), 'next'],
    [
      'a record and the one after the next',
      before,
      shown({ traceNumber: '000472', receiptNumber: '0472' }),
      'gap',
    ],
    ['a record and an earlier one', shown(), before, 'gap'],
    ['a record and the next by trace only', before, shown({ receiptNumber: '0475' }), 'gap'],
    ['a record and the next by receipt only', before, shown({ traceNumber: '000480' }), 'gap'],
    [
      'a record and the next, which has no receipt',
      before,
      shown({ receiptNumber: null, ...refused }),
      'next',
    ],
    ['a record and the same number with another amount', shown(), shown({ amountMinor: 1300 }), 'gap'],
    ['a record and the same number, refused now', shown(), shown(refused), 'gap'],
    [
      'a record and the same number at another time',
      shown({ terminalTime: '1' }),
      shown({ terminalTime: '2' }),
      'gap',
    ],
    ['a record and a batch close', before, batch(), 'batch'],
    ['a batch close and the same', batch(), batch(), 'same'],
    [
      'a batch close and the payment after it',
      batch(),
      shown({ traceNumber: '000472', receiptNumber: '0001' }),
      'next',
    ],
    ['a record and one of another terminal', before, shown({ terminalId: '11111111' }), 'changed_terminal'],
    ['a record that is not known', unavailable, shown(), 'unknown'],
    ['a record that cannot be read', shown(), unavailable, 'unknown'],
    ['records without numbers', shown({ traceNumber: null }), shown({ traceNumber: null }), 'unknown'],
  ])('of %s', (_, previous, current, expected) => {
    expect(continuity(previous, current)).toBe(expected);
  });

  it('counts a wrap as next, and nothing else that is not one more', () => {
    const digits = (value: number, length: number) => value.toString().padStart(length, '0');
    fc.assert(
      fc.property(
        fc.oneof(fc.constantFrom(999_999, 9_999), fc.integer({ min: 1, max: 999_999 })),
        fc.oneof(fc.constantFrom(9_999), fc.integer({ min: 1, max: 9_999 })),
        fc.oneof(fc.constantFrom(0, 1, 2), fc.integer({ min: 0, max: 999_999 })),
        fc.oneof(fc.constantFrom(0, 1, 2), fc.integer({ min: 0, max: 9_999 })),
        (trace, receipt, traceStep, receiptStep) => {
          const previous = shown({ traceNumber: digits(trace, 6), receiptNumber: digits(receipt, 4) });
          const nextTrace = (trace + traceStep) % 1_000_000;
          const nextReceipt = (receipt + receiptStep) % 10_000;
          const current = shown({
            traceNumber: digits(nextTrace, 6),
            receiptNumber: digits(nextReceipt, 4),
            amountMinor: 777,
          });
          const isNext = (from: number, to: number, highest: number) =>
            to === from + 1 || (from === highest && (to === 0 || to === 1));
          const expected =
            isNext(trace, nextTrace, 999_999) && isNext(receipt, nextReceipt, 9_999) ? 'next' : 'gap';
          expect(continuity(previous, current)).toBe(expected);
        },
      ),
    );
  });
});

describe('a sale in doubt', () => {
  it.each<[string, LastRecord, ReconciliationResult['kind']]>([
    ['the next record approves this amount', shown(), 'done'],
    ['the record from before is still there', before, 'not_done'],
    ['the next record is a refusal', shown(refused), 'not_done'],
    [
      'the next record is a refusal without receipt and amount',
      shown({ ...refused, receiptNumber: null, amountMinor: null }),
      'not_done',
    ],
    [
      'the next record is a refusal of another amount',
      shown({ ...refused, amountMinor: 1300 }),
      'needs_decision',
    ],
    ['the next record approves another amount', shown({ amountMinor: 1300 }), 'needs_decision'],
    ['the next record approves no amount', shown({ amountMinor: null }), 'needs_decision'],
    [
      'the next record does not say how it ended',
      shown({ approved: false, resultCode: null }),
      'needs_decision',
    ],
    ['the next record is in another currency', shown({ currency: 'CHF' }), 'needs_decision'],
    ['the next record is of another terminal', shown({ terminalId: '11111111' }), 'needs_decision'],
    ['a record lies between', shown({ traceNumber: '000472', receiptNumber: '0472' }), 'needs_decision'],
    ['the receipt numbers do not follow', shown({ receiptNumber: '0472' }), 'needs_decision'],
    ['the record has no trace number', shown({ traceNumber: null }), 'needs_decision'],
    ['an end of day came', batch(), 'needs_decision'],
    ['nothing is shown any more', empty, 'needs_decision'],
    ['the record cannot be read', unavailable, 'needs_decision'],
    ['it was reversed, with a number of its own', reversal(), 'not_done'],
    [
      'it was reversed, with its own number',
      reversal({ traceNumber: '000471', receiptNumber: '0471' }),
      'not_done',
    ],
    ['its reversal failed', reversal(refused), 'needs_decision'],
    [
      'it is marked as reversed itself',
      reversal({ ...refused, traceNumber: '000471', receiptNumber: '0471' }),
      'not_done',
    ],
    ['another amount was reversed', reversal({ amountMinor: 1300 }), 'needs_decision'],
    [
      'the payment before was reversed',
      reversal({ traceNumber: '000471', originalTraceNumber: '000470' }),
      'needs_decision',
    ],
    [
      'an older payment was reversed',
      reversal({ traceNumber: '000471', originalTraceNumber: '000400' }),
      'needs_decision',
    ],
    ['it was reversed, but later', reversal({ traceNumber: '000473' }), 'needs_decision'],
    ['a payment names an original', shown({ originalTraceNumber: '000469' }), 'needs_decision'],
  ])('when %s', (_, lastRecord, expected) => {
    expect(reconciled(sale, lastRecord)).toBe(expected);
  });

  it('is charged across the wrap of both counters', () => {
    const baseline = shown({ traceNumber: '999999', receiptNumber: '9999' });
    for (const traceNumber of ['000000', '000001']) {
      for (const receiptNumber of ['0000', '0001']) {
        expect(reconciled({ ...sale, baseline }, shown({ traceNumber, receiptNumber }))).toBe('done');
      }
    }
    expect(reconciled({ ...sale, baseline }, shown({ traceNumber: '000002', receiptNumber: '0001' }))).toBe(
      'needs_decision',
    );
    expect(
      reconciled(
        { ...sale, baseline },
        reversal({ originalTraceNumber: '000001', traceNumber: '000002', receiptNumber: '0002' }),
      ),
    ).toBe('not_done');
  });

  it('on a terminal that had no record before', () => {
    const fresh = { ...sale, baseline: empty };
    expect(reconciled(fresh, empty)).toBe('not_done');
    expect(reconciled(fresh, shown({ traceNumber: '000001', receiptNumber: '0001' }))).toBe('done');
    expect(reconciled(fresh, shown({ traceNumber: null }))).toBe('needs_decision');
    expect(reconciled(fresh, shown({ traceNumber: '000001', amountMinor: 1300 }))).toBe('needs_decision');
    // Not its first record: others may have come before it, unless its result came to us.
    expect(reconciled(fresh, shown())).toBe('needs_decision');
    expect(reconciled(fresh, shown(), record())).toBe('done');
    expect(reconciled(fresh, shown(refused))).toBe('needs_decision');
    expect(reconciled(fresh, shown({ ...refused, traceNumber: '000001' }))).toBe('not_done');
    expect(reconciled(fresh, reversal())).toBe('needs_decision');
    expect(reconciled(fresh, reversal(), record())).toBe('not_done');
    expect(reconciled(fresh, reversal({ ...refused, traceNumber: '000471' }))).toBe('needs_decision');
    const first = { ...refused, traceNumber: '000001', originalTraceNumber: '000001' };
    expect(reconciled(fresh, reversal(first))).toBe('not_done');
  });

  it('is for a person when what was there before is not known, or the terminal is another or unknown', () => {
    expect(reconciled({ ...sale, baseline: unavailable }, shown())).toBe('needs_decision');
    for (const lastRecord of [shown(), before, reversal(), shown(refused)]) {
      expect(reconciled(sale, lastRecord, null, otherTerminal)).toBe('needs_decision');
    }
    const nameless = { ...sale, terminal: { protocol: 'zvt', terminalId: null } as const };
    const without = { terminalId: null, traceNumber: '000470', receiptNumber: '0470' };
    expect(reconciled({ ...nameless, baseline: shown(without) }, shown(), null, nameless.terminal)).toBe(
      'done',
    );
    expect(reconciled({ ...nameless, baseline: empty }, shown(), null, nameless.terminal)).toBe(
      'needs_decision',
    );
    expect(reconciled(sale, shown({ terminalId: null }), null, nameless.terminal)).toBe('needs_decision');
    expect(reconciled(nameless, shown())).toBe('done');
    expect(reconciled(sale, shown({ terminalId: null }))).toBe('done');
  });

  it('is stronger with a stored result, and for a person when that contradicts', () => {
    const tip = { amountMinor: 1500 };
    expect(reconciled(sale, shown(), record())).toBe('done');
    expect(reconciled(sale, shown(tip))).toBe('needs_decision');
    expect(reconciled(sale, shown(tip), record(tip))).toBe('done');
    expect(reconciled(sale, shown(), record(tip))).toBe('needs_decision');
    expect(reconciled(sale, shown(), record({ traceNumber: '000472' }))).toBe('needs_decision');
    expect(reconciled(sale, shown(), record(refused))).toBe('needs_decision');
    expect(reconciled(sale, shown(refused), record())).toBe('not_done');
    expect(reconciled(sale, before, record())).toBe('needs_decision');
    expect(reconciled(sale, before, record(refused))).toBe('not_done');
    expect(reconciled(sale, before, record({ traceNumber: '000470' }))).toBe('needs_decision');
    expect(reconciled(sale, reversal(), record())).toBe('not_done');
    expect(reconciled(sale, reversal(), record({ traceNumber: '000475' }))).toBe('needs_decision');
    expect(reconciled(sale, reversal(tip), record(tip))).toBe('not_done');
  });

  it('is never charged by a record that is not exactly the next approval of this amount on this terminal', () => {
    fc.assert(
      fc.property(
        fc.record({
          kind: fc.constantFrom('payment', 'reversal', 'batch_close', 'other'),
          approved: fc.boolean(),
          amountMinor: fc.constantFrom(1200, 1201, null),
          terminalId: fc.constantFrom('28004869', '11111111', null),
          traceNumber: fc.constantFrom('000469', '000470', '000471', '000472', null),
          receiptNumber: fc.constantFrom('0469', '0470', '0471', '0472', null),
          originalTraceNumber: fc.constantFrom('000470', '000471', null),
          cardScheme: fc.constantFrom('Visa', null),
        }),
        (parts) => {
          const resultCode = parts.approved ? '00' : '05';
          const reconciliation = reconciled(sale, shown({ ...parts, resultCode }));
          const charged =
            parts.kind === 'payment' &&
            parts.approved &&
            parts.amountMinor === 1200 &&
            parts.terminalId !== '11111111' &&
            parts.traceNumber === '000471' &&
            (parts.receiptNumber === '0471' || (parts.receiptNumber === null && parts.cardScheme !== null)) &&
            parts.originalTraceNumber === null;
          expect(reconciliation === 'done').toBe(charged);
          expect(parts.terminalId === '11111111' && reconciliation !== 'needs_decision').toBe(false);
          if (reconciliation !== 'not_done') return;
          // Only the record from before, a refusal right after it, or a reversal of the next payment proves that.
          const isBefore =
            parts.traceNumber === '000470' && parts.amountMinor === null && parts.kind === 'payment';
          const isRefusal = parts.traceNumber === '000471' && !parts.approved && parts.kind === 'payment';
          const isReversal =
            parts.originalTraceNumber === '000471' &&
            (parts.approved || parts.traceNumber === '000471') &&
            parts.amountMinor === 1200;
          expect(isBefore || isRefusal || isReversal).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('a void in doubt', () => {
  it.each<[string, LastRecord, ReconciliationResult['kind']]>([
    ['the next record reverses this payment', reversal(), 'done'],
    ['the next record reverses it without naming an amount', reversal({ amountMinor: null }), 'done'],
    ['the reversal carries the receipt number of the payment', reversal({ receiptNumber: '0471' }), 'done'],
    ['the reversal carries no receipt number', reversal({ receiptNumber: null }), 'done'],
    ['the record from before is still there', shown(), 'not_done'],
    ['the next record is a refused reversal', reversal(refused), 'not_done'],
    [
      'the next record is a refusal',
      shown({ ...refused, traceNumber: '000472', receiptNumber: null }),
      'not_done',
    ],
    [
      'the next record reverses another payment',
      reversal({ originalTraceNumber: '000470' }),
      'needs_decision',
    ],
    ['the next record reverses another amount', reversal({ amountMinor: 1300 }), 'needs_decision'],
    [
      'the next record reverses something without a name',
      reversal({ originalTraceNumber: null }),
      'needs_decision',
    ],
    [
      'the next record is a payment',
      shown({ traceNumber: '000472', receiptNumber: '0472' }),
      'needs_decision',
    ],
    ['the next record says "already reversed"', reversal({ ...refused, resultCode: 'b4' }), 'needs_decision'],
    ['a record lies between', reversal({ traceNumber: '000473', receiptNumber: '0473' }), 'needs_decision'],
    ['the receipt number does not follow', reversal({ receiptNumber: '0473' }), 'needs_decision'],
    ['an end of day came', batch({ traceNumber: '000472' }), 'needs_decision'],
    [
      'the next record does not say how it ended',
      reversal({ approved: false, resultCode: null }),
      'needs_decision',
    ],
    ['the reversal is of another terminal', reversal({ terminalId: '11111111' }), 'needs_decision'],
    ['nothing is shown any more', empty, 'needs_decision'],
    ['the record cannot be read', unavailable, 'needs_decision'],
  ])('when %s', (_, lastRecord, expected) => {
    expect(reconciled(voiding, lastRecord)).toBe(expected);
  });

  it('is not bound to anything without the trace number of the payment', () => {
    expect(reconciled({ ...voiding, traceNumber: null }, reversal())).toBe('needs_decision');
  });

  it('was voided before when the record from before is its reversal', () => {
    const again = { ...voiding, baseline: reversal() };
    expect(reconciled(again, reversal())).toBe('done');
    const other = reversal({ originalTraceNumber: '000470' });
    expect(reconciled({ ...voiding, baseline: other }, other)).toBe('not_done');
    const failed = reversal(refused);
    expect(reconciled({ ...voiding, baseline: failed }, failed)).toBe('not_done');
  });

  it('is for a person when the terminal said "already reversed" and shows no reversal', () => {
    const said = { ...emptyRecord(), resultCode: 'b4' };
    expect(reconciled(voiding, shown(), said)).toBe('needs_decision');
    expect(reconciled(voiding, shown({ ...refused, traceNumber: '000472', receiptNumber: null }), said)).toBe(
      'needs_decision',
    );
    expect(reconciled(voiding, reversal(), said)).toBe('done');
  });

  it('is for a person when a stored result contradicts', () => {
    const stored = { kind: 'reversal', originalTraceNumber: '000471', traceNumber: '000472' } as const;
    expect(reconciled(voiding, reversal(), record(stored))).toBe('done');
    expect(reconciled(voiding, reversal(), record({ ...stored, traceNumber: '000479' }))).toBe(
      'needs_decision',
    );
    expect(reconciled(voiding, shown(), record(stored))).toBe('needs_decision');
  });
});

describe('a batch close in doubt', () => {
  const closed = batch({ traceNumber: '000472' });

  it.each<[string, LastRecord, ReconciliationResult['kind']]>([
    ['the next record is an end of day', closed, 'done'],
    ['the record from before is still there', shown(), 'not_done'],
    ['the end of day failed', batch({ traceNumber: '000472', ...refused }), 'not_done'],
    ['the end of day is not the next record', batch({ traceNumber: '000473' }), 'needs_decision'],
    ['the end of day has no number', batch({ traceNumber: null }), 'needs_decision'],
    [
      'the end of day does not say how it ended',
      batch({ traceNumber: '000472', approved: false, resultCode: null }),
      'needs_decision',
    ],
    [
      'the next record is a payment',
      shown({ traceNumber: '000472', receiptNumber: '0472' }),
      'needs_decision',
    ],
    [
      'the end of day is of another terminal',
      batch({ traceNumber: '000472', terminalId: '11111111' }),
      'needs_decision',
    ],
    ['nothing is shown any more', empty, 'needs_decision'],
    ['the record cannot be read', unavailable, 'needs_decision'],
  ])('when %s', (_, lastRecord, expected) => {
    expect(reconciled(closing, lastRecord)).toBe(expected);
  });

  it('is not mistaken for the one before', () => {
    expect(reconciled({ ...closing, baseline: closed }, closed)).toBe('not_done');
    expect(reconciled({ ...closing, baseline: empty }, closed)).toBe('needs_decision');
    expect(
      reconciled({ ...closing, baseline: empty }, shown({ kind: 'batch_close', traceNumber: '000001' })),
    ).toBe('done');
  });

  it('is for a person when totals had come and the terminal does not show the end of day', () => {
    const totals = record({ kind: 'batch_close', traceNumber: '000472', amountMinor: 9000 });
    expect(reconciled(closing, shown(), totals)).toBe('needs_decision');
    expect(reconciled(closing, closed, totals)).toBe('done');
    expect(reconciled(closing, closed, { ...totals, amountMinor: 8000 })).toBe('needs_decision');
    expect(reconciled(closing, closed, { ...totals, traceNumber: '000480' })).toBe('needs_decision');
  });
});
