/** What the response to a failed command says of the money: decided here alone, at the moment of responding. */
import type { Refusal, PaymentState } from '../../contract/errors.ts';
import { referencePattern } from '../../contract/request-forms.ts';
import type { MoneyCommand } from '../payments/index.ts';
import type { ListenerContext, NamedReference, RequestContext } from './listener-context.ts';

const moneyCommands: Readonly<Record<string, MoneyCommand>> = {
  '/CreatePayment': 'CreatePayment',
  '/VoidPayment': 'VoidPayment',
  '/SubmitBatch': 'SubmitBatch',
};

/** The path of a request target, which is a path with a query, or a whole URL. */
const pathPattern = /^(?:https?:\/\/[^/?#]*)?([^?#]*)/i;

/** The command that a request target asks for, known before anything has looked at the request; null for the others. */
export function moneyCommandOf(target: string | undefined): MoneyCommand | null {
  const path = pathPattern.exec(target ?? '')?.[1] ?? '';
  return Object.hasOwn(moneyCommands, path) ? (moneyCommands[path] ?? null) : null;
}

export function namedReference(body: Record<string, unknown>): NamedReference {
  if (!Object.hasOwn(body, 'retrieval_reference_number')) return { kind: 'none' };
  const reference = body['retrieval_reference_number'];
  return typeof reference === 'string' && referencePattern.test(reference)
    ? { kind: 'read', reference }
    : { kind: 'unread' };
}

/** Null for a command that moves no money. */
export function paymentStateOf(
  context: ListenerContext,
  { money, terminal }: RequestContext,
  { code, paymentState }: Refusal,
): PaymentState | null {
  if (money === null) return null;
  if (paymentState !== undefined) return paymentState;
  const { command, reference } = money;
  // After an internal error nobody knows how far it came.
  if (reference.kind === 'unread' || code === 'internal_error') return 'unknown';
  const { terminals } = context;
  const chosen = terminal ?? terminals.main;
  if (reference.kind === 'read') return terminals.paymentState(command, reference.reference, chosen);
  if (command === 'SubmitBatch') return chosen.payments.paymentState(command, null);
  // No earlier request had a reference that this one has not, and what was refused here was not journaled; only a
  // journal that failed may have more in it than it could say.
  return code === 'journal_unavailable' ? 'unknown' : 'not_started';
}
