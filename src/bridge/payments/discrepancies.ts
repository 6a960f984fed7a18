/**
 * Where what the terminal shows and what the journal says do not agree, and no operation is in doubt that could explain
 * it. Pure: a poll of the terminal, or a result of ours, in; what a person must know out. Each is found once, because
 * it is found where a record is new, or where an operation has none of its kind yet.
 */
import {
  maxDiscrepancyReferences,
  type Discrepancy,
  type DiscrepancyKind,
} from '../../contract/discrepancy.ts';
import type { JournalEvent, OperationStarted } from '../../contract/journal-events.ts';
import type { Currency } from '../../contract/money.ts';
import {
  agreeIfTold,
  sameNumber,
  type Continuity,
  type LastRecord,
  type TerminalRecord,
} from '../../contract/terminal.ts';
import type { PaymentRow } from '../journal/index.ts';
import {
  aPayment,
  amountOf,
  capital,
  doneText,
  money,
  nameOf,
  numbersOf,
  oneOrMore,
  stays,
  unsettledNow,
  whatCannotBeVoided,
  outcomeText,
} from './discrepancy-messages.ts';
import type { EndedOperation } from './history.ts';
import { isDone, type Settlement } from './operation-machine.ts';
import {
  couldBe,
  isAutoReversalOf,
  isOtherTerminal,
  isRecordOf,
  isSameUnnumbered,
  reversedPayment,
  type Known,
} from './record-matching.ts';

/** A discrepancy before it has a number. */
export type Finding = Omit<Discrepancy, 'discrepancyId'>;

export interface Observation extends Known {
  /** What was known last before this, as far as it could be read. */
  previous: LastRecord;
  lastRecord: LastRecord;
  /** How the one follows on the other. */
  continuity: Continuity;
  /** In doubt now: a record that could be theirs is reconciled with them. */
  inDoubt: OperationStarted[];
  /** Of amounts that the terminal names without one. */
  currency: Currency;
}

/** A finding with a number of its own, for the journal. */
export function asJournalEvent(finding: Finding, uuid: () => string): JournalEvent {
  return { type: 'discrepancy_found', ...finding, discrepancyId: uuid() };
}

/** What a poll of the idle terminal brings to light. Nothing where its record could not be read. */
export function findingsOfPoll(observation: Observation): Finding[] {
  const { lastRecord, continuity } = observation;
  if (lastRecord.kind === 'unavailable') return [];
  const undone = undoneByBaseline(observation);
  const decided = observation.ended.flatMap((ended) => leftOver(observation, ended));
  if (undone !== null) return [undone, ...decided];
  // Also where the record is known: it may have been seen while a person had not decided yet.
  if (lastRecord.kind === 'record') decided.push(...refusedAfterAll(observation, lastRecord.record));
  if (continuity === 'same' || continuity === 'unknown') return decided;
  if (continuity === 'changed_terminal')
    return [...decided, ...changedTerminal(observation), ...usedTerminal(observation)];
  const unseen = isGap(observation) ? [unseenRecords(observation)] : [];
  const news = lastRecord.kind === 'record' ? findingsOfRecord(observation, lastRecord.record) : [];
  return [...decided, ...unseen, ...news];
}

