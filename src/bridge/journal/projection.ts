/**
 * What an event changes in the rows that are asked for. Pure: it reads the rows as they are through a view, and gives the
 * changes; `tables.ts` carries them out. An event that cannot follow on the rows throws `JournalRuleError`.
 */
import type {
  JournalEvent,
  JournalEventOf,
  OperationStarted,
  SaleStarted,
} from '../../contract/journal-events.ts';
import {
  batchOutcomeSchema,
  saleOutcomeSchema,
  voidOutcomeSchema,
  type OperationKind,
  type OperationOutcome,
  type OperationPhase,
  type TransactionStatus,
} from '../../contract/operation.ts';
import type { Continuity, LastRecord, TerminalIdentity, TerminalTrait } from '../../contract/terminal.ts';
import { canonicalJson } from './chain.ts';
import { completeIdentity, JournalRuleError, terminalKey, type TerminalState } from './journal.ts';

/** The rows before the event. */
export interface ProjectionView {
  payment(transactionId: string): PaymentState | null;
  referenceIsKnown(reference: string): boolean;
  operation(operationId: string): OperationState | null;
  terminalState(): TerminalState;
  terminalShowsRecords(terminal: string): boolean;
  /** Null: there is none with this id. */
  discrepancyIsOpen(discrepancyId: string): boolean | null;
}

export interface PaymentState {
  position: number;
  transactionId: string;
  reference: string;
  status: TransactionStatus;
  epoch: number;
}

export interface OperationState {
  operationId: string;
  kind: OperationKind;
  phase: OperationPhase;
  paymentId: string | null;
}

export type Change =
  /** `terminal` is canonical JSON, as the row has it. */
  | { kind: 'payment_made'; sale: SaleStarted; terminal: string; epoch: number }
  /** `reason` null: the sentence stays as it is. */
  | { kind: 'payment_status'; position: number; status: TransactionStatus; reason: string | null }
  | { kind: 'payment_reason'; position: number; reason: string }
  /** The sale's end: the row refers to it for result and receipt lines. */
  | {
      kind: 'payment_completed';
      position: number;
      status: TransactionStatus;
      reason: string;
      epoch: number;
    }
  | { kind: 'payment_settled'; position: number; batchNumber: string | null; reason: string }
  | { kind: 'operation_made'; started: OperationStarted; paymentId: string | null; reference: string | null }
  | {
      kind: 'operation_phase';
      operationId: string;
      phase: OperationPhase;
      reason: string | null;
      hasResult: boolean;
    }
  | { kind: 'operation_evidence'; operationId: string; needsDecision: boolean; reason: string }
  | { kind: 'operation_cancel'; operationId: string }
  | {
      kind: 'operation_ended';
      operationId: string;
      outcome: OperationOutcome;
      reason: string;
      hasResult: boolean;
    }
  /** Terminal and record are canonical JSON, as the row has them. */
  | {
      kind: 'terminal_state';
      terminal: string | null;
      lastRecord: string;
      epoch: number;
      batchEpoch: number;
      closedBatches: 0 | 1;
    }
  | { kind: 'terminal_shows_records'; terminal: string }
  | { kind: 'terminal_trait'; terminal: string; trait: TerminalTrait }
  | { kind: 'discrepancy_made'; discrepancyId: string; references: string[] }
  | { kind: 'discrepancy_acknowledged'; discrepancyId: string };

/** Every change of a payment's status that there is. */
export const mayBecome: Record<TransactionStatus, readonly TransactionStatus[]> = {
  in_progress: ['approved', 'declined', 'cancelled', 'failed', 'unknown'],
  approved: ['voiding', 'settled'],
  declined: [],
  cancelled: [],
  failed: [],
  unknown: ['approved', 'declined', 'cancelled', 'failed'],
  voiding: ['voided', 'approved'],
  voided: [],
  settled: [],
};

