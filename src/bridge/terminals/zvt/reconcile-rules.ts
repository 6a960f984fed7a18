/**
 * Reconciles an operation in doubt, one function for each kind, once it is known that the terminal is the same
 * one and that its records can be read. The explanations are sentences for support staff.
 *
 *     the last record              | sale                     | void                       | batch close
 *     exactly next, fits           | done                     | done (BMP 37 = original)   | done
 *     exactly next, refused        | not done                 | not done                   | not done
 *     an auto-reversal of the next | not done                 |                            |
 *     still the baseline           | not done                 | not done                   | not done
 *     anything else                | a person                 | a person                   | a person
 *
 * A result on disk is held against the record: one that approves is never undone by the record from before, and one
 * that refuses is never turned into an approval. A terminal that has never shown a record proves nothing by showing none.
 */
import { sameNumber, type LastRecord, type TerminalRecord } from '../../../contract/terminal.ts';
import type { SaleStarted, VoidStarted } from '../../../contract/journal-events.ts';
import { isNextNumber } from '../counters.ts';
import type { OperationInDoubt, ReconciliationResult } from '../terminal-driver.ts';
import { isNextRecord, isNextTrace, isSameRecord } from './record-order.ts';
import { alreadyReversedCode } from './wire/index.ts';

type Readable = Exclude<LastRecord, { kind: 'unavailable' }>;

interface Parts extends Omit<OperationInDoubt, 'operation'> {
  baseline: Readable;
  lastRecord: Readable;
}

/** Where the last record stands. */
type Place =
  | { kind: 'baseline' }
  | { kind: 'next'; record: TerminalRecord }
  | { kind: 'elsewhere'; record: TerminalRecord };

const stillBefore = 'The terminal is idle and still shows the record from before';
const otherCurrency = 'The last record is in another currency.';
const otherAmount = 'The last record has another amount.';
const noAmount = 'The last record tells no amount in a currency that is known here.';
const noResultCode = 'The last record does not say whether it was approved.';
const noReversalShown = 'The terminal says "already reversed", but shows no reversal.';
const gap = 'The terminal has done something else since, so its last record decides nothing.';
const otherNumber = 'The stored result has another trace number than the last record.';
const refusedBefore =
  'The stored result was a refusal, so the last record may be of something else that was done by hand.';
const maybeEndOfDay =
  'The last record names neither a receipt nor a card, so it may be an end of day with this very total.';
export const neverShown =
  'The terminal has never shown a record of its own, so that it shows none now proves nothing.';

export function reconcileSale(parts: Parts & { operation: SaleStarted }): ReconciliationResult {
  const { operation, result } = parts;
  const place = placeOf(parts);
  if (place.kind === 'baseline') return unchanged(parts, 'the payment did not happen');
  const { record } = place;
  if (differs(record.currency, operation.currency)) return needsDecision(otherCurrency);
  if (record.kind !== 'payment' && record.kind !== 'reversal')
    return needsDecision('The last record is no payment.');
  if (isReversal(record)) return reconcileAutoReversal(parts, record);
  if (place.kind === 'elsewhere') return needsDecision(gap);
  if (record.resultCode === null) return needsDecision(noResultCode);
  const stored = storedAs(result, record);
  if (stored === 'other') return needsDecision(otherNumber);

  // An accepted result may be higher than asked (tip, cashback); then it is what the record must show.
  const accepted = stored === 'same' && result?.approved === true ? result.amountMinor : null;
  if (!record.approved) {
    if (differs(record.amountMinor, accepted ?? operation.amountMinor)) {
      return needsDecision(otherAmount);
    }
    if (result?.approved === true && (stored !== 'same' || parts.acknowledged)) {
      return needsDecision('The terminal approved the payment, but its last record is not a charge.');
    }
    return notDone(`The terminal's next record is not a charge: ${record.resultText}.`);
  }
  if (!isAmountOf(operation, record.amountMinor, accepted))
    return needsDecision(record.amountMinor === null ? noAmount : otherAmount);
  if (result?.approved === false) return needsDecision(refusedBefore);
  if (stored !== 'same' && !hasMarkOfPayment(record)) return needsDecision(maybeEndOfDay);
  return done(record, "The terminal's next record is an approval of this amount: the payment was charged.");
}

