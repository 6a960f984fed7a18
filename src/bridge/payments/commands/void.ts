/** VoidPayment: reverses exactly one approved payment that the terminal certainly still knows. */
import { refuse, type Result } from '../../../contract/errors.ts';
import { shownReference } from '../../../log/index.ts';
import type { OperationRow, PaymentRow } from '../../journal/index.ts';
import { expectedBatch, sameTerminal } from '../batch.ts';
import { terminalReferenceOf } from '../terminal-reference.ts';
import {
  drawTerminalReference,
  obstacle,
  refused,
  undecided,
  type CommandView,
  type Decision,
  type JournalView,
} from './decision.ts';

export interface VoidResult {
  payment: PaymentRow;
  repeated: boolean;
}

export function decideVoid(view: CommandView, reference: string): Decision<VoidResult> {
  const { journal } = view;
  const payment = journal.paymentByReference(reference);
  if (payment === null)
    return refused('payment_not_found', `There is no payment ${shownReference(reference)}.`);
  if (payment.status === 'voided') return { kind: 'answer', value: { payment, repeated: true } };
  if (payment.status === 'voiding') return { kind: 'join', operationId: openVoidOf(journal, payment) };
  const refusal = notVoidable(view, payment);
  if (refusal !== null) return refusal;
  const inTheWay = obstacle(view, 'payment');
  if (inTheWay !== null) return inTheWay;
  const named = {
    amountMinor: payment.result?.amountMinor ?? payment.amountMinor,
    currency: payment.currency,
    receiptNumber: payment.result?.receiptNumber ?? '',
    traceNumber: payment.result?.traceNumber ?? null,
  };
  const drawn = drawTerminalReference(view);
  const original = terminalReferenceOf(journal, payment.transactionId);
  const { approvalCode = null, batchNumber = null } = payment.result ?? {};
  const order = {
    ...named,
    ...drawn,
    terminalId: payment.result?.terminalId ?? payment.terminal.terminalId,
    ...(original === null ? {} : { originalTerminalReference: original }),
    ...(approvalCode === null ? {} : { originalApprovalCode: approvalCode }),
    ...(batchNumber === null ? {} : { originalBatchNumber: batchNumber }),
  };
  return {
    kind: 'begin',
    operation: {
      ...view.newOperation(),
      ...named,
      ...drawn,
      type: 'operation_started',
      kind: 'void',
      paymentId: payment.transactionId,
      reference,
    },
    order: (driver, watch) => driver.void(order, watch),
  };
}

/** `neverSent`: not one byte of it could be written. */
export function endOfVoid(
  journal: JournalView,
  row: OperationRow,
  repeated: boolean,
  neverSent: boolean,
): Result<VoidResult> {
  const payment = row.paymentId === null ? null : journal.payment(row.paymentId);
  if (payment === null) throw new Error('a void has lost its payment');
  if (row.outcome === 'voided') return { ok: true, value: { payment, repeated } };
  if (row.outcome === 'not_voided') {
    return refuse(
      neverSent ? 'terminal_unavailable' : 'void_declined',
      `Payment ${payment.reference} was not voided and stays approved: ${row.reason}`,
    );
  }
  return undecided(row, `the void of payment ${payment.reference}`);
}

/** Why a payment cannot be voided; a changed terminal or an unexplained boundary is refused, never guessed. */
function notVoidable(
  { journal, protocol }: CommandView,
  payment: PaymentRow,
): Extract<Decision<never>, { kind: 'refuse' }> | null {
  if (payment.status === 'settled') {
    return refused(
      'payment_already_settled',
      `Payment ${payment.reference} is in batch ${payment.batchNumber ?? ''} that was submitted. It can only be refunded.`,
    );
  }
  const no = (sentence: string) => refused('payment_not_voidable', sentence);
  if (payment.status !== 'approved') {
    return no(`Payment ${payment.reference} is ${payment.status}, not approved.`);
  }
  const state = journal.terminalState();
  const byHand = 'Reverse or refund it at the terminal by hand, and note it.';
  if (payment.result === null || payment.result.receiptNumber === null) {
    return no(`The terminal’s receipt number of payment ${payment.reference} is not known. ${byHand}`);
  }
  if (!sameTerminal(payment, state)) {
    return no(`Payment ${payment.reference} was made on another terminal. ${byHand}`);
  }
  if (payment.epoch !== state.epoch) {
    return no(
      `The terminal did things since payment ${payment.reference} that the bridge has not seen (a closed day, or use by ` +
        `hand), so its receipt number may mean another payment. ${byHand}`,
    );
  }
  const later = expectedBatch(journal).flatMap(({ position, result }) =>
    position > payment.position && result !== null ? [result] : [],
  );
  const cannot = protocol.refuseVoid?.(payment.result, state.lastRecord, later) ?? null;
  return cannot === null ? null : no(`Payment ${payment.reference} cannot be voided: ${cannot}`);
}

function openVoidOf(journal: JournalView, payment: PaymentRow): string {
  const open = journal
    .openOperations()
    .find((row) => row.kind === 'void' && row.paymentId === payment.transactionId);
  if (open === undefined) throw new Error(`payment ${payment.transactionId} is voiding without an open void`);
  return open.operationId;
}
