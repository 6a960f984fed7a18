/** A fact of every type and a timeline entry of every kind, for tests of how they are worded. */
import type { TimelineEntry } from '../../src/contract/console/index.ts';
import type { FrameField } from '../../src/contract/frame.ts';
import type { JournalEvent, JournalEventType } from '../../src/contract/journal-events.ts';
import { emptyRecord, type TerminalRecord } from '../../src/contract/terminal.ts';
import { at, discrepancyView, logLine, paymentView } from '../support/console-data.ts';

const { transactionId: operationId, terminal, reference } = paymentView(7);
const voidId = '01a1ffe8-3316-7291-ad76-00000000aaaa';

const record: TerminalRecord = {
  ...emptyRecord(),
  kind: 'payment',
  approved: true,
  amountMinor: 1_900,
  currency: 'EUR',
  terminalId: '52500041',
  traceNumber: '000007',
  receiptNumber: '0007',
  approvalCode: '472910',
  maskedCardNumber: '541333******0041',
  terminalDate: '0512',
  terminalTime: '100706',
};
const shown = { kind: 'record', record } as const;
const empty = { kind: 'empty' } as const;
const unavailable = { kind: 'unavailable', reason: 'The terminal did not answer.' } as const;
const started = { type: 'operation_started', terminal, baseline: shown, simulated: false } as const;
const ended = {
  type: 'operation_ended',
  operationId,
  reason: 'The terminal approved the payment.',
  result: record,
  evidence: null,
  receiptLines: [],
  resolvedBy: null,
  batch: null,
  settled: [],
} as const;

/** Every type at least once; the compiler sees to it that none is missing. */
export const eventsOf: Record<JournalEventType, JournalEvent[]> = {
  operation_started: [
    {
      ...started,
      operationId,
      kind: 'sale',
      reference,
      conditionCode: '00',
      amountMinor: 1_900,
      currency: 'EUR',
    },
    {
      ...started,
      operationId: voidId,
      kind: 'void',
      baseline: empty,
      paymentId: operationId,
      reference,
      amountMinor: 1_900,
      currency: 'EUR',
      receiptNumber: '0007',
      traceNumber: '000007',
    },
    {
      ...started,
      operationId: voidId,
      kind: 'batch_close',
      baseline: unavailable,
      currency: 'EUR',
      batchEpoch: 3,
      expected: { count: 2, totalMinor: 3_800 },
    },
  ],
  cancel_requested: [{ type: 'cancel_requested', operationId }],
  result_received: [
    { type: 'result_received', operationId, result: record, late: false },
    {
      type: 'result_received',
      operationId,
      result: { ...record, kind: 'reversal', approved: false, resultText: 'aborted' },
      late: true,
    },
    {
      type: 'result_received',
      operationId,
      result: { ...emptyRecord(), kind: 'batch_close' },
      late: false,
    },
  ],
  operation_in_doubt: [{ type: 'operation_in_doubt', operationId, reason: 'The line was lost.' }],
  evidence_found: [
    ...[true, false].map((needsPerson) => ({
      type: 'evidence_found' as const,
      operationId,
      evidence: { lastRecord: shown, explanation: 'The record is not the next one.' },
      needsPerson,
      ...(needsPerson ? { idle: false as const } : {}),
    })),
    {
      type: 'evidence_found',
      operationId,
      evidence: {
        lastRecord: { kind: 'unavailable', reason: 'another terminal is connected' },
        explanation: 'Another terminal is connected: 68000002 instead of 52500041.',
      },
      needsPerson: true,
      idle: false,
      otherTerminal: { expected: '52500041', connected: '68000002' },
    },
  ],
  operation_ended: [
    ...(['approved', 'declined', 'cancelled', 'failed', 'voided', 'not_voided', 'not_closed'] as const).map(
      (outcome) => ({ ...ended, outcome, receiptLines: [], settled: [] }),
    ),
    ...[true, false].map((reconciled) => ({
      ...ended,
      outcome: 'closed' as const,
      result: null,
      evidence: { lastRecord: unavailable, explanation: 'Decided by hand.' },
      resolvedBy: { name: 'Kim', reason: 'slip 0123 is in the drawer', terminalUnreachable: reconciled },
      receiptLines: [],
      batch: {
        batchNumber: '12',
        count: 2,
        totalMinor: 3_800,
        currency: 'EUR' as const,
        reconciled,
        differences: [],
        totals: [],
      },
      settled: [operationId, voidId],
    })),
  ],
  terminal_ready: (['same', 'next', 'batch', 'gap', 'changed_terminal', 'unknown'] as const).map(
    (continuity) => ({ type: 'terminal_ready', terminal, lastRecord: shown, continuity }),
  ),
  terminal_lost: [{ type: 'terminal_lost', reason: 'The cable was pulled.' }],
  record_seen: [{ type: 'record_seen', lastRecord: empty, continuity: 'gap' }],
  result_acknowledged: [{ type: 'result_acknowledged', operationId }],
  late_result_received: [true, false].map((accepted) => ({
    type: 'late_result_received',
    operationId,
    result: shown.record,
    accepted,
  })),
  terminal_trait_learned: [
    {
      type: 'terminal_trait_learned',
      terminal,
      trait: 'shows_no_records',
      explanation: 'The terminal does not show its last payment.',
    },
  ],
  discrepancy_found: [
    {
      type: 'discrepancy_found',
      discrepancyId: voidId,
      kind: 'unexplained_payment',
      operationId: null,
      references: [reference],
      amountMinor: 1_900,
      currency: 'EUR',
      record: shown.record,
      message: 'The terminal shows a payment that the bridge did not cause.',
    },
  ],
  discrepancy_acknowledged: [
    { type: 'discrepancy_acknowledged', discrepancyId: voidId, by: 'Kim', reason: 'paid by hand' },
  ],
  journal_opened: [{ type: 'journal_opened', version: '9.9.9' }],
  journal_repaired: [
    {
      type: 'journal_repaired',
      by: 'Kim',
      reason: 'power failure on Monday',
      setAside: 'journal-damaged-1.sqlite',
      eventsKept: 1_204,
    },
  ],
};

