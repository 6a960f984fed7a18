/** A terminal's records around one payment, and the operations that may be in doubt between them. */
import type { BatchStarted, SaleStarted, VoidStarted } from '../../../../src/contract/journal-events.ts';
import { emptyRecord, type LastRecord, type TerminalRecord } from '../../../../src/contract/terminal.ts';

export const terminal = { protocol: 'zvt', terminalId: '28004869' } as const;

/** The record of the payment that is in doubt. */
export function record(parts: Partial<TerminalRecord> = {}): TerminalRecord {
  return {
    ...emptyRecord(),
    kind: 'payment',
    approved: true,
    resultCode: '00',
    resultText: 'OK',
    amountMinor: 1200,
    currency: 'EUR',
    terminalId: terminal.terminalId,
    traceNumber: '000471',
    receiptNumber: '0471',
    ...parts,
  };
}
export const shown = (parts: Partial<TerminalRecord> = {}): LastRecord => ({
  kind: 'record',
  record: record(parts),
});
export const refused = { approved: false, resultCode: '05', resultText: 'Declined' } as const;
export const empty: LastRecord = { kind: 'empty' };
/** The record before it. */
export const before = shown({ traceNumber: '000470', receiptNumber: '0470', amountMinor: 2040 });

const base = {
  type: 'operation_started',
  operationId: '01890000-0000-7000-8000-000000000000',
  terminal,
  baseline: before,
  simulated: false,
  currency: 'EUR',
} as const;
export const sale: SaleStarted = {
  ...base,
  kind: 'sale',
  reference: 'A-1',
  conditionCode: '00',
  amountMinor: 1200,
};
/** Of the payment, which is the last record when it begins. */
export const voiding: VoidStarted = {
  ...base,
  kind: 'void',
  paymentId: base.operationId,
  reference: 'A-1',
  amountMinor: 1200,
  receiptNumber: '0471',
  traceNumber: '000471',
  baseline: shown(),
};
export const closing: BatchStarted = {
  ...base,
  kind: 'batch_close',
  batchEpoch: 0,
  expected: { count: 1, totalMinor: 1200 },
  baseline: shown(),
};
