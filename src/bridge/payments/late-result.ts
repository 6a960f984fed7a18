/** Which operation a result belongs to that comes when nobody waits for it. Pure. */
import type { OperationStarted } from '../../contract/journal-events.ts';
import { agreeIfTold, sameNumber, type LastRecord, type TerminalRecord } from '../../contract/terminal.ts';
import type { TerminalProtocol } from '../terminals/terminal-driver.ts';
import type { EndedOperation } from './history.ts';
import { fitsAmount } from './record-matching.ts';

/** A late result belongs to an operation when terminal and amount fit and it is not the record from before it. */
export function belongsTo(operation: OperationStarted, record: TerminalRecord): boolean {
  if (!agreeIfTold(operation.terminal.terminalId, record.terminalId)) return false;
  const { baseline } = operation;
  if (
    baseline.kind === 'record' &&
    record.traceNumber !== null &&
    baseline.record.traceNumber === record.traceNumber &&
    baseline.record.receiptNumber === record.receiptNumber
  ) {
    return false;
  }
  if (!record.approved) return true;
  if (operation.kind === 'batch_close') return record.kind === 'batch_close';
  if (operation.kind === 'sale')
    return record.kind === 'payment' && fitsAmount(operation, record.amountMinor);
  const { originalTraceNumber } = record;
  if (originalTraceNumber !== null && operation.traceNumber !== null) {
    if (!sameNumber(originalTraceNumber, operation.traceNumber)) return false;
  }
  // Some terminals say neither that it is a reversal nor its number; a payment always has one.
  const isReversal = record.kind === 'reversal' || (record.kind === 'payment' && record.traceNumber === null);
  return isReversal && record.amountMinor === operation.amountMinor;
}

/**
 * Of the operations that ended last (newest first) the one that a result belongs to, which needs more than fitting: its
 * own number where the operation has one, else the place right after its baseline; where neither can be told only the
 * newest will do.
 */
export function lateFor(
  ended: EndedOperation[],
  record: TerminalRecord,
  protocol: Pick<TerminalProtocol, 'continuity'>,
): EndedOperation | null {
  const [newest] = ended;
  const fitting = ended.find((candidate) => {
    const { operation, result } = candidate;
    if (!belongsTo(operation, record)) return false;
    if (!record.approved && !(candidate === newest && mayBeOf(operation, record))) return false;
    const { traceNumber } = record;
    if (traceNumber === null) return candidate === newest;
    if (result !== null && result.traceNumber !== null) return sameNumber(result.traceNumber, traceNumber);
    const { baseline } = operation;
    if (baseline.kind !== 'record' || baseline.record.traceNumber === null) return candidate === newest;
    const place: LastRecord = { kind: 'record', record: { ...record, kind: 'other', receiptNumber: null } };
    return protocol.continuity(baseline, place) === 'next';
  });
  return fitting ?? null;
}

/** A refusal may come without an amount. */
function mayBeOf(operation: OperationStarted, { amountMinor }: TerminalRecord): boolean {
  return amountMinor === null || operation.kind === 'batch_close' || fitsAmount(operation, amountMinor);
}

/** Both tell the same of the same thing: one of them is the other, sent again. */
export function saysTheSame(one: TerminalRecord, other: TerminalRecord): boolean {
  return toldApartBy.every((field) => one[field] === other[field]);
}

const toldApartBy = [
  'kind',
  'approved',
  'resultCode',
  'amountMinor',
  'currency',
  'terminalId',
  'traceNumber',
  'receiptNumber',
  'originalTraceNumber',
] as const satisfies (keyof TerminalRecord)[];
