/**
 * Where what the terminal shows and what the journal says do not agree, and no operation is in doubt that could explain
 * it. Pure: a look at the terminal, or a result of ours, in; what a person must be told out. Each is told once, because
 * it is found where a record is new, or where an operation has not been told of yet.
 */
import {
  maxDiscrepancyReferences,
  type Discrepancy,
  type DiscrepancyKind,
} from '../../contract/discrepancy.ts';
import type { JournalEvent, OperationStarted } from '../../contract/journal-events.ts';
import { formatAmount, type Currency } from '../../contract/money.ts';
import type { OperationOutcome } from '../../contract/operation.ts';
import {
  agreeIfTold,
  recordsAgree,
  sameNumber,
  type Continuity,
  type LastRecord,
  type TerminalRecord,
} from '../../contract/terminal.ts';
import type { PaymentRow } from '../journal/journal.ts';
import type { TerminalProtocol } from '../terminals/terminal-driver.ts';
import type { EndedOperation } from './history.ts';
import { isDone, type Settlement } from './machine.ts';

/** A discrepancy before it has a number. */
export type Finding = Omit<Discrepancy, 'discrepancyId'>;

export interface Sight {
  protocol: Pick<TerminalProtocol, 'continuity'>;
  /** What was known last before this, as far as it could be read. */
  previous: LastRecord;
  lastRecord: LastRecord;
  /** How the one follows on the other. */
  continuity: Continuity;
  /** Newest first. */
  ended: EndedOperation[];
  /** In doubt now: a record that could be theirs is told with the doubt. */
  inDoubt: OperationStarted[];
  /** Ours that the terminal's open batch holds as far as was known. */
  unsettled: PaymentRow[];
  /** Of amounts that the terminal names without one. */
  currency: Currency;
}

/** A finding with a number of its own, for the journal. */
export function asFact(finding: Finding, uuid: () => string): JournalEvent {
  return { type: 'discrepancy_found', ...finding, discrepancyId: uuid() };
}

/** What a look at the idle terminal brings to light. Nothing where its record could not be read. */
export function findingsOfLook(sight: Sight): Finding[] {
  const { lastRecord, continuity } = sight;
  if (lastRecord.kind === 'unavailable') return [];
  const undone = undoneByBaseline(sight);
  const decided = sight.ended.flatMap((ended) => leftOver(sight, ended));
  if (undone !== null) return [undone, ...decided];
  // Also where the record is known: it may have been seen while a person had not decided yet.
  if (lastRecord.kind === 'record') decided.push(...refusedAfterAll(sight, lastRecord.record));
  if (continuity === 'same' || continuity === 'unknown') return decided;
  if (continuity === 'changed_terminal')
    return [...decided, ...changedTerminal(sight), ...usedTerminal(sight)];
  const unseen = isGap(sight) ? [unseenRecords(sight)] : [];
  const news = lastRecord.kind === 'record' ? findingsOfRecord(sight, lastRecord.record) : [];
  return [...decided, ...unseen, ...news];
}

/** What lay between our own result and what was known before it. */
export function findingsOfResult(
  sight: Pick<Sight, 'lastRecord' | 'continuity' | 'unsettled' | 'currency'>,
): Finding[] {
  if (sight.continuity === 'gap') return [unseenRecords(sight)];
  return sight.continuity === 'changed_terminal' ? changedTerminal(sight) : [];
}

/** The terminal charged another amount than was asked, beyond what the sale allows as a tip. */
export function findingsOfAmount(operation: OperationStarted, record: TerminalRecord | null): Finding[] {
  return otherAmount(
    operation,
    record,
    (asked, charged) => `was asked for ${asked}, but the terminal charged ${charged}.`,
  );
}

/** The same where the result was refused, so that the terminal undoes what it charged. Told before it can do so. */
export function findingsOfRefusedResult(operation: OperationStarted, record: TerminalRecord): Finding[] {
  // What is not a payment in our currency was refused for that, and the amount says nothing.
  if (record.kind !== 'payment' || (record.currency !== null && record.currency !== operation.currency))
    return [];
  return otherAmount(
    operation,
    record,
    (asked, charged) =>
      `was asked for ${asked}, but the terminal charged ${charged}. The bridge did not accept that, which makes the ` +
      'terminal undo the payment. Check at the terminal that it did.',
  );
}

