/**
 * Where what the terminal says and what the journal says do not agree. Here: what a result of ours brings to light; what a
 * poll of the idle terminal does is in `poll-discrepancies.ts`. Pure. Each is found once, because it is found where a
 * record is new, or where an operation has none of its kind yet.
 */
import {
  maxDiscrepancyReferences,
  type Discrepancy,
  type DiscrepancyKind,
} from '../../contract/discrepancy.ts';
import type { BatchStarted, JournalEvent, OperationStarted } from '../../contract/journal-events.ts';
import type { Currency } from '../../contract/money.ts';
import type { Continuity, LastRecord, TerminalRecord } from '../../contract/terminal.ts';
import type { PaymentRow } from '../journal/index.ts';
import * as messages from './discrepancy-messages.ts';
import type { EndedOperation } from './history.ts';
import type { Settlement } from './operation-machine.ts';

/** A discrepancy before it has a number. */
export type Finding = Omit<Discrepancy, 'discrepancyId'>;

/** A record, and what was unsettled when it was seen. */
export interface SeenRecord {
  lastRecord: LastRecord;
  /** How it follows on what was known before. */
  continuity: Continuity;
  /** Payments of ours that the terminal's open batch holds as far as was known. */
  unsettled: PaymentRow[];
  /** Of amounts that the terminal names without one. */
  currency: Currency;
}

/** A finding with a number of its own, for the journal. */
export function asJournalEvent(finding: Finding, uuid: () => string): JournalEvent {
  return { type: 'discrepancy_found', ...finding, discrepancyId: uuid() };
}

/** What lay between our own result and what was known before it. */
export function findingsOfResult(seen: SeenRecord): Finding[] {
  switch (seen.continuity) {
    case 'gap':
      return [unseenRecords(seen)];
    case 'changed_terminal':
      return changedTerminal(seen);
    case 'batch':
      return closedBefore(seen);
    case 'same':
    case 'next':
    case 'unknown':
      return [];
  }
}

/** Our payment shows by its numbers that the batch before it was closed. */
function closedBefore({ lastRecord, unsettled, currency }: SeenRecord): Finding[] {
  if (lastRecord.kind !== 'record') return [];
  const { record } = lastRecord;
  return [
    {
      kind: 'unexplained_batch_close',
      operationId: null,
      references: referencesOf(unsettled),
      amountMinor: null,
      currency,
      record,
      message: messages.batchClosedBefore(record, unsettled),
    },
  ];
}

/** The terminal charged another amount than was asked, beyond what the sale allows as a tip. */
export function findingsOfAmount(operation: OperationStarted, record: TerminalRecord | null): Finding[] {
  return otherAmount(operation, record, messages.otherAmount);
}

/** The same where the sale had ended at the amount that was asked for, because its result told none. */
export function findingsOfAmountShown(operation: OperationStarted, record: TerminalRecord): Finding[] {
  // In another currency the number says nothing.
  if (operation.kind !== 'sale' || (record.currency !== null && record.currency !== operation.currency))
    return [];
  const { maxAmountMinor: _, ...exactly } = operation;
  return otherAmount(exactly, record, messages.otherAmount);
}

/** The same where the result was refused, so that the terminal undoes what it charged. Told before it can do so. */
export function findingsOfRefusedResult(operation: OperationStarted, record: TerminalRecord): Finding[] {
  // What is not a payment in our currency was refused for that, and the amount says nothing.
  if (record.kind !== 'payment' || (record.currency !== null && record.currency !== operation.currency))
    return [];
  return otherAmount(operation, record, messages.otherAmountRefused);
}

function otherAmount(
  operation: OperationStarted,
  record: TerminalRecord | null,
  messageOf: typeof messages.otherAmount,
): Finding[] {
  const charged = record?.amountMinor ?? null;
  if (operation.kind !== 'sale' || charged === null) return [];
  const { amountMinor, maxAmountMinor = amountMinor, currency, reference } = operation;
  if (charged >= amountMinor && charged <= maxAmountMinor) return [];
  return [
    {
      kind: 'amount_differs',
      operationId: operation.operationId,
      references: [reference],
      amountMinor: charged,
      currency,
      record,
      message: messageOf(operation, charged),
    },
  ];
}

/** The totals of a close are not the journal's, or not all that was expected is in it. `record`: null by a person's word. */
export function findingsOfBatch(
  operation: OperationStarted,
  { batch, inQuestion, unexplained, mayBeOthers }: Settlement,
  record: TerminalRecord | null,
): Finding[] {
  if (unexplained.length === 0 && inQuestion.length === 0) return [];
  const { currency } = batch;
  const differences = batch.differences.filter(({ scheme }) => unexplained.includes(scheme));
  const differing = differences.reduce(
    (sum, { terminalTotalMinor, journalTotalMinor }) => sum + journalTotalMinor - terminalTotalMinor,
    0,
  );
  return [
    {
      kind: 'batch_differs',
      operationId: operation.operationId,
      references: inQuestion.slice(0, maxDiscrepancyReferences),
      amountMinor: Math.abs(differing),
      currency,
      record,
      message: messages.batchDiffers({
        differences,
        inQuestion,
        currency,
        mayBeOthers,
        byPerson: record === null,
      }),
    },
  ];
}

/** Payments that were taken after a close whose end comes to light only now. */
export function findingsBehindClose(
  { operationId, currency }: BatchStarted,
  behind: PaymentRow[],
): Finding[] {
  return chunksOf(behind).map((payments) => ({
    kind: 'batch_differs',
    operationId,
    references: referencesOf(payments),
    amountMinor: null,
    currency,
    record: null,
    message: messages.behindClose(payments),
  }));
}