/** An end of day without totals (BMP 60) has an amount and a trace number like a payment, but no receipt and no card. */
function hasMarkOfPayment({
  receiptNumber,
  maskedCardNumber,
  cardScheme,
  approvalCode,
}: TerminalRecord): boolean {
  return [receiptNumber, maskedCardNumber, cardScheme, approvalCode].some((mark) => mark !== null);
}

/** The accepted amount where one is known; else the one that was asked, or more as far as tips are allowed. */
function isAmountOf(operation: SaleStarted, amountMinor: number | null, accepted: number | null): boolean {
  if (accepted !== null || amountMinor === null) return amountMinor === accepted && accepted !== null;
  return (
    amountMinor >= operation.amountMinor && amountMinor <= (operation.maxAmountMinor ?? operation.amountMinor)
  );
}

/** The terminal is as it was before the operation. `what` did not happen, unless something says otherwise. */
function unchanged(parts: Parts, what: string): ReconciliationResult {
  if (parts.result?.approved === true) {
    return needsDecision(
      parts.acknowledged
        ? 'The terminal reported success and has our acknowledgement of it, but still shows the record from before.'
        : 'The terminal reported success, but still shows the record from before.',
    );
  }
  if (parts.lastRecord.kind === 'empty' && !parts.showsRecords) return needsDecision(neverShown);
  return notDone(`${stillBefore}: ${what}.`);
}

/**
 * A reversal that the terminal made by itself because nobody acknowledged the payment: it names (BMP 37) the payment
 * that came right after the baseline, and has that payment's trace number or the one after it. With a number of its
 * own it has to have succeeded.
 */
function reconcileAutoReversal(
  parts: Parts & { operation: SaleStarted },
  record: TerminalRecord,
): ReconciliationResult {
  const { baseline, result, operation } = parts;
  const original = record.originalTraceNumber;
  const stored = result?.traceNumber ?? null;
  if (original === null || record.traceNumber === null) return needsDecision(gap);
  const isOurs =
    baseline.kind === 'record'
      ? baseline.record.traceNumber !== null &&
        isNextNumber(baseline.record.traceNumber, original) &&
        (stored === null || sameNumber(stored, original))
      : sameNumber(stored ?? firstTraceNumber, original);
  const isThePayment = sameNumber(record.traceNumber, original);
  const follows = isThePayment || isNextNumber(original, record.traceNumber);
  const accepted = result?.approved === true ? result.amountMinor : null;
  if (!isOurs || !follows || record.amountMinor !== (accepted ?? operation.amountMinor))
    return needsDecision(gap);
  // Some terminals keep no record of the reversal but mark the payment itself as not successful.
  if (!record.approved && !isThePayment)
    return needsDecision('The terminal tried to reverse the payment, and failed.');
  return notDone('The terminal reversed the payment by itself, because its result was not acknowledged.');
}

export function reconcileVoid(parts: Parts & { operation: VoidStarted }): ReconciliationResult {
  const { operation, result } = parts;
  const alreadyReversed = [result, recordOf(parts.lastRecord)].some((record) =>
    hasCode(record, alreadyReversedCode),
  );
  const place = placeOf(parts);
  if (place.kind === 'baseline') {
    const record = recordOf(parts.lastRecord);
    if (record !== null && reverses(operation, record) === 'yes' && record.approved) {
      return done(record, 'The last record is a reversal of this payment: it was reversed before.');
    }
    if (alreadyReversed) return needsDecision(noReversalShown);
    return unchanged(parts, 'the payment was not reversed');
  }
  const { record } = place;
  if (differs(record.currency, operation.currency)) return needsDecision(otherCurrency);
  if (place.kind === 'elsewhere' && !hasReceiptOfOriginal(parts, record)) return needsDecision(gap);
  if (storedAs(result, record) === 'other') return needsDecision(otherNumber);
  if (differs(record.amountMinor, operation.amountMinor)) return needsDecision(otherAmount);
  if (record.resultCode === null) return needsDecision(noResultCode);
  if (isReversal(record)) {
    if (reverses(operation, record) !== 'yes') {
      return needsDecision('The last record is not shown to be the reversal of this payment.');
    }
    if (record.approved) return done(record, "The terminal's next record is the reversal of this payment.");
  }
  if (alreadyReversed) return needsDecision(noReversalShown);
  if (record.approved || record.kind === 'batch_close')
    return needsDecision('The last record is no reversal.');
  return notDone(`The terminal's next record is a refusal: ${record.resultText}.`);
}