function otherAmount(
  operation: OperationStarted,
  record: TerminalRecord | null,
  what: (asked: string, charged: string) => string,
): Finding[] {
  const charged = record?.amountMinor ?? null;
  if (operation.kind !== 'sale' || charged === null) return [];
  const { amountMinor, maxAmountMinor = amountMinor, currency, reference } = operation;
  if (charged >= amountMinor && charged <= maxAmountMinor) return [];
  const words = what(money(amountMinor, currency), money(charged, currency));
  return [
    {
      kind: 'amount_differs',
      operationId: operation.operationId,
      references: [reference],
      amountMinor: charged,
      currency,
      record,
      message: `Payment ${reference} ${words}`,
    },
  ];
}

/** The totals of a close are not the journal's. */
export function findingsOfBatch(
  operation: OperationStarted,
  { batch, inQuestion, unexplained }: Settlement,
  record: TerminalRecord,
): Finding[] {
  if (unexplained.length === 0 && inQuestion.length === 0) return [];
  const { currency } = batch;
  const differences = batch.differences.filter(({ scheme }) => unexplained.includes(scheme));
  const figures = differences.map(({ scheme, ...difference }) => {
    const { terminalCount, terminalTotalMinor, journalCount, journalTotalMinor } = difference;
    const theirs = `${terminalCount === null ? '' : `${terminalCount} for `}${money(terminalTotalMinor, currency)}`;
    return `${scheme}: the terminal has ${theirs}, the journal ${journalCount} for ${money(journalTotalMinor, currency)}`;
  });
  const differing = differences.reduce(
    (sum, { terminalTotalMinor, journalTotalMinor }) => sum + journalTotalMinor - terminalTotalMinor,
    0,
  );
  const those =
    inQuestion.length === 0
      ? 'None of our payments is in question.'
      : `${oneOrMore(inQuestion, 'payment is', 'payments are')} in question and ${stays(inQuestion)} approved.`;
  return [
    {
      kind: 'batch_differs',
      operationId: operation.operationId,
      references: inQuestion.slice(0, maxDiscrepancyReferences),
      amountMinor: Math.abs(differing),
      currency,
      record,
      message:
        (figures.length === 0
          ? 'The closed batch does not hold all that the journal expected in it. '
          : `The terminal’s totals of the closed batch differ from the journal’s (${figures.join('; ')}). `) +
        those,
    },
  ];
}

/** A result that came after the operation was decided, and says the opposite. */
export function findingOfLateResult(ended: EndedOperation, record: TerminalRecord): Finding {
  const { operation } = ended;
  const decided = `but it had been decided as ${words(ended.outcome)} before`;
  return {
    ...about('late_result_refused', operation, record),
    message: record.approved
      ? `The terminal reported late that ${nameOf(operation)} was ${doneWord(operation)}, ${decided}. The bridge did not ` +
        'accept this result, which makes the terminal undo it. Check at the terminal that it did.'
      : `The terminal reported late that it had refused ${nameOf(operation)}, ${decided}. No money moved. Check what ` +
        'was decided.',
  };
}

/**
 * The newest thing that was done is not there: the terminal still shows the record from before it. A terminal that
 * closed the day and then shows the last payment is no contradiction, for some show nothing else.
 */
function undoneByBaseline(sight: Sight): Finding | null {
  const { protocol, ended, lastRecord } = sight;
  const newest = ended.find(({ outcome }) => isDone(outcome));
  if (newest === undefined || lastRecord.kind !== 'record') return null;
  const { operation, outcome, byPerson, told } = newest;
  if (told.includes('contradicted_outcome')) return null;
  if (operation.baseline.kind !== 'record' || (outcome === 'closed' && !byPerson)) return null;
  const isSame = protocol.continuity(operation.baseline, lastRecord) === 'same';
  if (!isSame && !isSameUnnumbered(operation.baseline.record, lastRecord.record)) return null;
  // A void may have found that somebody had reversed the payment already.
  if (operation.kind === 'void' && isRecordOf(sight, newest, lastRecord.record)) return null;
  return {
    ...about('contradicted_outcome', operation, lastRecord.record),
    message:
      `${capital(nameOf(operation))} was recorded as ${outcome}, but the last thing that the terminal shows is older, so ` +
      'it may not have happened.',
  };
}

