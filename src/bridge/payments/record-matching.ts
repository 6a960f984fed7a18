/** Whether a record of the terminal is what an operation of ours did, by number, place, amount and terminal. Pure. */
import type { OperationStarted } from '../../contract/journal-events.ts';
import {
  agreeIfTold,
  recordsAgree,
  sameNumber,
  type LastRecord,
  type TerminalRecord,
} from '../../contract/terminal.ts';
import type { PaymentRow } from '../journal/index.ts';
import type { TerminalProtocol } from '../terminals/terminal-driver.ts';
import type { EndedOperation } from './history.ts';
import { isDone } from './operation-machine.ts';

/** What a record is held against. */
export interface Known {
  protocol: Pick<TerminalProtocol, 'continuity'>;
  /** Newest first. */
  ended: EndedOperation[];
  /** Ours that the terminal's open batch holds as far as was known. */
  unsettled: PaymentRow[];
}

/** Of two records without a number the terminal's clock has to say that they are one. */
export function isSameUnnumbered(one: TerminalRecord, other: TerminalRecord): boolean {
  const numbers = one.traceNumber ?? other.traceNumber;
  return (
    numbers === null && one.terminalTime !== null && other.terminalTime !== null && recordsAgree(one, other)
  );
}

/** By kind and amount alone: it could be what this operation did. */
export function couldBe(operation: OperationStarted, record: TerminalRecord): boolean {
  if (operation.kind === 'batch_close') return record.kind === 'batch_close';
  if (operation.kind === 'void') return record.kind === 'reversal' && names(operation, record) !== false;
  return record.kind === 'payment' && fitsAmount(operation, record.amountMinor);
}

/** It is what this operation did: by its own number where one is known, else by its place and amount. */
export function isRecordOf(
  { protocol }: Known,
  { operation, numbered }: EndedOperation,
  record: TerminalRecord,
): boolean {
  if (!couldBe(operation, record) || isOtherTerminal(operation, record)) return false;
  if (operation.kind === 'void') return names(operation, record) === true;
  if (numbered !== null) {
    const approved: LastRecord = { kind: 'record', record: { ...numbered, approved: true } };
    return protocol.continuity(approved, { kind: 'record', record }) === 'same';
  }
  return protocol.continuity(operation.baseline, plainly(record)) === 'next';
}

/** The terminal undid by itself a payment that was called not charged: both say the same. */
export function isAutoReversalOf(
  known: Known,
  { operation, outcome, numbered, refused }: EndedOperation,
  record: TerminalRecord,
): boolean {
  const original = record.originalTraceNumber;
  if (operation.kind !== 'sale' || isDone(outcome) || record.kind !== 'reversal' || original === null)
    return false;
  // What it undoes may be the very amount that we refused.
  const fits = fitsAmount(operation, record.amountMinor) || refused?.amountMinor === record.amountMinor;
  if (!fits || isOtherTerminal(operation, record) || !followsAtOnce(known, original, record)) return false;
  const traceNumber = numbered?.traceNumber ?? refused?.traceNumber ?? null;
  if (traceNumber !== null) return sameNumber(traceNumber, original);
  return isPlaceAfter(known, operation, original, record);
}

/** The terminal undoes its own payment before it does anything else. */
function followsAtOnce({ protocol }: Known, original: string, record: TerminalRecord): boolean {
  const { traceNumber } = record;
  if (traceNumber === null || sameNumber(traceNumber, original)) return true;
  return protocol.continuity(plainly({ ...record, traceNumber: original }), plainly(record)) === 'next';
}

/** The payment of ours that a reversal names, by its reference. */
export function reversedPayment(known: Known, record: TerminalRecord): string | null {
  const original = record.originalTraceNumber;
  if (original === null) return null;
  const unsettled = known.unsettled.find(
    ({ result }) =>
      result !== null && result.traceNumber !== null && sameNumber(result.traceNumber, original),
  );
  if (unsettled !== undefined) return unsettled.reference;
  for (const { operation, outcome, numbered } of known.ended) {
    if (operation.kind !== 'sale' || outcome !== 'approved') continue;
    const trace = numbered?.traceNumber ?? null;
    const isIt =
      trace === null ? isPlaceAfter(known, operation, original, record) : sameNumber(trace, original);
    if (isIt) return operation.reference;
  }
  return null;
}

/** A record with this trace number would be exactly the next after the operation's baseline. */
function isPlaceAfter(
  { protocol }: Known,
  { baseline }: OperationStarted,
  traceNumber: string,
  record: TerminalRecord,
): boolean {
  return (
    baseline.kind === 'record' &&
    protocol.continuity(baseline, plainly({ ...record, traceNumber })) === 'next'
  );
}

/** A record with nothing but its place in it. */
function plainly(record: TerminalRecord): LastRecord {
  return {
    kind: 'record',
    record: { ...record, kind: 'other', receiptNumber: null, originalTraceNumber: null },
  };
}

/** Null: nobody can tell. */
function names(
  operation: { traceNumber: string | null; receiptNumber: string },
  record: TerminalRecord,
): boolean | null {
  const { originalTraceNumber, receiptNumber } = record;
  if (originalTraceNumber !== null && operation.traceNumber !== null) {
    return sameNumber(originalTraceNumber, operation.traceNumber);
  }
  return receiptNumber !== null && sameNumber(receiptNumber, operation.receiptNumber) ? true : null;
}

export function fitsAmount(
  { amountMinor, maxAmountMinor = amountMinor }: { amountMinor: number; maxAmountMinor?: number | undefined },
  told: number | null,
): boolean {
  return told !== null && told >= amountMinor && told <= maxAmountMinor;
}

export function isOtherTerminal({ terminal }: OperationStarted, record: TerminalRecord): boolean {
  return !agreeIfTold(terminal.terminalId, record.terminalId);
}
