/** Events for tests of the journal: whole ones, of which each test names only what it is about. */
import { randomUUID } from 'node:crypto';
import type {
  BatchStarted,
  JournalEventOf,
  SaleStarted,
  VoidStarted,
} from '../../../src/contract/journal-events.ts';
import type { OperationOutcome } from '../../../src/contract/operation.ts';
import { emptyRecord, type LastRecord, type TerminalRecord } from '../../../src/contract/terminal.ts';

export const terminal = { protocol: 'zvt', terminalId: '52500041' } as const;

export function record(part: Partial<TerminalRecord> = {}): TerminalRecord {
  return {
    ...emptyRecord(),
    kind: 'payment',
    approved: true,
    resultText: 'Approved',
    amountMinor: 1200,
    ...part,
  };
}

export function lastRecord(receiptNumber: string): LastRecord {
  return { kind: 'record', record: record({ receiptNumber }) };
}

export function sale(part: Partial<SaleStarted> = {}): SaleStarted {
  return {
    type: 'operation_started',
    kind: 'sale',
    operationId: randomUUID(),
    reference: `R-${randomUUID().slice(0, 8)}`,
    conditionCode: '00',
    amountMinor: 1200,
    currency: 'EUR',
    terminal,
    baseline: { kind: 'empty' },
    simulated: true,
    ...part,
  };
}

export function voidOf(payment: SaleStarted, part: Partial<VoidStarted> = {}): VoidStarted {
  const { reference, amountMinor, currency } = payment;
  return {
    type: 'operation_started',
    kind: 'void',
    operationId: randomUUID(),
    paymentId: payment.operationId,
    receiptNumber: '0001',
    traceNumber: null,
    terminal,
    baseline: { kind: 'empty' },
    simulated: true,
    reference,
    amountMinor,
    currency,
    ...part,
  };
}

export function batch(part: Partial<BatchStarted> = {}): BatchStarted {
  return {
    type: 'operation_started',
    kind: 'batch_close',
    operationId: randomUUID(),
    currency: 'EUR',
    batchEpoch: 0,
    expected: { count: 0, totalMinor: 0 },
    terminal,
    baseline: { kind: 'empty' },
    simulated: true,
    ...part,
  };
}

export function ended(
  operation: { operationId: string },
  outcome: OperationOutcome,
  part: Partial<JournalEventOf<'operation_ended'>> = {},
): JournalEventOf<'operation_ended'> {
  return {
    type: 'operation_ended',
    operationId: operation.operationId,
    outcome,
    reason: `It ended: ${outcome}.`,
    result: null,
    evidence: null,
    receiptLines: [],
    resolvedBy: null,
    batch: null,
    settled: [],
    ...part,
  };
}

export function closed(
  operation: BatchStarted,
  settled: string[],
  batchNumber = '1',
): JournalEventOf<'operation_ended'> {
  const totals = { count: settled.length, totalMinor: settled.length * 1200, currency: 'EUR' } as const;
  return ended(operation, 'closed', {
    settled,
    batch: { batchNumber, ...totals, reconciled: true, differences: [], totals: [] },
  });
}

export function inDoubt(
  operation: { operationId: string },
  reason = 'The line was lost.',
): JournalEventOf<'operation_in_doubt'> {
  return { type: 'operation_in_doubt', operationId: operation.operationId, reason };
}

export function resultOf(
  operation: { operationId: string },
  result: TerminalRecord = record(),
): JournalEventOf<'result_received'> {
  return { type: 'result_received', operationId: operation.operationId, result, late: false };
}

export function evidenceOf(
  operation: { operationId: string },
  needsDecision: boolean,
): JournalEventOf<'evidence_found'> {
  const evidence = { lastRecord: { kind: 'empty' }, explanation: 'The terminal shows nothing.' } as const;
  return { type: 'evidence_found', operationId: operation.operationId, evidence, needsPerson: needsDecision };
}