/** Of two records without a number the terminal's clock has to say that they are one. */
function isSameUnnumbered(one: TerminalRecord, other: TerminalRecord): boolean {
  const numbers = one.traceNumber ?? other.traceNumber;
  return (
    numbers === null && one.terminalTime !== null && other.terminalTime !== null && recordsAgree(one, other)
  );
}

/** A person said that it did not happen, although the terminal showed what could have been it: then that is another's. */
function leftOver(sight: Sight, ended: EndedOperation): Finding[] {
  const { operation, outcome, byPerson, shown, told } = ended;
  if (!byPerson || isDone(outcome) || shown?.kind !== 'record') return [];
  const { record } = shown;
  if (sight.protocol.continuity(operation.baseline, shown) === 'same' || !couldBe(operation, record))
    return [];
  const finding = unexplained(sight, record);
  if (finding === null || told.includes(finding.kind)) return [];
  const { operationId } = operation;
  const references = 'reference' in operation ? [operation.reference] : finding.references;
  return [{ ...finding, operationId, references }];
}

function findingsOfRecord(sight: Sight, record: TerminalRecord): Finding[] {
  if (!record.approved) return [];
  if (sight.inDoubt.some((operation) => couldBe(operation, record))) return [];
  const ours = sight.ended.find((ended) => isRecordOf(sight, ended, record));
  if (ours !== undefined) return isDone(ours.outcome) ? [] : [contradiction(ours, record)];
  // The payment that it names stands as approved, so it is no failed one of the same amount that undid itself.
  const named = reversedPayment(sight, record);
  if (named === null && sight.ended.some((ended) => isAutoReversalOf(sight, ended, record))) return [];
  const finding = unexplained(sight, record);
  return finding === null ? [] : [finding];
}

/** What was called done has this very number, and the terminal says now that it was not done, or that it undid it. */
function refusedAfterAll(sight: Sight, record: TerminalRecord): Finding[] {
  const { traceNumber } = record;
  if (record.approved || traceNumber === null) return [];
  const called = sight.ended.find(
    ({ operation, outcome, numbered, told }) =>
      isDone(outcome) &&
      numbered !== null &&
      numbered.traceNumber !== null &&
      sameNumber(numbered.traceNumber, traceNumber) &&
      // Some terminals show a refused attempt under the number of what came before it.
      agreeIfTold(numbered.amountMinor, record.amountMinor) &&
      !isOtherTerminal(operation, record) &&
      !told.includes('contradicted_outcome'),
  );
  if (called === undefined) return [];
  const { operation, outcome } = called;
  return [
    {
      ...about('contradicted_outcome', operation, record),
      message:
        `${capital(nameOf(operation))} was recorded as ${outcome}, but the terminal now shows that it was not ${doneWord(operation)} ` +
        `(${numbersOf(record)}: ${record.resultText ?? 'refused'}).`,
    },
  ];
}

function contradiction({ operation, outcome }: EndedOperation, record: TerminalRecord): Finding {
  const what = operation.kind === 'sale' ? 'The customer may have paid.' : 'Look at the terminal.';
  return {
    ...about('contradicted_outcome', operation, record),
    message:
      `${capital(nameOf(operation))} was recorded as ${words(outcome)}, but the terminal shows that it was ` +
      `${doneWord(operation)} (${numbersOf(record)}). ${what}`,
  };
}

