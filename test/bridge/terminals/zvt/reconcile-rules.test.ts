/** What is no proof: showing nothing, a refusal that may be of something else, a reversal that names nothing. */
import { describe, expect, it } from 'vitest';
import type { BatchStarted } from '../../../../src/contract/journal-events.ts';
import type { LastRecord, TerminalIdentity, TerminalRecord } from '../../../../src/contract/terminal.ts';
import type { OperationInDoubt } from '../../../../src/bridge/terminals/terminal-driver.ts';
import { reconcile, continuity } from '../../../../src/bridge/terminals/zvt/evidence.ts';
import { before, closing, empty, record, refused, sale, shown, terminal, voiding } from './doubt-samples.ts';

const nameless: TerminalIdentity = { protocol: 'zvt', terminalId: null };
const unnumbered = { traceNumber: null, receiptNumber: null } as const;
/** After the record before the payment, so that the payment's own number is the next one. */
const dayEnd: BatchStarted = { ...closing, baseline: before };
const closedDay = { ...refused, kind: 'batch_close', approved: true, resultCode: '00' } as const;

function reconciled(
  doubt: Partial<OperationInDoubt> & Pick<OperationInDoubt, 'operation'>,
  lastRecord: LastRecord,
  now: TerminalIdentity = terminal,
) {
  const known = { result: null, acknowledged: false, showsRecords: true };
  return reconcile({ ...known, ...doubt }, now, lastRecord);
}

describe('no record', () => {
  const onEmpty = { baseline: empty };

  it('proves something only on a terminal that has shown records before', () => {
    for (const operation of [sale, voiding, dayEnd]) {
      const doubt = { operation: { ...operation, ...onEmpty } };
      expect(reconciled({ ...doubt, showsRecords: true }, empty).kind).toBe('not_done');
      const reconciliation = reconciled({ ...doubt, showsRecords: false }, empty);
      expect(reconciliation.kind).toBe('needs_decision');
      expect(reconciliation.explanation).toMatch(/has never shown a record/);
    }
  });

  it('proves nothing after a record of ours, which the terminal does not show', () => {
    const reconciliation = reconciled({ operation: sale, showsRecords: false }, empty);
    expect(reconciliation.kind).toBe('needs_decision');
    expect(reconciliation.explanation).toMatch(/has never shown a record/);
  });
});

describe('an approving result on disk', () => {
  it.each([
    ['a sale', { operation: sale, result: record() }, before],
    [
      'a sale on a terminal without records',
      { operation: { ...sale, baseline: empty }, result: record() },
      empty,
    ],
    [
      'a void',
      {
        operation: voiding,
        result: record({ kind: 'reversal', traceNumber: '000472', originalTraceNumber: '000471' }),
      },
      shown(),
    ],
    ['a batch close', { operation: dayEnd, result: record(closedDay) }, before],
  ])('is stronger than the record from before: %s', (_, doubt, lastRecord) => {
    expect(reconciled(doubt, lastRecord).kind).toBe('needs_decision');
  });

  it('says whether the terminal had our acknowledgement', () => {
    const doubt = { operation: sale, result: record() };
    expect(reconciled({ ...doubt, acknowledged: true }, before).explanation).toMatch(
      /has our acknowledgement/,
    );
    expect(reconciled(doubt, before).explanation).not.toMatch(/has our acknowledgement/);
  });

  it('is undone by a record that has its number and is no charge, unless it had been acknowledged', () => {
    const doubt = { operation: sale, result: record() };
    expect(reconciled(doubt, shown(refused)).kind).toBe('not_done');
    expect(reconciled({ ...doubt, acknowledged: true }, shown(refused)).kind).toBe('needs_decision');
    expect(reconciled({ ...doubt, result: record(unnumbered) }, shown(refused)).kind).toBe('needs_decision');
  });
});

