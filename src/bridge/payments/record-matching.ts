/**
 * Which operation of ours a record or a late result of the terminal belongs to, by number, place, amount and terminal.
 * Pure.
 */
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
export function isPlaceAfter(
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

function fitsAmount(
  { amountMinor, maxAmountMinor = amountMinor }: { amountMinor: number; maxAmountMinor?: number | undefined },
  told: number | null,
): boolean {
  return told !== null && told >= amountMinor && told <= maxAmountMinor;
}

/** The settings may name another protocol by now. */
export function isOfProtocol(
  { terminal }: OperationStarted,
  { name }: Pick<TerminalProtocol, 'name'>,
): boolean {
  return terminal.protocol === name;
}

export function isOtherTerminal({ terminal }: OperationStarted, record: TerminalRecord): boolean {
  return !agreeIfTold(terminal.terminalId, record.terminalId);
}

/** Nothing in a result that names no operation says that it is of another one. */
export function mayAnswer(operation: OperationStarted, record: TerminalRecord): boolean {
  if (isOtherTerminal(operation, record)) return false;
  return operation.kind !== 'void' || record.receiptNumber === null || names(operation, record) === true;
}

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
  // What undoes a payment is refused to a void, and to the one that it names.
  if (!record.approved)
    return record.kind !== 'reversal' || (operation.kind === 'void' && mayAnswer(operation, record));
  if (operation.kind === 'batch_close') return record.kind === 'batch_close';
  if (operation.kind === 'sale')
    return record.kind === 'payment' && fitsAmount(operation, record.amountMinor);
  const { originalTraceNumber } = record;
  if (originalTraceNumber !== null && operation.traceNumber !== null) {
    if (!sameNumber(originalTraceNumber, operation.traceNumber)) return false;
  }
  // Some terminals say neither that it is a reversal nor its number; a payment always has one.
  const isReversal = record.kind === 'reversal' || (record.kind === 'payment' && record.traceNumber === null);
  // Without an amount it is of the whole payment that it names.
  if (record.amountMinor === null) return isReversal && names(operation, record) === true;
  return isReversal && record.amountMinor === operation.amountMinor;
}

/**
 * It is the approval of something else: an operation has one number, and this one's result was told with another. Some
 * terminals show what others do at them in the same form.
 */
export function isOtherApproval(result: TerminalRecord | null, record: TerminalRecord): boolean {
  if (result?.approved !== true || !record.approved) return false;
  const { traceNumber, receiptNumber } = result;
  if (traceNumber !== null && record.traceNumber !== null)
    return !sameNumber(traceNumber, record.traceNumber);
  // Some have no trace numbers. Of two payments the receipts differ; a reversal's may be its own or that of what it undoes.
  return (
    traceNumber === null &&
    record.traceNumber === null &&
    record.kind === 'payment' &&
    receiptNumber !== null &&
    record.receiptNumber !== null &&
    !sameNumber(receiptNumber, record.receiptNumber)
  );
}

/**
 * Of the operations that ended last (newest first) the one that a result belongs to, which needs more than fitting: its
 * own number where the operation has one, else the place right after its baseline; where neither can be told only the
 * newest will do. `isNext`: whether what has nothing but this place follows on the last that is known of the terminal, over
 * numbers that refused attempts have used up.
 */
export function lateFor(
  ended: EndedOperation[],
  record: TerminalRecord,
  protocol: Pick<TerminalProtocol, 'continuity'>,
  isNext: (baseline: LastRecord, place: LastRecord) => boolean,
): EndedOperation | null {
  const [newest] = ended;
  const again = ended.find((candidate) => isResultAgain(candidate, record));
  if (again !== undefined) return again;
  // Terminals write zeros where a refused attempt got no number.
  const isNumbered = record.traceNumber !== null && (record.approved || Number(record.traceNumber) !== 0);
  const fitting = ended.find((candidate) => {
    const { operation, result, late } = candidate;
    if (!belongsTo(operation, record) || isOtherApproval(late, record)) return false;
    if (record.traceNumber === null && isOtherApproval(result, record)) return false;
    if (operation.kind === 'void' && record.traceNumber === null && names(operation, record) === true)
      return true;
    if (!record.approved && !(candidate === newest && mayBeOf(operation, record))) return false;
    const { traceNumber } = record;
    if (traceNumber === null || (!isNumbered && result === null)) return candidate === newest;
    if (result !== null && result.traceNumber !== null) return sameNumber(result.traceNumber, traceNumber);
    const { baseline } = operation;
    if (baseline.kind !== 'record' || baseline.record.traceNumber === null) return candidate === newest;
    const place: LastRecord = { kind: 'record', record: { ...record, kind: 'other', receiptNumber: null } };
    return (
      protocol.continuity(baseline, place) === 'next' || (candidate === newest && isNext(baseline, place))
    );
  });
  return fitting ?? null;
}

/**
 * An approval that fits the operation that ended last, of which no result has come, but has a number too far on: something
 * happened before it, or in its place, that nobody has seen.
 */
export function mayBeLateOf(newest: EndedOperation, record: TerminalRecord): boolean {
  const { operation, result } = newest;
  return (
    record.approved && result === null && operation.kind !== 'batch_close' && belongsTo(operation, record)
  );
}

/** A refusal may come without an amount. */
export function mayBeOf(operation: OperationStarted, { amountMinor }: TerminalRecord): boolean {
  return amountMinor === null || operation.kind === 'batch_close' || fitsAmount(operation, amountMinor);
}

/**
 * The very approval that this operation was told before: whatever else it fits, it is of this one. Terminals that begin
 * their numbers again each day tell two payments apart by the time, and refusals may all look alike.
 */
export function isResultAgain(
  { result, late }: Pick<EndedOperation, 'result' | 'late'>,
  record: TerminalRecord,
): boolean {
  if (!record.approved || record.traceNumber === null || record.terminalTime === null) return false;
  return [result, late].some(
    (told) =>
      told !== null &&
      saysTheSame(told, record) &&
      told.terminalDate === record.terminalDate &&
      told.terminalTime === record.terminalTime,
  );
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