const frame = {
  kind: 'frame',
  at: at(7.01),
  name: 'authorisation',
  control: '0601',
  lengthBytes: 15,
  hex: '06 01 0c 04 00 00 00 00 19 00 49 09 78 19 40',
  fields: [
    ['amount', '19.00', { from: 3, to: 10 }],
    ['currency', 'EUR', { from: 10, to: 13 }],
    ['payment type', '40: the card decides', { from: 13, to: 15 }],
  ] as FrameField[],
} as const;

/** Every fact, and every other kind of entry in each of its forms. */
export function everyEntry(): TimelineEntry[] {
  const facts = Object.values(eventsOf)
    .flat()
    .map((event, index): TimelineEntry => {
      const instant = new Date(Date.parse(at(7)) + index * 137).toISOString();
      return { kind: 'journal_event', at: instant, stored: { seq: 100 + index, at: instant, event } };
    });
  const pos = { kind: 'pos', command: 'CreatePayment', durationMs: 4, requestId: '5f0f3e8f-0116' } as const;
  const discrepancy = discrepancyView(1, {
    acknowledged: { by: 'Kim', reason: 'refunded by hand', at: at(10) },
  });
  return [
    { kind: 'pos_request', at: at(7), command: 'CreatePayment', requestId: pos.requestId, logLineId: 411 },
    { ...pos, at: at(7), httpStatus: 200, logLineId: 411 },
    { ...pos, at: at(7), httpStatus: 409, logLineId: 412 },
    ...facts,
    { kind: 'discrepancy', at: at(9), step: 'found', discrepancy },
    { kind: 'discrepancy', at: at(10), step: 'acknowledged', discrepancy },
    { ...frame, direction: 'to_terminal', logLineId: 413, fields: [...frame.fields] },
    {
      ...frame,
      direction: 'from_terminal',
      name: 'status-information',
      control: '040f',
      logLineId: 414,
      hex: '04 0f 30 27 00 29 52 50 00 41 04 00 00 00 00 19 00 49 09 78 0c 10 07 06 0d 05 12 22 f1 0f ** ** ** ** ** ** ** ** 00 41',
      fields: [
        ['result', '6C: Aborted by timeout or cancel key', { from: 3, to: 5 }],
        ['amount', '19.00', { from: 10, to: 17 }],
        ['card number', '541333******0041', { from: 27, to: 40 }],
        // As older versions logged it.
        ['kind of payment', '40'],
        ['receipt number', '0007'],
        ['trace number', '000007'],
      ],
    },
    { ...frame, direction: 'from_terminal', hex: null, fields: [], logLineId: 415 },
    { kind: 'left_out', at: at(7.1), count: 3 },
    ...(['debug', 'info', 'warn', 'error'] as const).map((level, index): TimelineEntry => ({
      kind: 'log',
      at: at(7.2),
      line: logLine(416 + index, { level, message: `a line of ${level}`, fields: { reference, attempt: 2 } }),
    })),
  ];
}
