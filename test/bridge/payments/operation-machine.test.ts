import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OperationAnswer, ReconciliationResult } from '../../../src/bridge/terminals/terminal-driver.ts';
import type { OperationStarted } from '../../../src/contract/journal-events.ts';
import { emptyRecord, type TerminalRecord } from '../../../src/contract/terminal.ts';
import {
  resolutionsOf,
  step,
  type OperationInput,
  type OperationState,
  type Settlement,
} from '../../../src/bridge/payments/operation-machine.ts';

const started = {
  type: 'operation_started' as const,
  operationId: '01890000-0000-7000-8000-000000000001',
  terminal: { protocol: 'zvt' as const, terminalId: '12345678' },
  baseline: { kind: 'empty' as const },
  simulated: false,
};
const sale: OperationStarted = {
  ...started,
  kind: 'sale',
  reference: 'A-1',
  conditionCode: '00',
  amountMinor: 1200,
  currency: 'EUR',
};
const reversal: OperationStarted = {
  ...started,
  kind: 'void',
  paymentId: '01890000-0000-7000-8000-000000000002',
  reference: 'A-1',
  amountMinor: 1200,
  currency: 'EUR',
  receiptNumber: '0001',
  traceNumber: '000001',
};
const batch: OperationStarted = {
  ...started,
  kind: 'batch_close',
  currency: 'EUR',
  batchEpoch: 0,
  expected: { count: 0, totalMinor: 0 },
};
const approved: TerminalRecord = { ...emptyRecord(), kind: 'payment', approved: true, resultText: 'ok' };
const declined: TerminalRecord = { ...emptyRecord(), kind: 'payment', resultText: 'Refused by the issuer' };
const settlement: Settlement = {
  batch: {
    batchNumber: '1',
    count: 0,
    totalMinor: 0,
    currency: 'EUR',
    reconciled: true,
    differences: [],
    totals: [],
  },
  settled: [],
  uncovered: [],
  inQuestion: [],
  mayBeOthers: false,
  unexplained: [],
};

function run(operation: OperationStarted, inputs: OperationInput[]): OperationState {
  let state: OperationState = { phase: 'started', operation, result: null };
  for (const input of inputs) {
    const next = step(state, input);
    if (!next.ok) throw new Error(next.reason);
    state = next.state;
  }
  return state;
}