describe('a refusal on disk', () => {
  it.each([
    ['without a number', unnumbered],
    ['with the number of the record', {}],
    ['with another number', { traceNumber: '000999' }],
  ])('%s makes an approving record unclear, for it may be of a payment by hand', (_, numbers) => {
    const result = record({ ...refused, ...numbers });
    expect(reconciled({ operation: sale, result }, shown()).kind).toBe('needs_decision');
    const end = shown({ ...closedDay, amountMinor: 9000 });
    expect(reconciled({ operation: dayEnd, result }, end).kind).toBe('needs_decision');
  });

  it('agrees with the record from before, and with a record that is a refusal', () => {
    const doubt = { operation: sale, result: record({ ...refused, ...unnumbered }) };
    expect(reconciled(doubt, before).kind).toBe('not_done');
    expect(reconciled(doubt, shown(refused)).kind).toBe('not_done');
  });
});

describe('a reversal', () => {
  const reversal = (parts: Partial<TerminalRecord>) =>
    shown({ kind: 'reversal', traceNumber: '000472', receiptNumber: '0472', ...parts });

  it('voids the payment that it names, by its trace number or by its receipt number', () => {
    expect(reconciled({ operation: voiding }, reversal({ originalTraceNumber: '000471' })).kind).toBe('done');
    const numberless = { ...voiding, traceNumber: null };
    const named = reversal({ receiptNumber: '0471', originalTraceNumber: '000471' });
    expect(reconciled({ operation: numberless }, named).kind).toBe('done');
    const nothingElse = reversal({ receiptNumber: '0471', originalTraceNumber: null });
    expect(reconciled({ operation: voiding }, nothingElse).kind).toBe('done');
  });

  it.each([
    ['nothing', { originalTraceNumber: null }],
    ['nothing, and has no receipt', { originalTraceNumber: null, receiptNumber: null }],
    ['another trace number and our receipt', { originalTraceNumber: '000470', receiptNumber: '0471' }],
  ])('that names %s is for a person', (_, parts) => {
    expect(reconciled({ operation: voiding }, reversal(parts)).kind).toBe('needs_decision');
  });
});

describe('an id that is learnt later', () => {
  it('completes the identity of an operation that began without one', () => {
    const baseline = shown({ traceNumber: '000470', receiptNumber: '0470', terminalId: null });
    const operation = { ...sale, terminal: nameless, baseline };
    expect(reconciled({ operation }, shown()).kind).toBe('done');
    expect(reconciled({ operation }, baseline, terminal).kind).toBe('not_done');
  });

  it('is not taken for the same terminal where nothing ties the two: no record before, or none told at all', () => {
    const first = shown({ traceNumber: '000001', receiptNumber: '0001' });
    const operation = { ...sale, terminal: nameless, baseline: empty };
    expect(reconciled({ operation }, first).kind).toBe('needs_decision');
    expect(reconciled({ operation, result: record({ traceNumber: '000001' }) }, first).kind).toBe('done');
    const unreported = shown({ terminalId: null });
    const baseline = shown({ traceNumber: '000470', receiptNumber: '0470', terminalId: null });
    expect(reconciled({ operation: { ...operation, baseline } }, unreported, nameless).kind).toBe(
      'needs_decision',
    );
  });

  it('is a change when it differs from the one in our own result', () => {
    const result = record({ terminalId: '11111111' });
    expect(reconciled({ operation: { ...sale, terminal: nameless }, result }, shown()).kind).toBe(
      'needs_decision',
    );
  });
});

describe('an amount above the one that was asked', () => {
  it('is a charge only as far as the sale allows a tip', () => {
    const tipped = shown({ amountMinor: 1320 });
    expect(reconciled({ operation: sale }, tipped).kind).toBe('needs_decision');
    expect(reconciled({ operation: { ...sale, maxAmountMinor: 1320 } }, tipped).kind).toBe('done');
    expect(reconciled({ operation: { ...sale, maxAmountMinor: 1319 } }, tipped).kind).toBe('needs_decision');
    expect(
      reconciled({ operation: { ...sale, maxAmountMinor: 1320 } }, shown({ amountMinor: 1199 })).kind,
    ).toBe('needs_decision');
  });
});

describe('an end of day that failed', () => {
  it('is no boundary', () => {
    const failed = shown({ kind: 'batch_close', ...refused, receiptNumber: null });
    expect(continuity(before, failed)).toBe('next');
    expect(continuity(empty, failed)).toBe('next');
    expect(continuity(before, shown({ ...closedDay, receiptNumber: null }))).toBe('batch');
  });
});