export function reconcileBatch(parts: Parts): ReconciliationResult {
  const place = placeOf(parts);
  // Totals that came are not undone: the turnover has gone to the host by then.
  if (place.kind === 'baseline') return unchanged(parts, 'the batch was not closed');
  const { record } = place;
  if (record.kind !== 'batch_close') return needsDecision('The last record is no end of day.');
  if (place.kind === 'elsewhere') return needsDecision(gap);
  if (record.resultCode === null) return needsDecision('The last record does not say whether it succeeded.');
  const { result } = parts;
  if (storedAs(result, record) === 'other') return needsDecision(otherNumber);
  if (!record.approved) return notDone(`The end of day failed: ${record.resultText}.`);
  if (result?.approved === true && differs(result.amountMinor, record.amountMinor)) {
    return needsDecision('The stored result has another total than the last record.');
  }
  if (result?.approved === false) return needsDecision(refusedBefore);
  return done(record, "The terminal's next record is the end of day: the batch was closed.");
}

function placeOf({ baseline, lastRecord, result }: Parts): Place {
  if (lastRecord.kind === 'empty') return { kind: 'baseline' };
  const { record } = lastRecord;
  if (baseline.kind === 'empty')
    return { kind: isFirstRecord(record, result) ? 'next' : 'elsewhere', record };
  if (isSameRecord(baseline.record, record)) return { kind: 'baseline' };
  return { kind: isNextRecord(baseline.record, record) ? 'next' : 'elsewhere', record };
}

/** The trace number of the first thing that a terminal ever did. */
const firstTraceNumber = '1';

/**
 * Of a terminal that had no record: the first one that it ever made (trace number 1), or the one whose result came to
 * us. Any other may have had others before it.
 */
function isFirstRecord({ traceNumber }: TerminalRecord, result: TerminalRecord | null): boolean {
  if (traceNumber === null) return false;
  if (result !== null && result.traceNumber !== null && sameNumber(result.traceNumber, traceNumber))
    return true;
  return sameNumber(traceNumber, firstTraceNumber);
}

/** A reversal may carry the receipt number of what it reverses; its trace number is then the only counter of its own. */
function hasReceiptOfOriginal(
  { baseline, operation }: Parts & { operation: VoidStarted },
  record: TerminalRecord,
) {
  return (
    baseline.kind === 'record' &&
    isReversal(record) &&
    record.receiptNumber !== null &&
    sameNumber(record.receiptNumber, operation.receiptNumber) &&
    isNextTrace(baseline.record, record)
  );
}

/** Whether the stored result and the record are about the same thing, by trace number. */
function storedAs(result: TerminalRecord | null, record: TerminalRecord): 'same' | 'other' | 'unknown' {
  if (result === null || result.traceNumber === null || record.traceNumber === null) return 'unknown';
  return sameNumber(result.traceNumber, record.traceNumber) ? 'same' : 'other';
}

function isReversal(record: TerminalRecord): boolean {
  return record.kind === 'reversal' || record.originalTraceNumber !== null;
}

/**
 * By BMP 37 where both trace numbers are known; else a reversal that carries the payment's own receipt number names it.
 */
function reverses(operation: VoidStarted, record: TerminalRecord): 'yes' | 'no' | 'unknown' {
  if (!isReversal(record)) return 'no';
  if (record.originalTraceNumber !== null && operation.traceNumber !== null) {
    return sameNumber(record.originalTraceNumber, operation.traceNumber) ? 'yes' : 'no';
  }
  const carried = record.receiptNumber !== null && sameNumber(record.receiptNumber, operation.receiptNumber);
  return carried ? 'yes' : 'unknown';
}

function hasCode(record: TerminalRecord | null, code: number): boolean {
  return record !== null && record.resultCode !== null && Number.parseInt(record.resultCode, 16) === code;
}

function recordOf(lastRecord: Readable): TerminalRecord | null {
  return lastRecord.kind === 'record' ? lastRecord.record : null;
}

function differs<T>(told: T | null, expected: T | null): boolean {
  return told !== null && expected !== null && told !== expected;
}

function done(record: TerminalRecord, explanation: string): ReconciliationResult {
  return { kind: 'done', record, explanation };
}

function notDone(explanation: string): ReconciliationResult {
  return { kind: 'not_done', explanation };
}

function needsDecision(explanation: string): ReconciliationResult {
  return { kind: 'needs_decision', explanation };
}