describe('the machine of an operation', () => {
  it('ends a sale by what the terminal said', () => {
    const result: OperationInput = { kind: 'result', record: approved, late: false };
    const done: OperationInput = {
      kind: 'answer',
      answer: { kind: 'done', record: approved, receiptLines: [] },
      settlement: null,
    };
    expect(run(sale, [result, done])).toMatchObject({ phase: 'ended', outcome: 'approved' });
    expect(run(sale, [result])).toMatchObject({ phase: 'result_received', result: approved });
  });

  it('keeps "declined", "certainly did not happen" and "we do not know" apart', () => {
    const answers = {
      declined: { kind: 'declined', reason: 'no', record: null, receiptLines: [] },
      cancelled: { kind: 'cancelled', by: 'customer', reason: 'no', record: null, receiptLines: [] },
      refused: { kind: 'not_started', refusedByTerminal: true, reason: 'no' },
      unsent: { kind: 'not_started', refusedByTerminal: false, reason: 'no' },
      unknown: { kind: 'unknown', reason: 'silence' },
    } satisfies Record<string, OperationAnswer>;
    const end = (answer: OperationAnswer, operation: OperationStarted = sale) =>
      run(operation, [{ kind: 'answer', answer, settlement: null }]);
    expect(end(answers.declined)).toMatchObject({ outcome: 'declined' });
    expect(end(answers.cancelled)).toMatchObject({ outcome: 'cancelled' });
    expect(end(answers.refused)).toMatchObject({ outcome: 'declined' });
    expect(end(answers.unsent)).toMatchObject({ outcome: 'failed' });
    expect(end(answers.unknown)).toMatchObject({ phase: 'in_doubt' });
    expect(end(answers.declined, reversal)).toMatchObject({ outcome: 'not_voided' });
    expect(end(answers.unknown, reversal)).toMatchObject({ phase: 'in_doubt' });
    expect(end(answers.declined, batch)).toMatchObject({ outcome: 'not_closed' });
    expect(end(answers.unknown, batch)).toMatchObject({ phase: 'in_doubt' });
  });

  it('takes a refusal that came late as the reason why nothing was charged', () => {
    const state = run(sale, [
      { kind: 'interrupted', reason: 'restart' },
      { kind: 'result', record: declined, late: true },
      {
        kind: 'reconciled',
        reconciliation: { kind: 'not_done', explanation: 'still the baseline' },
        lastRecord: { kind: 'empty' },
        settlement: null,
        idle: true,
      },
    ]);
    expect(state).toMatchObject({ phase: 'ended', outcome: 'declined' });
  });

  it('lets only a person or evidence end what is in doubt', () => {
    const doubt: OperationState = { phase: 'in_doubt', operation: sale, result: null };
    const answer: OperationInput = {
      kind: 'answer',
      answer: { kind: 'done', record: approved, receiptLines: [] },
      settlement: null,
    };
    expect(step(doubt, answer).ok).toBe(false);
    expect(step(doubt, { kind: 'result', record: approved, late: false }).ok).toBe(false);
    const unclear = step(doubt, {
      kind: 'reconciled',
      reconciliation: { kind: 'needs_decision', explanation: 'a gap' },
      lastRecord: { kind: 'empty' },
      settlement: null,
      idle: true,
    });
    expect(unclear).toMatchObject({
      ok: true,
      state: doubt,
      events: [{ type: 'evidence_found', needsPerson: true }],
    });
  });

  it('takes a person’s word only in the terms of the operation, and only in doubt', () => {
    const word = (resolution: 'charged' | 'voided' | 'closed'): OperationInput => ({
      kind: 'resolved',
      resolution,
      by: 'Kim',
      reason: 'slip in the drawer',
      terminalUnreachable: false,
      settlement,
      held: null,
    });
    const doubt = (operation: OperationStarted): OperationState => ({
      phase: 'in_doubt',
      operation,
      result: null,
    });
    expect(step(doubt(sale), word('charged'))).toMatchObject({ ok: true, state: { outcome: 'approved' } });
    expect(step(doubt(reversal), word('voided'))).toMatchObject({ ok: true, state: { outcome: 'voided' } });
    expect(step(doubt(batch), word('closed'))).toMatchObject({ ok: true, state: { outcome: 'closed' } });
    expect(step(doubt(sale), word('voided'))).toMatchObject({ ok: false });
    // What the terminal holds of it is what it took.
    const held = { ...approved, amountMinor: 1_320 };
    expect(step(doubt(sale), { ...word('charged'), held } as OperationInput)).toMatchObject({
      events: [{ type: 'operation_ended', result: held }],
    });
    expect(step({ phase: 'started', operation: sale, result: null }, word('charged'))).toMatchObject({
      ok: false,
    });
  });

  it('never says anything after the end, and never says approved without a terminal, evidence or a person', () => {
    const inputs: fc.Arbitrary<OperationInput> = fc.oneof(
      fc.record({
        kind: fc.constant('result' as const),
        record: fc.constantFrom(approved, declined),
        late: fc.boolean(),
      }),
      fc.record({
        kind: fc.constant('answer' as const),
        answer: fc.constantFrom<OperationAnswer[]>(
          { kind: 'done' as const, record: approved, receiptLines: [] },
          { kind: 'declined' as const, reason: 'no', record: declined, receiptLines: [] },
          { kind: 'not_started' as const, refusedByTerminal: false, reason: 'closed' },
          { kind: 'unknown' as const, reason: 'silence' },
        ),
        settlement: fc.constant(settlement),
        idle: fc.boolean(),
      }),
      fc.constant({ kind: 'interrupted' as const, reason: 'restart' }),
      fc.record({
        kind: fc.constant('reconciled' as const),
        reconciliation: fc.constantFrom<ReconciliationResult[]>(
          { kind: 'done' as const, record: approved, explanation: 'next' },
          { kind: 'not_done' as const, explanation: 'baseline' },
          { kind: 'needs_decision' as const, explanation: 'gap' },
        ),
        lastRecord: fc.constant({ kind: 'empty' as const }),
        settlement: fc.constant(settlement),
        idle: fc.boolean(),
      }),
      fc.record({
        kind: fc.constant('resolved' as const),
        resolution: fc.constantFrom(
          'charged' as const,
          'not-charged' as const,
          'voided' as const,
          'closed' as const,
        ),
        by: fc.constant('Kim'),
        held: fc.constantFrom(null, approved),
        terminalUnreachable: fc.boolean(),
        reason: fc.constant('slip'),
        settlement: fc.constant(settlement),
        idle: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(sale, reversal, batch),
        fc.array(inputs, { maxLength: 12 }),
        (operation, list) => {
          let state: OperationState = { phase: 'started', operation, result: null };
          const ends: unknown[] = [];
          for (const input of list) {
            const next = step(state, input);
            if (state.phase === 'ended') expect(next.ok).toBe(false);
            if (!next.ok) continue;
            for (const fact of next.events) {
              expect(fact.type === 'operation_started').toBe(false);
              if (fact.type !== 'operation_ended') continue;
              ends.push(fact);
              if (fact.outcome !== 'approved') continue;
              const said = input.kind === 'answer' && input.answer.kind === 'done';
              const proved = input.kind === 'reconciled' && input.reconciliation.kind === 'done';
              const decided = input.kind === 'resolved' && fact.resolvedBy !== null;
              expect(said || proved || decided).toBe(true);
            }
            state = next.state;
          }
          expect(ends.length).toBeLessThanOrEqual(1);
          expect(ends.length === 1).toBe(state.phase === 'ended');
        },
      ),
      { numRuns: 500 },
    );
  });

  it('names the words for each kind', () => {
    expect(Object.keys(resolutionsOf.sale)).toEqual(['charged', 'not-charged']);
    expect(Object.keys(resolutionsOf.void)).toEqual(['voided', 'not-voided']);
    expect(Object.keys(resolutionsOf.batch_close)).toEqual(['closed', 'not-closed']);
  });
});
