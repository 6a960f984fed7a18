/** CreatePayment, CancelPayment and VoidPayment. */
import { randomInt } from 'node:crypto';
import { cancelWaitS, conditionCodeSchema, referencePattern } from '../../contract/commands.ts';
import { refuse, refuseField, type Answer, type Refusal } from '../../contract/errors.ts';
import { formatAmount, parseAmount } from '../../contract/money.ts';
import type { Journal, PaymentRow } from '../journal/journal.ts';
import { holdsCardNumber } from '../log/mask.ts';
import { sameTerminal } from './batch.ts';
import { afterHousekeeping, tryToBegin, undecided, type CommandContext } from './command-context.ts';

const defaultConditionCode = '00';

export async function createCommand(
  context: CommandContext,
  request: { amount: string; reference: string | null; conditionCode: string | null },
): Promise<Answer<{ payment: PaymentRow; repeated: boolean }>> {
  const { journal, currency } = context;
  const parsed = parseAmount(request.amount, currency);
  if (!parsed.ok) return refuseField('amount', parsed.message);
  const { amountMinor } = parsed;
  const conditionCode = request.conditionCode ?? defaultConditionCode;
  if (!conditionCodeSchema.safeParse(conditionCode).success) {
    return refuseField('condition_code', 'must be 1 to 8 letters or digits, such as "00"');
  }
  const reference = request.reference ?? (context.makeReferences ? makeReference(journal) : null);
  const wrong = reference === null ? missingReference : wrongReference(reference);
  if (wrong !== null || reference === null)
    return refuseField('retrieval_reference_number', wrong ?? missingReference);

  return afterHousekeeping(context, () => {
    const known = journal.paymentByReference(reference);
    if (known !== null) return repeatOf(known, amountMinor, conditionCode, currency);
    const claim = context.claim('payment');
    if (!('kind' in claim) || claim.kind === 'housekeeping') return claim;
    const operation = {
      ...context.newOperation(),
      type: 'operation_started' as const,
      kind: 'sale' as const,
      reference,
      conditionCode,
      amountMinor,
      currency,
    };
    const failure = tryToBegin(context, claim, operation, (driver, watch) =>
      driver.sale({ amountMinor, maxAmountMinor: amountMinor, currency }, watch),
    );
    if (failure !== null) return failure;
    const payment = journal.paymentByReference(reference);
    if (payment === null) throw new Error('a journaled payment cannot be found');
    return { ok: true as const, value: { payment, repeated: false } };
  });
}

const missingReference =
  'is required: it is the key under which a repeated request is recognised, and without it a repeat would be a second sale';

function wrongReference(reference: string): string | null {
  if (!referencePattern.test(reference))
    return 'must be 1 to 40 characters of A–Z, a–z, 0–9, ".", "_" and "-"';
  if (holdsCardNumber(reference))
    return 'has a card number in it, which is never stored; use the number of the sale';
  return null;
}

function makeReference(journal: Journal): string {
  for (;;) {
    const reference = randomInt(1, 10 ** 12)
      .toString()
      .padStart(12, '0');
    if (journal.paymentByReference(reference) === null) return reference;
  }
}

function repeatOf(
  known: PaymentRow,
  amountMinor: number,
  conditionCode: string,
  currency: PaymentRow['currency'],
): Answer<{ payment: PaymentRow; repeated: boolean }> {
  if (
    known.amountMinor === amountMinor &&
    known.conditionCode === conditionCode &&
    known.currency === currency
  ) {
    return { ok: true, value: { payment: known, repeated: true } };
  }
  return refuse(
    'reference_conflict',
    `Reference ${known.reference} was used for ${formatAmount(known.amountMinor, known.currency)} ${known.currency} ` +
      `with condition code ${known.conditionCode}. Use a new reference for another payment.`,
  );
}