/** `payment` was in doubt when this boundary was passed, and is approved only now. */
export function findingBehindBoundary(
  { operationId }: OperationStarted,
  { reference, amountMinor, currency }: PaymentRow,
  kind: 'unexplained_batch_close' | 'changed_terminal',
): Finding {
  return {
    kind,
    operationId,
    references: [reference],
    amountMinor,
    currency,
    record: null,
    message: messages.behindBoundary(reference),
  };
}

interface HeldPayment {
  payment: PaymentRow;
  /** What the terminal holds of it. */
  record: TerminalRecord;
}

/**
 * Before a close: payments that it was to settle are not in the batch, or at another amount than they were approved at, or
 * nothing says that they are.
 */
export function findingsBeforeClose(
  { operationId, currency }: BatchStarted,
  found: { undone: HeldPayment[]; differing: HeldPayment[]; untold: PaymentRow[] },
): Finding[] {
  const { undone, differing, untold } = found;
  const about = { operationId, currency };
  return [
    ...undone.map(({ payment, record }) => ({
      ...about,
      kind: 'unexplained_reversal' as const,
      references: [payment.reference],
      amountMinor: record.amountMinor ?? payment.result?.amountMinor ?? payment.amountMinor,
      record,
      message: messages.undoneBeforeClose(payment.reference, record, currency),
    })),
    ...differing.map(({ payment, record }) => ({
      ...about,
      kind: 'amount_differs' as const,
      references: [payment.reference],
      amountMinor: record.amountMinor,
      currency: record.currency ?? currency,
      record,
      message: messages.differingBeforeClose(payment, record),
    })),
    ...chunksOf(untold).map((payments) => ({
      ...about,
      kind: 'batch_differs' as const,
      references: referencesOf(payments),
      amountMinor: null,
      record: null,
      message: messages.untoldBeforeClose(payments),
    })),
  ];
}

/** A discrepancy names so many payments only. */
function chunksOf(payments: PaymentRow[]): PaymentRow[][] {
  return Array.from({ length: Math.ceil(payments.length / maxDiscrepancyReferences) }, (_, part) =>
    payments.slice(part * maxDiscrepancyReferences, (part + 1) * maxDiscrepancyReferences),
  );
}

/** A result that came after the operation was decided, and says the opposite. `undoes`: see `undoesUnacknowledged`. */
export function findingOfLateResult(ended: EndedOperation, record: TerminalRecord, undoes: boolean): Finding {
  return {
    ...about('late_result_refused', ended.operation, record),
    message: messages.lateResult(ended.operation, ended.outcome, record, undoes),
  };
}

/** A result that may be of an operation that has ended without one; what was done before it nobody has seen. */
export function findingOfUnplacedResult(
  ended: EndedOperation,
  record: TerminalRecord,
  undoes: boolean,
): Finding {
  return {
    ...about('late_result_refused', ended.operation, record),
    message: messages.unplacedResult(ended.operation, ended.outcome, record, undoes),
  };
}

/** A payment that belongs to no operation, on a terminal that keeps it all the same. */
export function findingOfNobodysPayment(record: TerminalRecord, currency: Currency): Finding {
  return {
    kind: 'unexplained_payment',
    operationId: null,
    references: [],
    amountMinor: record.amountMinor,
    currency: record.currency ?? currency,
    record,
    message: messages.nobodysPayment(record, currency),
  };
}

/** A payment in doubt was refused, and is reported as approved after that. */
export function findingOfApprovalAfterRefusal(operation: OperationStarted, record: TerminalRecord): Finding {
  return {
    ...about('contradicted_outcome', operation, record),
    message: messages.approvedAfterRefusal(operation, record),
  };
}

/** A result that may be of any of these operations, of which a person had ended this one. */
export function findingOfSeveral(
  { operation, outcome }: EndedOperation,
  all: readonly OperationStarted[],
  record: TerminalRecord,
): Finding {
  return {
    ...about('late_result_refused', operation, record),
    message: `${messages.resultOfSeveral(all, record)} ${messages.recordedAs(operation, outcome)}`,
  };
}

export function unseenRecords({ lastRecord, unsettled, currency }: SeenRecord): Finding {
  const record = lastRecord.kind === 'record' ? lastRecord.record : null;
  return {
    kind: 'unseen_records',
    operationId: null,
    references: referencesOf(unsettled),
    amountMinor: null,
    currency,
    record,
    message: messages.unseenRecords(record, unsettled),
  };
}

export function changedTerminal({ lastRecord, unsettled, currency }: SeenRecord): Finding[] {
  if (unsettled.length === 0) return [];
  return [
    {
      kind: 'changed_terminal',
      operationId: null,
      references: referencesOf(unsettled),
      amountMinor: unsettled.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
      currency,
      record: lastRecord.kind === 'record' ? lastRecord.record : null,
      message: messages.changedTerminal(unsettled),
    },
  ];
}

export function about(
  kind: DiscrepancyKind,
  operation: OperationStarted,
  record: TerminalRecord | null,
): Omit<Finding, 'message'> {
  const isBatch = operation.kind === 'batch_close';
  return {
    kind,
    operationId: operation.operationId,
    references: isBatch ? [] : [operation.reference],
    amountMinor: isBatch ? (record?.amountMinor ?? null) : operation.amountMinor,
    currency: operation.currency,
    record,
  };
}

export function referencesOf(payments: PaymentRow[]): string[] {
  return payments.slice(0, maxDiscrepancyReferences).map(({ reference }) => reference);
}