function unexplained(sight: Sight, record: TerminalRecord): Finding | null {
  const { unsettled } = sight;
  const sum = amountOf(record, sight.currency);
  const base = {
    operationId: null,
    amountMinor: record.amountMinor,
    currency: record.currency ?? sight.currency,
    record,
  };
  switch (record.kind) {
    case 'payment':
      return {
        ...base,
        kind: 'unexplained_payment',
        references: [],
        message: `The terminal shows ${aPayment(record)} of ${sum} (${numbersOf(record)}) that the bridge did not make.`,
      };
    case 'reversal': {
      const reference = reversedPayment(sight, record);
      const what = reference === null ? 'something' : `payment ${reference}`;
      return {
        ...base,
        kind: 'unexplained_reversal',
        references: reference === null ? [] : [reference],
        message: `The terminal reversed ${what} (${sum}, ${numbersOf(record)}), and the bridge did not ask for it.`,
      };
    }
    case 'batch_close':
      return {
        ...base,
        kind: 'unexplained_batch_close',
        references: referencesOf(unsettled),
        message:
          'The day was closed at the terminal, not by the bridge. ' +
          (unsettled.length === 0
            ? 'None of our payments is affected.'
            : `${oneOrMore(unsettled, 'payment', 'payments')} of ours may be in it: ${unsettledNow(unsettled)}`),
      };
    case 'other':
      return null;
  }
}

function unseenRecords({
  lastRecord,
  unsettled,
  currency,
}: Pick<Sight, 'lastRecord' | 'unsettled' | 'currency'>): Finding {
  const record = lastRecord.kind === 'record' ? lastRecord.record : null;
  const what =
    record === null
      ? 'The terminal shows no record any more.'
      : `The terminal did things before ${numbersOf(record)} that the bridge has not seen.`;
  return {
    kind: 'unseen_records',
    operationId: null,
    references: referencesOf(unsettled),
    amountMinor: null,
    currency,
    record,
    message: `${what} ${whatCannotBeVoided(unsettled)}`,
  };
}

function changedTerminal({
  lastRecord,
  unsettled,
  currency,
}: Pick<Sight, 'lastRecord' | 'unsettled' | 'currency'>): Finding[] {
  if (unsettled.length === 0) return [];
  return [
    {
      kind: 'changed_terminal',
      operationId: null,
      references: referencesOf(unsettled),
      amountMinor: unsettled.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
      currency,
      record: lastRecord.kind === 'record' ? lastRecord.record : null,
      message:
        'Another terminal answers on this line. On the one before, ' +
        `${oneOrMore(unsettled, 'payment of ours was', 'payments of ours were')} not settled: ${unsettledNow(unsettled)}`,
    },
  ];
}

/**
 * A terminal that has worked before, and of which this journal knows nothing: in a journal that was put back from a
 * backup, what it did may be ours.
 */
function usedTerminal({ lastRecord, unsettled, currency }: Sight): Finding[] {
  if (lastRecord.kind !== 'record' || unsettled.length > 0) return [];
  const { record } = lastRecord;
  return [
    {
      kind: 'changed_terminal',
      operationId: null,
      references: [],
      amountMinor: null,
      currency,
      record,
      message:
        `Another terminal answers on this line. What it did before, up to its last record (${numbersOf(record)}), is ` +
        'not in the journal. None of our payments is affected.',
    },
  ];
}

/** A closed day may hide something that was done right before it. */
function isGap({ protocol, previous, lastRecord, continuity }: Sight): boolean {
  if (continuity !== 'batch' || lastRecord.kind !== 'record') return continuity === 'gap';
  const plain: LastRecord = { kind: 'record', record: { ...lastRecord.record, kind: 'other' } };
  return previous.kind === 'record' && protocol.continuity(previous, plain) === 'gap';
}

/** By kind and amount alone: it could be what this operation did. */
function couldBe(operation: OperationStarted, record: TerminalRecord): boolean {
  if (operation.kind === 'batch_close') return record.kind === 'batch_close';
  if (operation.kind === 'void') return record.kind === 'reversal' && names(operation, record) !== false;
  return record.kind === 'payment' && fitsAmount(operation, record.amountMinor);
}

