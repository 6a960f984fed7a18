/** Which operation a record of the terminal belongs to: number before place, place before amount. */
import { describe, expect, it } from 'vitest';
import type { EndedOperation } from '../../../src/bridge/payments/history.ts';
import {
  isAutoReversalOf,
  isRecordOf,
  lateFor,
  reversedPayment,
  type Known,
} from '../../../src/bridge/payments/record-matching.ts';
import type { Continuity, LastRecord, TerminalRecord } from '../../../src/contract/terminal.ts';
import { record, sale, voidOf } from '../journal/sample-events.ts';

const trace = (number: number) => String(number).padStart(6, '0');
const traceOf = (last: LastRecord) => (last.kind === 'record' ? Number(last.record.traceNumber) : 0);

/** Trace numbers count up by one; nothing else is looked at. */
const protocol = {
  continuity(previous: LastRecord, current: LastRecord): Continuity {
    const step = traceOf(current) - traceOf(previous);
    return step === 0 ? 'same' : step === 1 ? 'next' : 'gap';
  },
};

const known = (...ended: EndedOperation[]): Known => ({ protocol, ended, unsettled: [] });

/** A sale of 12.00 on a terminal that showed number 20 before. */
function endedSale(change: Partial<EndedOperation> = {}): EndedOperation {
  return {
    operation: sale({ reference: 'A-1', baseline: { kind: 'record', record: shown(20) } }),
    outcome: 'failed',
    result: null,
    numbered: null,
    late: null,
    acknowledged: false,
    byPerson: false,
    endedUnseen: false,
    shown: null,
    discrepancies: [],
    refused: null,
    ...change,
  };
}

function shown(number: number, change: Partial<TerminalRecord> = {}): TerminalRecord {
  return record({ traceNumber: trace(number), ...change });
}

const otherTerminal = { terminalId: '68000002' };
const reversal = (number: number, original: number | null, change: Partial<TerminalRecord> = {}) =>
  shown(number, {
    kind: 'reversal',
    originalTraceNumber: original === null ? null : trace(original),
    ...change,
  });

describe('a record is that of a sale', () => {
  it.each<[string, Partial<EndedOperation>, TerminalRecord, boolean]>([
    ['at the place after its baseline', {}, shown(21), true],
    ['not further on', {}, shown(22), false],
    ['not with another amount', {}, shown(21, { amountMinor: 1_300 }), false],
    ['not of another terminal', {}, shown(21, otherTerminal), false],
    ['not as a reversal', {}, reversal(21, null), false],
    ['under its own number', { numbered: shown(25) }, shown(25), true],
    ['not at its place where its number is another', { numbered: shown(25) }, shown(21), false],
  ])('%s', (_what, ended, seen, expected) => {
    const operation = endedSale(ended);
    expect(isRecordOf(known(operation), operation, seen)).toBe(expected);
  });
});

describe('a reversal is the terminal’s own, of a sale that was called not charged', () => {
  it.each<[string, Partial<EndedOperation>, TerminalRecord, boolean]>([
    ['when it names the place after the baseline, and follows at once', {}, reversal(22, 21), true],
    ['under the same number', {}, reversal(21, 21), true],
    ['not when something came between', {}, reversal(23, 21), false],
    ['not when it names another place', {}, reversal(23, 22), false],
    ['not when it names nothing', {}, reversal(22, null), false],
    ['not of a sale that was approved', { outcome: 'approved' }, reversal(22, 21), false],
    ['not with another amount', {}, reversal(22, 21, { amountMinor: 1_300 }), false],
    [
      'with the amount that was refused',
      { refused: shown(21, { amountMinor: 1_300 }) },
      reversal(22, 21, { amountMinor: 1_300 }),
      true,
    ],
    ['when it names the number of the sale', { numbered: shown(30) }, reversal(31, 30), true],
    ['not when the number of the sale is another', { numbered: shown(30) }, reversal(22, 21), false],
  ])('%s', (_what, ended, seen, expected) => {
    const operation = endedSale(ended);
    expect(isAutoReversalOf(known(operation), operation, seen)).toBe(expected);
  });
});

describe('a reversal names a payment', () => {
  const approved = { outcome: 'approved' } as const;
  it.each<[string, Partial<EndedOperation>, number | null, string | null]>([
    ['by its number', { ...approved, numbered: shown(30) }, 30, 'A-1'],
    ['by its place where it has none', approved, 21, 'A-1'],
    ['not by its place where its number is another', { ...approved, numbered: shown(30) }, 21, null],
    ['not where it was not approved', { numbered: shown(30) }, 30, null],
    ['not without a number', approved, null, null],
  ])('%s', (_what, ended, original, expected) => {
    expect(reversedPayment(known(endedSale(ended)), reversal(40, original))).toBe(expected);
  });
});

describe('a late result belongs to', () => {
  const older = endedSale();
  const newest = endedSale({
    operation: sale({ reference: 'A-2', baseline: { kind: 'record', record: shown(30) } }),
  });
  const unplaced = endedSale({ operation: sale({ reference: 'A-3' }) });
  const numbered = endedSale({ result: shown(27) });
  const behind = endedSale({
    operation: sale({ reference: 'A-4', baseline: { kind: 'record', record: shown(26) } }),
  });
  const [now, later] = [{ terminalTime: '120000' }, { terminalTime: '235959' }];
  const timed = endedSale({ result: shown(27, now) });
  const voided = endedSale({
    operation: voidOf(sale(), {
      traceNumber: trace(30),
      baseline: { kind: 'record', record: shown(30) },
    }),
  });
  it.each<[string, EndedOperation[], TerminalRecord, EndedOperation | null]>([
    ['the newest, by its place', [newest, older], shown(31), newest],
    ['an older one, by its place', [newest, older], shown(21), older],
    ['none between them', [newest, older], shown(25), null],
    ['the newest, without a number', [newest, older], shown(0, { traceNumber: null }), newest],
    [
      'the newest, as a refusal without an amount',
      [newest, older],
      shown(31, { approved: false, amountMinor: null }),
      newest,
    ],
    ['no older one, as a refusal', [newest, older], shown(21, { approved: false }), null],
    ['one with the same number, wherever it stood', [newest, numbered], shown(27), numbered],
    [
      'the one that was told it before, and no newer one in whose place it fits',
      [behind, timed],
      shown(27, now),
      timed,
    ],
    ['no one that was told the same number at another time', [behind, timed], shown(27, later), behind],
    ['no one with another number, whatever its place', [newest, numbered], shown(21), null],
    ['the newest without a baseline', [unplaced, older], shown(99), unplaced],
    ['no older one without a baseline', [newest, unplaced], shown(99), null],
    ['a void, by the payment that it names', [voided, older], reversal(31, 30), voided],
    ['no void of another payment', [voided, older], reversal(31, 29), null],
    ['none of another amount', [newest, older], shown(31, { amountMinor: 1 }), null],
    ['none of another terminal', [newest, older], shown(31, otherTerminal), null],
  ])('%s', (_what, ended, late, expected) => {
    expect(lateFor(ended, late, protocol, () => false)).toBe(expected);
  });

  it('the newest, over numbers that refused attempts have used up; no older one', () => {
    const isNext = () => true;
    expect(lateFor([newest, older], shown(33), protocol, isNext)).toBe(newest);
    expect(lateFor([numbered, older], shown(25), protocol, isNext)).toBe(null);
  });
});
