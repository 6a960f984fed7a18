/**
 * The rows of the current operation and of the current sale's payment, as the journal has just written them: column by
 * column what `tables.ts` makes of the same changes. Pure. Only the plain way of an operation is followed (started,
 * cancelled, its result, its end); whatever else happens to a row gives null, and it is read from its table again.
 */
import type { EventRow } from './chain.ts';
import type { Change } from './projection.ts';
import type { OperationSql, PaymentSql } from './rows.ts';

/** The payment's row after `change`, which the event `row` makes. */
export function paymentAfter(
  payment: PaymentSql | null,
  change: Change,
  { seq, at, body }: EventRow,
): PaymentSql | null {
  switch (change.kind) {
    case 'payment_made': {
      const { sale, terminal, epoch } = change;
      return kept({
        position: seq,
        transaction_id: sale.operationId,
        reference: sale.reference,
        condition_code: sale.conditionCode,
        amount_minor: sale.amountMinor,
        currency: sale.currency,
        status: 'in_progress',
        simulated: sale.simulated ? 1 : 0,
        terminal,
        epoch,
        created_at: at,
        updated_at: at,
        completed_at: null,
        reason: '',
        batch_number: null,
        ended: null,
      });
    }
    case 'payment_completed': {
      if (payment?.position !== change.position) return payment;
      const { status, reason, epoch } = change;
      return kept({ ...payment, status, reason, epoch, updated_at: at, completed_at: at, ended: body });
    }
    case 'payment_status':
    case 'payment_reason':
    case 'payment_settled':
      return payment?.position === change.position ? null : payment;
    case 'operation_made':
    case 'operation_phase':
    case 'operation_evidence':
    case 'operation_cancel':
    case 'operation_ended':
    case 'terminal_state':
    case 'terminal_shows_records':
    case 'terminal_trait':
    case 'discrepancy_made':
    case 'discrepancy_acknowledged':
      return payment;
  }
}

/** The operation's row after `change`, which the event `row` makes. */
export function operationAfter(
  operation: OperationSql | null,
  change: Change,
  { seq, at, body }: EventRow,
): OperationSql | null {
  switch (change.kind) {
    case 'operation_made': {
      const { started, paymentId, reference } = change;
      return kept({
        position: seq,
        operation_id: started.operationId,
        kind: started.kind,
        phase: 'started',
        outcome: null,
        payment_id: paymentId,
        reference,
        reason: '',
        needs_person: 0,
        cancel_requested: 0,
        started_at: at,
        ended_at: null,
        started: body,
        with_result: null,
      });
    }
    case 'operation_phase': {
      if (operation?.operation_id !== change.operationId) return operation;
      if (change.phase !== 'result_received' || change.reason !== null) return null;
      return { ...operation, phase: change.phase, with_result: body };
    }
    case 'operation_ended': {
      if (operation?.operation_id !== change.operationId) return operation;
      const { outcome, reason, hasResult } = change;
      const with_result = hasResult ? body : operation.with_result;
      return kept({
        ...operation,
        phase: 'ended',
        outcome,
        reason,
        needs_person: 0,
        ended_at: at,
        with_result,
      });
    }
    case 'operation_cancel':
      return operation?.operation_id === change.operationId
        ? { ...operation, cancel_requested: 1 }
        : operation;
    case 'operation_evidence':
      return operation?.operation_id === change.operationId ? null : operation;
    case 'payment_made':
    case 'payment_completed':
    case 'payment_status':
    case 'payment_reason':
    case 'payment_settled':
    case 'terminal_state':
    case 'terminal_shows_records':
    case 'terminal_trait':
    case 'discrepancy_made':
    case 'discrepancy_acknowledged':
      return operation;
  }
}

/** SQLite keeps text as UTF-8, which has no form for half a surrogate pair. */
function kept<T extends object>(row: T): T | null {
  const asWritten = Object.values(row).every((value) => typeof value !== 'string' || value.isWellFormed());
  return asWritten ? row : null;
}