/** It is what this operation did: by its own number where one is known, else by its place and amount. */
function isRecordOf(
  { protocol }: Sight,
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
function isAutoReversalOf(
  sight: Sight,
  { operation, outcome, numbered, refused }: EndedOperation,
  record: TerminalRecord,
): boolean {
  const original = record.originalTraceNumber;
  if (operation.kind !== 'sale' || isDone(outcome) || record.kind !== 'reversal' || original === null)
    return false;
  // What it undoes may be the very amount that we refused.
  const fits = fitsAmount(operation, record.amountMinor) || refused?.amountMinor === record.amountMinor;
  if (!fits || isOtherTerminal(operation, record) || !followsAtOnce(sight, original, record)) return false;
  const known = numbered?.traceNumber ?? refused?.traceNumber ?? null;
  if (known !== null) return sameNumber(known, original);
  return isPlaceAfter(sight, operation, original, record);
}

/** The terminal undoes its own payment before it does anything else. */
function followsAtOnce({ protocol }: Sight, original: string, record: TerminalRecord): boolean {
  const { traceNumber } = record;
  if (traceNumber === null || sameNumber(traceNumber, original)) return true;
  return protocol.continuity(plainly({ ...record, traceNumber: original }), plainly(record)) === 'next';
}

/** The payment of ours that a reversal names, by its reference. */
function reversedPayment(sight: Sight, record: TerminalRecord): string | null {
  const original = record.originalTraceNumber;
  if (original === null) return null;
  const known = sight.unsettled.find(
    ({ result }) =>
      result !== null && result.traceNumber !== null && sameNumber(result.traceNumber, original),
  );
  if (known !== undefined) return known.reference;
  for (const { operation, outcome, numbered } of sight.ended) {
    if (operation.kind !== 'sale' || outcome !== 'approved') continue;
    const trace = numbered?.traceNumber ?? null;
    const isIt =
      trace === null ? isPlaceAfter(sight, operation, original, record) : sameNumber(trace, original);
    if (isIt) return operation.reference;
  }
  return null;
}

/** A record with this trace number would be exactly the next after the operation's baseline. */
function isPlaceAfter(
  { protocol }: Sight,
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

function isOtherTerminal({ terminal }: OperationStarted, record: TerminalRecord): boolean {
  return !agreeIfTold(terminal.terminalId, record.terminalId);
}

function about(
  kind: DiscrepancyKind,
  operation: OperationStarted,
  record: TerminalRecord,
): Omit<Finding, 'message'> {
  const isBatch = operation.kind === 'batch_close';
  return {
    kind,
    operationId: operation.operationId,
    references: isBatch ? [] : [operation.reference],
    amountMinor: isBatch ? record.amountMinor : operation.amountMinor,
    currency: operation.currency,
    record,
  };
}

function nameOf(operation: OperationStarted): string {
  if (operation.kind === 'batch_close') return 'the batch close';
  return `${operation.kind === 'sale' ? 'payment' : 'the void of payment'} ${operation.reference}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A reversal that names no payment has nothing that tells it from one. */
function aPayment({ traceNumber }: TerminalRecord): string {
  return traceNumber === null ? 'a payment or a reversal' : 'a payment';
}

function numbersOf({ receiptNumber, traceNumber }: TerminalRecord): string {
  if (receiptNumber !== null) return `receipt ${receiptNumber}`;
  return traceNumber === null ? 'without a number' : `trace number ${traceNumber}`;
}

function amountOf({ amountMinor, currency }: TerminalRecord, otherwise: Currency): string {
  return amountMinor === null ? 'an unknown amount' : money(amountMinor, currency ?? otherwise);
}

function money(amountMinor: number, currency: Currency): string {
  return `${formatAmount(amountMinor, currency)} ${currency}`;
}

function referencesOf(payments: PaymentRow[]): string[] {
  return payments.slice(0, maxDiscrepancyReferences).map(({ reference }) => reference);
}

function whatCannotBeVoided(payments: PaymentRow[]): string {
  if (payments.length === 0) return 'None of our payments is affected.';
  return `${oneOrMore(payments, 'earlier payment', 'earlier payments')} of ours can no longer be voided here.`;
}

/** What becomes of payments that nobody can settle or void. */
function unsettledNow(payments: PaymentRow[]): string {
  return `${payments.length === 1 ? 'it' : 'they'} ${stays(payments)} approved and can no longer be voided here.`;
}

function oneOrMore({ length }: readonly unknown[], one: string, more: string): string {
  return `${length} ${length === 1 ? one : more}`;
}

function stays({ length }: readonly unknown[]): string {
  return length === 1 ? 'stays' : 'stay';
}

function doneWord({ kind }: OperationStarted): string {
  return kind === 'sale' ? 'charged' : 'carried out';
}

function words(outcome: OperationOutcome): string {
  return outcome.replace('_', ' ');
}