/** What lay between our own result and what was known before it. */
export function findingsOfResult(
  observation: Pick<Observation, 'lastRecord' | 'continuity' | 'unsettled' | 'currency'>,
): Finding[] {
  if (observation.continuity === 'gap') return [unseenRecords(observation)];
  return observation.continuity === 'changed_terminal' ? changedTerminal(observation) : [];
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
  const outcomeText = what(money(amountMinor, currency), money(charged, currency));
  return [
    {
      kind: 'amount_differs',
      operationId: operation.operationId,
      references: [reference],
      amountMinor: charged,
      currency,
      record,
      message: `Payment ${reference} ${outcomeText}`,
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
  const decided = `but it had been decided as ${outcomeText(ended.outcome)} before`;
  return {
    ...about('late_result_refused', operation, record),
    message: record.approved
      ? `The terminal reported late that ${nameOf(operation)} was ${doneText(operation)}, ${decided}. The bridge did not ` +
        'accept this result, which makes the terminal undo it. Check at the terminal that it did.'
      : `The terminal reported late that it had refused ${nameOf(operation)}, ${decided}. No money moved. Check what ` +
        'was decided.',
  };
}

/**
 * The newest thing that was done is not there: the terminal still shows the record from before it. A terminal that
 * closed the day and then shows the last payment is no contradiction, for some show nothing else.
 */
function undoneByBaseline(observation: Observation): Finding | null {
  const { protocol, ended, lastRecord } = observation;
  const newest = ended.find(({ outcome }) => isDone(outcome));
  if (newest === undefined || lastRecord.kind !== 'record') return null;
  const { operation, outcome, byPerson, discrepancies } = newest;
  if (discrepancies.includes('contradicted_outcome')) return null;
  if (operation.baseline.kind !== 'record' || (outcome === 'closed' && !byPerson)) return null;
  const isSame = protocol.continuity(operation.baseline, lastRecord) === 'same';
  if (!isSame && !isSameUnnumbered(operation.baseline.record, lastRecord.record)) return null;
  // A void may have found that somebody had reversed the payment already.
  if (operation.kind === 'void' && isRecordOf(observation, newest, lastRecord.record)) return null;
  return {
    ...about('contradicted_outcome', operation, lastRecord.record),
    message:
      `${capital(nameOf(operation))} was recorded as ${outcome}, but the last thing that the terminal shows is older, so ` +
      'it may not have happened.',
  };
}

/** A person said that it did not happen, although the terminal showed what could have been it: then that is another's. */
function leftOver(observation: Observation, ended: EndedOperation): Finding[] {
  const { operation, outcome, byPerson, shown, discrepancies } = ended;
  if (!byPerson || isDone(outcome) || shown?.kind !== 'record') return [];
  const { record } = shown;
  if (observation.protocol.continuity(operation.baseline, shown) === 'same' || !couldBe(operation, record))
    return [];
  const finding = unexplained(observation, record);
  if (finding === null || discrepancies.includes(finding.kind)) return [];
  const { operationId } = operation;
  const references = 'reference' in operation ? [operation.reference] : finding.references;
  return [{ ...finding, operationId, references }];
}

function findingsOfRecord(observation: Observation, record: TerminalRecord): Finding[] {
  if (!record.approved) return [];
  if (observation.inDoubt.some((operation) => couldBe(operation, record))) return [];
  const ours = observation.ended.find((ended) => isRecordOf(observation, ended, record));
  if (ours !== undefined) return isDone(ours.outcome) ? [] : [contradiction(ours, record)];
  // The payment that it names stands as approved, so it is no failed one of the same amount that undid itself.
  const named = reversedPayment(observation, record);
  if (named === null && observation.ended.some((ended) => isAutoReversalOf(observation, ended, record)))
    return [];
  const finding = unexplained(observation, record);
  return finding === null ? [] : [finding];
}

/** What was called done has this very number, and the terminal says now that it was not done, or that it undid it. */
function refusedAfterAll(observation: Observation, record: TerminalRecord): Finding[] {
  const { traceNumber } = record;
  if (record.approved || traceNumber === null) return [];
  const called = observation.ended.find(
    ({ operation, outcome, numbered, discrepancies }) =>
      isDone(outcome) &&
      numbered !== null &&
      numbered.traceNumber !== null &&
      sameNumber(numbered.traceNumber, traceNumber) &&
      // Some terminals show a refused attempt under the number of what came before it.
      agreeIfTold(numbered.amountMinor, record.amountMinor) &&
      !isOtherTerminal(operation, record) &&
      !discrepancies.includes('contradicted_outcome'),
  );
  if (called === undefined) return [];
  const { operation, outcome } = called;
  return [
    {
      ...about('contradicted_outcome', operation, record),
      message:
        `${capital(nameOf(operation))} was recorded as ${outcome}, but the terminal now shows that it was not ${doneText(operation)} ` +
        `(${numbersOf(record)}: ${record.resultText ?? 'refused'}).`,
    },
  ];
}

function contradiction({ operation, outcome }: EndedOperation, record: TerminalRecord): Finding {
  const what = operation.kind === 'sale' ? 'The customer may have paid.' : 'Look at the terminal.';
  return {
    ...about('contradicted_outcome', operation, record),
    message:
      `${capital(nameOf(operation))} was recorded as ${outcomeText(outcome)}, but the terminal shows that it was ` +
      `${doneText(operation)} (${numbersOf(record)}). ${what}`,
  };
}

function unexplained(observation: Observation, record: TerminalRecord): Finding | null {
  const { unsettled } = observation;
  const sum = amountOf(record, observation.currency);
  const base = {
    operationId: null,
    amountMinor: record.amountMinor,
    currency: record.currency ?? observation.currency,
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
      const reference = reversedPayment(observation, record);
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
}: Pick<Observation, 'lastRecord' | 'unsettled' | 'currency'>): Finding {
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
}: Pick<Observation, 'lastRecord' | 'unsettled' | 'currency'>): Finding[] {
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
function usedTerminal({ lastRecord, unsettled, currency }: Observation): Finding[] {
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
function isGap({ protocol, previous, lastRecord, continuity }: Observation): boolean {
  if (continuity !== 'batch' || lastRecord.kind !== 'record') return continuity === 'gap';
  const plain: LastRecord = { kind: 'record', record: { ...lastRecord.record, kind: 'other' } };
  return previous.kind === 'record' && protocol.continuity(previous, plain) === 'gap';
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

function referencesOf(payments: PaymentRow[]): string[] {
  return payments.slice(0, maxDiscrepancyReferences).map(({ reference }) => reference);
}
