/** Fills a journal with payments as a bridge would have written them, many to a transaction: for tests and the bench. */
import type { Clock } from '../../src/base/clock.ts';
import { openStore } from '../../src/bridge/journal/open.ts';
import type { StampedEvent } from '../../src/bridge/journal/tables.ts';
import { silentLog } from '../../src/log/log.ts';
import type { JournalEventOf } from '../../src/contract/journal-events.ts';
import { emptyRecord, type TerminalRecord } from '../../src/contract/terminal.ts';
import { createVirtualClock } from './virtual-clock.ts';

const paymentsPerTransaction = 20_000;
/** After so many payments the day is closed, and they are settled. */
export const paymentsPerBatch = 1_000;

export const terminal = { protocol: 'zvt', terminalId: '52500041' } as const;

/** The reference of the payment `i` (from 0) of a filled journal. */
export function filledReference(i: number): string {
  return `F-${i.toString().padStart(8, '0')}`;
}

/** The transaction id of the payment `i`: in order of time, as a UUID v7 is. */
export function filledTransactionId(i: number): string {
  const time = (1_577_836_800_000 + i * 30_000).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${i.toString(16).padStart(12, '0')}`;
}

/**
 * Adds `payments` approved payments to the journal in `folder` (made if it is missing): start and end of each, a batch
 * close after each thousand, a true chain, and the rows that belong to them. The journal is closed afterwards.
 */
export function fillJournal(folder: string, payments: number, clock: Clock = createVirtualClock()): void {
  const result = openStore({ folder, clock, log: silentLog, version: '0.0.0-filled' });
  if (result.kind !== 'opened') throw new Error(result.message);
  try {
    for (let from = 0; from < payments; from += paymentsPerTransaction) {
      result.journal.appendAll(entries(from, Math.min(from + paymentsPerTransaction, payments)));
    }
  } finally {
    result.journal.close();
  }
}

function* entries(from: number, to: number): Generator<StampedEvent> {
  for (let i = from; i < to; i += 1) {
    const at = stampOf(i);
    for (const event of paymentFacts(paymentOf(i))) yield { at, event };
    if ((i + 1) % paymentsPerBatch > 0) continue;
    for (const event of batchFacts(i + 1)) yield { at, event };
  }
}

/** When the payment `i` was made: ISO 8601, UTC. */
export function stampOf(i: number): string {
  return new Date(Date.UTC(2020, 0, 1) + i * 30_000).toISOString();
}

/** What is different in each payment. */
export interface FilledPayment {
  operationId: string;
  reference: string;
  amountMinor: number;
  traceNumber: string;
  receiptNumber: string;
}

export function paymentOf(i: number): FilledPayment {
  const number = ((i % 9_999) + 1).toString();
  return {
    operationId: filledTransactionId(i),
    reference: filledReference(i),
    amountMinor: amountOf(i),
    traceNumber: number.padStart(6, '0'),
    receiptNumber: number.padStart(4, '0'),
  };
}

/** Closes the day after `made` payments. */
export function batchFacts(
  made: number,
): [JournalEventOf<'operation_started'>, JournalEventOf<'operation_ended'>] {
  const operationId = filledTransactionId(made).replace('-7000-', '-7001-');
  const settled = Array.from({ length: paymentsPerBatch }, (_, i) => made - paymentsPerBatch + i);
  const totalMinor = settled.reduce((sum, i) => sum + amountOf(i), 0);
  const totals = { count: settled.length, totalMinor };
  return [
    {
      type: 'operation_started',
      kind: 'batch_close',
      operationId,
      currency: 'EUR',
      batchEpoch: 0,
      expected: totals,
      terminal,
      baseline: { kind: 'empty' },
      simulated: true,
    },
    {
      type: 'operation_ended',
      operationId,
      outcome: 'closed',
      reason: 'The day is closed.',
      result: null,
      evidence: null,
      receiptLines: [],
      resolvedBy: null,
      batch: {
        batchNumber: `${made / paymentsPerBatch}`,
        ...totals,
        currency: 'EUR',
        reconciled: true,
        differences: [],
        totals: [],
      },
      settled: settled.map(filledTransactionId),
    },
  ];
}

function amountOf(i: number): number {
  return 100 + (i % 100_000);
}

export function paymentFacts(
  payment: FilledPayment,
): [JournalEventOf<'operation_started'>, JournalEventOf<'operation_ended'>] {
  const { operationId, reference, amountMinor } = payment;
  const result = recordOf(payment);
  return [
    {
      type: 'operation_started',
      kind: 'sale',
      operationId,
      reference,
      conditionCode: '00',
      amountMinor,
      currency: 'EUR',
      terminal,
      baseline: { kind: 'empty' },
      simulated: true,
    },
    {
      type: 'operation_ended',
      operationId,
      outcome: 'approved',
      reason: 'Approved.',
      result,
      evidence: null,
      receiptLines: [],
      resolvedBy: null,
      batch: null,
      settled: [],
    },
  ];
}

function recordOf({ amountMinor, traceNumber, receiptNumber }: FilledPayment): TerminalRecord {
  return {
    ...emptyRecord(),
    kind: 'payment',
    approved: true,
    resultCode: '00',
    resultText: 'Approved',
    amountMinor,
    currency: 'EUR',
    terminalId: '52500041',
    traceNumber,
    receiptNumber,
    approvalCode: '123456',
    maskedCardNumber: '************0005',
    cardScheme: 'Visa',
    schemeGroup: 'visa',
    entryMode: 'chip',
    signatureRequired: false,
  };
}
