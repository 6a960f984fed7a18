/**
 * What a poll of the idle terminal brings to light that the journal does not say, where no operation is in doubt that
 * could explain it. Pure.
 */
import type { OperationStarted } from '../../contract/journal-events.ts';
import { agreeIfTold, sameNumber, type LastRecord, type TerminalRecord } from '../../contract/terminal.ts';
import {
  about,
  changedTerminal,
  findingsOfAmountShown,
  referencesOf,
  unseenRecords,
  type Finding,
  type SeenRecord,
} from './discrepancies.ts';
import * as messages from './discrepancy-messages.ts';
import type { EndedOperation } from './history.ts';
import { isDone } from './operation-machine.ts';
import {
  couldBe,
  isAutoReversalOf,
  isOtherTerminal,
  isPlaceAfter,
  isRecordOf,
  isSameUnnumbered,
  mayBeOf,
  reversedPayment,
  type Known,
} from './record-matching.ts';

export interface Observation extends Known, SeenRecord {
  /** What was known last before this, as far as it could be read. */
  previous: LastRecord;
  /** What ended lately on the terminal that was here before: mostly the same one, and then the same as `ended`. */
  endedBefore: EndedOperation[];
  /** In doubt now: a record that could be theirs is reconciled with them. */
  inDoubt: OperationStarted[];
}

/** What a poll of the idle terminal brings to light. Where its record could not be read, only that it is another one. */
export function findingsOfPoll(observation: Observation): Finding[] {
  const { lastRecord, continuity } = observation;
  if (lastRecord.kind === 'unavailable')
    return continuity === 'changed_terminal' ? changedTerminal(observation) : [];
  const undone = undoneByBaseline(observation);
  const decided = observation.endedBefore.flatMap((ended) => leftOver(observation, ended));
  if (undone !== null) return [undone, ...decided];
  // Also where the record is known: it may have been seen while a person had not decided yet.
  if (lastRecord.kind === 'record') {
    const { record } = lastRecord;
    decided.push(...refusedAfterAll(observation, record), ...otherAmountThanAsked(observation, record));
  }
  if (continuity === 'same' || continuity === 'unknown') return decided;
  if (continuity === 'changed_terminal')
    return [
      ...decided,
      ...changedTerminal(observation),
      ...backAgain(observation),
      ...usedTerminal(observation),
    ];
  const unseen = isGap(observation) ? [unseenRecords(observation)] : [];
  const news = lastRecord.kind === 'record' ? findingsOfRecord(observation, lastRecord.record) : [];
  return [...decided, ...unseen, ...news];
}

/**
 * The newest thing that was done is not there: the terminal still shows the record from before it. A terminal that
 * closed the day and then shows the last payment is no contradiction, for some show nothing else; where that is a person's
 * word, the total of the batch has to be zero beside it.
 */