export async function cancelCommand(
  context: CommandContext,
  reference: string | null,
): Promise<Answer<{ payment: PaymentRow }>> {
  const operation = context.inHand();
  if (operation?.kind !== 'sale')
    return refuse('no_payment_in_progress', 'No payment is in progress on the terminal.');
  if (reference !== null && reference !== operation.reference) {
    return refuse(
      'reference_mismatch',
      `The payment on the terminal is ${operation.reference}, not ${reference}. Nothing was sent.`,
    );
  }
  context.requestCancel(operation);
  await context.waitForEnd(operation.operationId, cancelWaitS * 1_000);
  const payment = context.journal.payment(operation.operationId);
  if (payment === null) throw new Error('the payment in hand is not in the journal');
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

type VoidAnswer = Answer<{ payment: PaymentRow; repeated: boolean }>;

export async function voidCommand(
  context: CommandContext,
  reference: string,
  waitMs: number,
): Promise<VoidAnswer> {
  const begun = await afterHousekeeping(context, () => beginVoid(context, reference));
  return 'operationId' in begun ? endOfVoid(context, begun.operationId, waitMs, begun.repeated) : begun;
}

/** A new void or the one under way; or the answer, where there is nothing to do or it cannot be done. */
function beginVoid(
  context: CommandContext,
  reference: string,
): { operationId: string; repeated: boolean } | VoidAnswer | { kind: 'housekeeping' } {
  const { journal } = context;
  const payment = journal.paymentByReference(reference);
  if (payment === null) return refuse('payment_not_found', `There is no payment ${reference}.`);
  if (payment.status === 'voided') return { ok: true, value: { payment, repeated: true } };
  if (payment.status === 'voiding') return { operationId: openVoidOf(journal, payment), repeated: true };
  const obstacle = notVoidable(context, payment);
  if (obstacle !== null) return obstacle;
  const claim = context.claim('payment');
  if (!('kind' in claim) || claim.kind === 'housekeeping') return claim;
  const order = {
    amountMinor: payment.result?.amountMinor ?? payment.amountMinor,
    currency: payment.currency,
    receiptNumber: payment.result?.receiptNumber ?? '',
    traceNumber: payment.result?.traceNumber ?? null,
  };
  const operation = {
    ...context.newOperation(),
    ...order,
    type: 'operation_started' as const,
    kind: 'void' as const,
    paymentId: payment.transactionId,
    reference,
  };
  const failure = tryToBegin(context, claim, operation, (driver, watch) => driver.void(order, watch));
  return failure ?? { operationId: operation.operationId, repeated: false };
}

/** Why a payment cannot be voided; a changed terminal or an unexplained boundary is refused, never guessed. */
function notVoidable(context: CommandContext, payment: PaymentRow): Refusal | null {
  if (payment.status === 'settled') {
    return refuse(
      'payment_already_settled',
      `Payment ${payment.reference} is in batch ${payment.batchNumber ?? ''} that was submitted. It can only be refunded.`,
    );
  }
  if (payment.status !== 'approved') {
    return refuse('payment_not_voidable', `Payment ${payment.reference} is ${payment.status}, not approved.`);
  }
  const state = context.journal.terminalState();
  const byHand = 'Reverse or refund it at the terminal by hand, and note it.';
  if (payment.result === null || payment.result.receiptNumber === null) {
    return refuse(
      'payment_not_voidable',
      `The terminal’s receipt number of payment ${payment.reference} is not known. ${byHand}`,
    );
  }
  if (!sameTerminal(payment, state)) {
    return refuse(
      'payment_not_voidable',
      `Payment ${payment.reference} was made on another terminal. ${byHand}`,
    );
  }
  if (payment.epoch !== state.epoch) {
    return refuse(
      'payment_not_voidable',
      `The terminal did things since payment ${payment.reference} that the bridge has not seen (a closed day, or use by ` +
        `hand), so its receipt number may mean another payment. ${byHand}`,
    );
  }
  return null;
}

function openVoidOf(journal: Journal, payment: PaymentRow): string {
  const open = journal
    .openOperations()
    .find((row) => row.kind === 'void' && row.paymentId === payment.transactionId);
  if (open === undefined) throw new Error(`payment ${payment.transactionId} is voiding without an open void`);
  return open.operationId;
}

async function endOfVoid(
  context: CommandContext,
  operationId: string,
  waitMs: number,
  repeated: boolean,
): Promise<Answer<{ payment: PaymentRow; repeated: boolean }>> {
  const row = await context.waitForEnd(operationId, waitMs);
  const payment = row.paymentId === null ? null : context.journal.payment(row.paymentId);
  if (payment === null) throw new Error('a void has lost its payment');
  if (row.outcome === 'voided') return { ok: true, value: { payment, repeated } };
  if (row.outcome === 'not_voided') {
    const code = context.wasNeverSent(operationId) ? 'terminal_unavailable' : 'void_declined';
    return refuse(code, `Payment ${payment.reference} was not voided and stays approved: ${row.reason}`);
  }
  return undecided(row, `the void of payment ${payment.reference}`);
}
