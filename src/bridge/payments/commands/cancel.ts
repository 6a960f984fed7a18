/** CancelPayment: what it means for the sale on the terminal, and what its end then says. */
import { refuse, type Result } from '../../../contract/errors.ts';
import type { SaleStarted } from '../../../contract/journal-events.ts';
import { shownReference } from '../../../log/index.ts';
import type { PaymentRow } from '../../journal/index.ts';
import { refused, type CommandView, type Decision } from './decision.ts';

/** The sale that is to be stopped; or why there is none, or why it cannot be. `sent`: the terminal has it already. */
export function decideCancel(
  { current, protocol, sent }: Pick<CommandView, 'current' | 'protocol'> & { sent: boolean },
  reference: string | null,
): Extract<Decision<never>, { kind: 'refuse' }> | { kind: 'stop'; sale: SaleStarted } {
  if (current?.kind !== 'sale') {
    return refused('no_payment_in_progress', 'No payment is in progress on the terminal.');
  }
  if (reference !== null && reference !== current.reference) {
    return refused(
      'reference_mismatch',
      `The payment on the terminal is ${current.reference}, not ${shownReference(reference)}. Nothing was sent.`,
    );
  }
  if (sent && protocol.cannotCancel !== undefined) {
    return refused('cancel_not_possible', `Payment ${current.reference} goes on: ${protocol.cannotCancel}`);
  }
  return { kind: 'stop', sale: current };
}

/** What a payment's status says about the wish to stop it. */
export function endOfCancel(payment: PaymentRow): Result<{ payment: PaymentRow }> {
  switch (payment.status) {
    case 'cancelled':
    case 'declined':
    case 'failed':
      return { ok: true, value: { payment } };
    case 'in_progress':
    case 'unknown':
      return refuse(
        'terminal_timeout',
        `The terminal has not confirmed that payment ${payment.reference} is stopped. Query it before anything else.`,
      );
    case 'approved':
    case 'voiding':
    case 'voided':
    case 'settled':
      return refuse(
        'cancel_too_late',
        `Payment ${payment.reference} was approved before it could be stopped. Void it if it is not wanted.`,
      );
  }
}