function undoneByBaseline(observation: Observation): Finding | null {
  const { protocol, ended, lastRecord } = observation;
  const newest = ended.find(({ outcome }) => isDone(outcome));
  if (newest === undefined || lastRecord.kind !== 'record') return null;
  const { operation, outcome, byPerson, discrepancies } = newest;
  if (discrepancies.includes('contradicted_outcome')) return null;
  if (operation.baseline.kind !== 'record' || (outcome === 'closed' && !byPerson)) return null;
  if (outcome === 'closed' && lastRecord.record.batchTotalMinor === 0) return null;
  const isSame = protocol.continuity(operation.baseline, lastRecord) === 'same';
  if (!isSame && !isSameUnnumbered(operation.baseline.record, lastRecord.record)) return null;
  // A void may have found that somebody had reversed the payment already.
  if (operation.kind === 'void' && isRecordOf(observation, newest, lastRecord.record)) return null;
  return {
    ...about('contradicted_outcome', operation, lastRecord.record),
    message: messages.undone(operation, outcome),
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

/**
 * What was called done has this very number, and the terminal says now that it was not done, or that it undid it. Where only
 * a person's word called a sale done, no number of its own is known: then it is the one right after its baseline, or after
 * what refused attempts have used up.
 */
function refusedAfterAll(observation: Observation, record: TerminalRecord): Finding[] {
  const { traceNumber } = record;
  if (record.approved || traceNumber === null) return [];
  const [newest] = observation.ended;
  const isInPlaceOf = (ended: EndedOperation) =>
    isPlaceAfter(observation, ended.operation, traceNumber, record) ||
    (ended === newest && observation.continuity === 'next' && mayBeOf(ended.operation, record));
  const called = observation.ended.find((ended) => {
    const { operation, outcome, byPerson, numbered, discrepancies } = ended;
    return (
      isDone(outcome) &&
      (numbered === null || numbered.traceNumber === null
        ? byPerson && operation.kind === 'sale' && isInPlaceOf(ended)
        : sameNumber(numbered.traceNumber, traceNumber) &&
          // Some terminals show a refused attempt under the number of what came before it.
          agreeIfTold(numbered.amountMinor, record.amountMinor)) &&
      !isOtherTerminal(operation, record) &&
      !discrepancies.includes('contradicted_outcome')
    );
  });
  if (called === undefined) return [];
  const { operation, outcome } = called;
  return [
    {
      ...about('contradicted_outcome', operation, record),
      message: messages.refusedAfterAll(operation, outcome, record),
    },
  ];
}

/**
 * The result of a sale told no amount, so it counts as approved at the one that was asked for; its record tells another.
 * Also one that a tip might make: whoever asked for the sale was told otherwise.
 */
function otherAmountThanAsked({ protocol, ended }: Observation, record: TerminalRecord): Finding[] {
  const shown: LastRecord = { kind: 'record', record };
  const untold = ended.find(
    ({ operation, outcome, result }) =>
      outcome === 'approved' &&
      result?.amountMinor === null &&
      !isOtherTerminal(operation, record) &&
      (protocol.continuity({ kind: 'record', record: result }, shown) === 'same' ||
        isSameUnnumbered(result, record)),
  );
  if (untold === undefined || untold.discrepancies.includes('amount_differs')) return [];
  return findingsOfAmountShown(untold.operation, record);
}

function contradiction({ operation, outcome }: EndedOperation, record: TerminalRecord): Finding {
  return {
    ...about('contradicted_outcome', operation, record),
    message: messages.contradicted(operation, outcome, record),
  };
}

function unexplained(observation: Observation, record: TerminalRecord): Finding | null {
  const { unsettled } = observation;
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
        message: messages.unexplainedPayment(record, observation.currency),
      };
    case 'reversal': {
      const reference = reversedPayment(observation, record);
      return {
        ...base,
        kind: 'unexplained_reversal',
        references: reference === null ? [] : [reference],
        message: messages.unexplainedReversal(reference, record, observation.currency),
      };
    }
    case 'batch_close':
      return {
        ...base,
        kind: 'unexplained_batch_close',
        references: referencesOf(unsettled),
        message: messages.unexplainedBatchClose(unsettled),
      };
    case 'other':
      return null;
  }
}

/** A terminal that was here before shows what was called undone. Of what others did to it meanwhile, nothing is known. */
function backAgain(observation: Observation): Finding[] {
  const { lastRecord } = observation;
  if (lastRecord.kind !== 'record' || !lastRecord.record.approved) return [];
  const { record } = lastRecord;
  const ours = observation.ended.find((ended) => isRecordOf(observation, ended, record));
  if (ours === undefined || isDone(ours.outcome) || ours.discrepancies.includes('contradicted_outcome'))
    return [];
  return [contradiction(ours, record)];
}

/**
 * A terminal that has worked before, and of which this journal knows nothing: in a journal that was put back from a
 * backup, what it did may be ours.
 */
function usedTerminal(observation: Observation): Finding[] {
  const { lastRecord, unsettled, currency } = observation;
  if (lastRecord.kind !== 'record' || unsettled.length > 0) return [];
  const { record } = lastRecord;
  // It is back, and has done nothing since.
  if (observation.ended.some((ended) => isRecordOf(observation, ended, record))) return [];
  return [
    {
      kind: 'changed_terminal',
      operationId: null,
      references: [],
      amountMinor: null,
      currency,
      record,
      message: messages.usedTerminal(record),
    },
  ];
}

/** A closed day may hide something that was done right before it. */
function isGap({ protocol, previous, lastRecord, continuity }: Observation): boolean {
  if (continuity !== 'batch' || lastRecord.kind !== 'record') return continuity === 'gap';
  const plain: LastRecord = { kind: 'record', record: { ...lastRecord.record, kind: 'other' } };
  return previous.kind === 'record' && protocol.continuity(previous, plain) === 'gap';
}