export function project(event: JournalEvent, view: ProjectionView): Change[] {
  switch (event.type) {
    case 'operation_started':
      return started(event, view);
    case 'cancel_requested':
      return [{ kind: 'operation_cancel', operationId: openOperation(event, view).operationId }];
    case 'result_received': {
      const { operationId, phase } = openOperation(event, view);
      const next = phase === 'in_doubt' ? 'in_doubt' : 'result_received';
      return [{ kind: 'operation_phase', operationId, phase: next, reason: null, hasResult: true }];
    }
    case 'operation_in_doubt':
      return inDoubt(event, view);
    case 'evidence_found': {
      const { operationId } = openOperation(event, view);
      const { needsPerson: needsDecision, evidence } = event;
      return [{ kind: 'operation_evidence', operationId, needsDecision, reason: evidence.explanation }];
    }
    case 'operation_ended':
      return ended(event, view);
    case 'terminal_ready': {
      const before = view.terminalState();
      // The same record shown again may have less in it, and a terminal that shows none does not take back ours.
      const known = event.continuity === 'same' && before.lastRecord.kind === 'record';
      const lastRecord = known ? before.lastRecord : event.lastRecord;
      return [
        seen(event.terminal, lastRecord, event.continuity, before),
        ...showsRecords(event.terminal, event.lastRecord, view),
      ];
    }
    case 'record_seen': {
      const before = view.terminalState();
      return [
        seen(before.terminal, event.lastRecord, event.continuity, before),
        ...(event.source === 'terminal' ? showsRecords(before.terminal, event.lastRecord, view) : []),
      ];
    }
    case 'result_acknowledged':
      openOperation(event, view);
      return [];
    case 'late_result_received':
      if (view.operation(event.operationId) === null) {
        throw rule(`${event.type}: there is no operation ${event.operationId}.`);
      }
      return [];
    case 'terminal_trait_learned': {
      const terminal = terminalKey(event.terminal);
      return terminal === null ? [] : [{ kind: 'terminal_trait', terminal, trait: event.trait }];
    }
    case 'discrepancy_found': {
      const { discrepancyId } = event;
      if (view.discrepancyIsOpen(discrepancyId) !== null) {
        throw rule(`Discrepancy ${discrepancyId} was found before.`);
      }
      return [{ kind: 'discrepancy_made', discrepancyId, references: [...new Set(event.references)] }];
    }
    case 'discrepancy_acknowledged': {
      const { discrepancyId } = event;
      if (view.discrepancyIsOpen(discrepancyId) !== true) {
        throw rule(`There is no open discrepancy ${discrepancyId}.`);
      }
      return [{ kind: 'discrepancy_acknowledged', discrepancyId }];
    }
    case 'terminal_lost':
    case 'journal_opened':
    case 'journal_repaired':
      return [];
  }
}

function started(event: OperationStarted, view: ProjectionView): Change[] {
  if (view.operation(event.operationId) !== null)
    throw rule(`Operation ${event.operationId} was started before.`);
  switch (event.kind) {
    case 'sale': {
      if (view.referenceIsKnown(event.reference))
        throw rule(`Reference ${event.reference} has a payment already.`);
      const { epoch } = view.terminalState();
      return [
        { kind: 'payment_made', sale: event, terminal: canonicalJson(event.terminal), epoch },
        operationMade(event, event.operationId, event.reference),
      ];
    }
    case 'void': {
      const payment = paymentOf(event.paymentId, view);
      if (payment.reference !== event.reference) {
        throw rule(
          `Void ${event.operationId} names reference ${event.reference}, its payment ${payment.reference}.`,
        );
      }
      return [changeStatus(payment, 'voiding', null), operationMade(event, event.paymentId, event.reference)];
    }
    case 'batch_close':
      return [operationMade(event, null, null)];
  }
}

function operationMade(
  started: OperationStarted,
  paymentId: string | null,
  reference: string | null,
): Change {
  return { kind: 'operation_made', started, paymentId, reference };
}

function inDoubt(event: JournalEventOf<'operation_in_doubt'>, view: ProjectionView): Change[] {
  const operation = openOperation(event, view);
  const { operationId, kind, paymentId } = operation;
  const changes: Change[] = [
    { kind: 'operation_phase', operationId, phase: 'in_doubt', reason: event.reason, hasResult: false },
  ];
  if (paymentId !== null) {
    const payment = paymentOf(paymentId, view);
    const status = kind === 'sale' ? 'unknown' : 'voiding';
    changes.push(
      payment.status === status
        ? { kind: 'payment_reason', position: payment.position, reason: event.reason }
        : changeStatus(payment, status, event.reason),
    );
  }
  return changes;
}

function ended(event: JournalEventOf<'operation_ended'>, view: ProjectionView): Change[] {
  const operation = openOperation(event, view);
  const { operationId } = operation;
  const { outcome, reason } = event;
  return [
    { kind: 'operation_ended', operationId, outcome, reason, hasResult: event.result !== null },
    ...consequences(event, operation, view),
  ];
}

function consequences(
  event: JournalEventOf<'operation_ended'>,
  operation: OperationState,
  view: ProjectionView,
): Change[] {
  const closed = event.outcome === 'closed';
  if (event.settled.length > 0 && !closed)
    throw rule(`Operation ${event.operationId} settles without a closed batch.`);
  const outcomes = { sale: saleOutcomeSchema, void: voidOutcomeSchema, batch_close: batchOutcomeSchema };
  if (!outcomes[operation.kind].safeParse(event.outcome).success) {
    throw rule(`Operation ${event.operationId} is a ${operation.kind} and cannot end as ${event.outcome}.`);
  }
  switch (operation.kind) {
    case 'sale':
      return [completed(event, operation, view)];
    case 'void': {
      const payment = paymentOf(operation.paymentId, view);
      return [changeStatus(payment, event.outcome === 'voided' ? 'voided' : 'approved', event.reason)];
    }
    case 'batch_close':
      return closed ? settle(event, view) : [];
  }
}

/**
 * A payment takes the epoch of the moment in which it becomes approved. One that was in doubt keeps the epoch in which
 * it was started: a batch may have been closed between then and the answer, and a receipt number of an older batch must
 * not be taken for one of the open batch.
 */
function completed(
  event: JournalEventOf<'operation_ended'>,
  operation: OperationState,
  view: ProjectionView,
): Change {
  const payment = paymentOf(operation.paymentId, view);
  const status = event.outcome as TransactionStatus;
  demandLegal(payment, status);
  const epoch =
    status === 'approved' && operation.phase !== 'in_doubt' ? view.terminalState().epoch : payment.epoch;
  return {
    kind: 'payment_completed',
    position: payment.position,
    status,
    reason: event.reason,
    epoch,
  };
}

function settle(event: JournalEventOf<'operation_ended'>, view: ProjectionView): Change[] {
  const batchNumber = event.batch?.batchNumber ?? null;
  if (new Set(event.settled).size !== event.settled.length) {
    throw rule(`Batch ${event.operationId} settles a payment twice.`);
  }
  const settled = event.settled.map((transactionId): Change => {
    const payment = paymentOf(transactionId, view);
    demandLegal(payment, 'settled');
    return { kind: 'payment_settled', position: payment.position, batchNumber, reason: event.reason };
  });
  const state = view.terminalState();
  const epoch = state.epoch + 1;
  return [...settled, terminalState({ ...state, epoch, batchEpoch: epoch }, 1)];
}

function terminalState(
  { terminal, lastRecord, epoch, batchEpoch }: TerminalState,
  closedBatches: 0 | 1,
): Change {
  return {
    kind: 'terminal_state',
    terminal: terminal === null ? null : canonicalJson(terminal),
    lastRecord: canonicalJson(lastRecord),
    epoch,
    batchEpoch,
    closedBatches,
  };
}

function seen(
  terminal: TerminalIdentity | null,
  lastRecord: LastRecord,
  continuity: Continuity,
  before: TerminalState,
): Change {
  const boundary = continuity === 'batch' || continuity === 'changed_terminal';
  const epoch = boundary || continuity === 'gap' ? before.epoch + 1 : before.epoch;
  const batchEpoch = boundary ? epoch : before.batchEpoch;
  const complete = terminal === null ? null : completeIdentity(terminal, lastRecord, before.terminal);
  return terminalState({ terminal: complete, lastRecord, epoch, batchEpoch }, 0);
}

/** A record that the terminal itself has shown: from now on it counts when this terminal shows none. */
function showsRecords(
  terminal: TerminalIdentity | null,
  lastRecord: LastRecord,
  view: ProjectionView,
): Change[] {
  if (terminal === null || lastRecord.kind !== 'record') return [];
  const key = terminalKey(completeIdentity(terminal, lastRecord, view.terminalState().terminal));
  return key === null || view.terminalShowsRecords(key)
    ? []
    : [{ kind: 'terminal_shows_records', terminal: key }];
}

function changeStatus(payment: PaymentState, status: TransactionStatus, reason: string | null): Change {
  demandLegal(payment, status);
  return { kind: 'payment_status', position: payment.position, status, reason };
}

function demandLegal(payment: PaymentState, status: TransactionStatus): void {
  if (mayBecome[payment.status].includes(status)) return;
  throw rule(`Payment ${payment.transactionId} is ${payment.status} and cannot become ${status}.`);
}

function openOperation(event: { type: string; operationId: string }, view: ProjectionView): OperationState {
  const operation = view.operation(event.operationId);
  if (operation === null) throw rule(`${event.type}: there is no operation ${event.operationId}.`);
  if (operation.phase === 'ended') throw rule(`${event.type}: operation ${event.operationId} has ended.`);
  return operation;
}

function paymentOf(transactionId: string | null, view: ProjectionView): PaymentState {
  const payment = transactionId === null ? null : view.payment(transactionId);
  if (payment === null) throw rule(`There is no payment ${transactionId ?? 'of this operation'}.`);
  return payment;
}

function rule(message: string): JournalRuleError {
  return new JournalRuleError(message);
}
