/** CreatePayment, CancelPayment and VoidPayment. */
import { randomInt } from 'node:crypto';
import { cancelWaitS, conditionCodeSchema, referencePattern } from '../../contract/commands.ts';
import { refuse, refuseField, type Answer, type Refusal } from '../../contract/errors.ts';
import { formatAmount, parseAmount } from '../../contract/money.ts';
import { JournalWriteError, type Journal, type OperationRow, type PaymentRow } from '../journal/journal.ts';
import { holdsCardNumber } from '../log/mask.ts';
import { sameTerminal } from './batch.ts';
import { housekeepingWaitMs, type Engine } from './engine.ts';

const defaultConditionCode = '00';

export async function createCommand(
  engine: Engine,
  request: { amount: string; reference: string | null; conditionCode: string | null },
): Promise<Answer<{ payment: PaymentRow; repeated: boolean }>> {
  const { journal, options } = engine;
  const parsed = parseAmount(request.amount, options.currency);
  if (!parsed.ok) return refuseField('amount', parsed.message);
  const { amountMinor } = parsed;
  const conditionCode = request.conditionCode ?? defaultConditionCode;
  if (!conditionCodeSchema.safeParse(conditionCode).success) {
    return refuseField('condition_code', 'must be 1 to 8 letters or digits, such as "00"');
  }
  const reference = request.reference ?? (options.makeReferences ? makeReference(journal) : null);
  const wrong = reference === null ? missingReference : wrongReference(reference);
  if (wrong !== null || reference === null)
    return refuseField('retrieval_reference_number', wrong ?? missingReference);

  const waited = deadline(engine);
  for (;;) {
    const known = journal.paymentByReference(reference);
    if (known !== null) return repeatOf(known, amountMinor, conditionCode, options.currency);
    const claim = engine.claim('payment');
    if (!('kind' in claim)) return claim;
    if (claim.kind === 'housekeeping') {
      if (waited.over()) return stillBusy;
      await engine.settled(waited.leftMs());
      continue;
    }
    const { currency } = options;
    const operation = {
      ...engine.newOperation(),
      type: 'operation_started' as const,
      kind: 'sale' as const,
      reference,
      conditionCode,
      amountMinor,
      currency,
    };
    try {
      engine.begin(claim, operation, (driver, watch) => driver.sale({ amountMinor, currency }, watch));
    } catch (error) {
      return journalFailure(error);
    }
    const payment = journal.paymentByReference(reference);
    if (payment === null) throw new Error('a journaled payment cannot be found');
    return { ok: true, value: { payment, repeated: false } };
  }
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
  engine: Engine,
  reference: string | null,
): Promise<Answer<{ payment: PaymentRow }>> {
  const operation = engine.inHand();
  if (operation?.kind !== 'sale')
    return refuse('no_payment_in_progress', 'No payment is in progress on the terminal.');
  if (reference !== null && reference !== operation.reference) {
    return refuse(
      'reference_mismatch',
      `The payment on the terminal is ${operation.reference}, not ${reference}. Nothing was sent.`,
    );
  }
  engine.requestCancel(operation);
  await engine.waitForEnd(operation.operationId, cancelWaitS * 1_000);
  const payment = engine.journal.payment(operation.operationId);
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

export async function voidCommand(
  engine: Engine,
  reference: string,
  waitMs: number,
): Promise<Answer<{ payment: PaymentRow; repeated: boolean }>> {
  const { journal } = engine;
  const waited = deadline(engine);
  for (;;) {
    const payment = journal.paymentByReference(reference);
    if (payment === null) return refuse('payment_not_found', `There is no payment ${reference}.`);
    if (payment.status === 'voided') return { ok: true, value: { payment, repeated: true } };
    if (payment.status === 'voiding') return joinVoid(engine, payment, waitMs);
    const obstacle = notVoidable(engine, payment);
    if (obstacle !== null) return obstacle;
    const claim = engine.claim('payment');
    if (!('kind' in claim)) return claim;
    if (claim.kind === 'housekeeping') {
      if (waited.over()) return stillBusy;
      await engine.settled(waited.leftMs());
      continue;
    }
    const order = {
      amountMinor: payment.result?.amountMinor ?? payment.amountMinor,
      currency: payment.currency,
      receiptNumber: payment.result?.receiptNumber ?? '',
      traceNumber: payment.result?.traceNumber ?? null,
    };
    const operation = {
      ...engine.newOperation(),
      ...order,
      type: 'operation_started' as const,
      kind: 'void' as const,
      paymentId: payment.transactionId,
      reference,
    };
    try {
      engine.begin(claim, operation, (driver, watch) => driver.void(order, watch));
    } catch (error) {
      return journalFailure(error);
    }
    return endOfVoid(engine, operation.operationId, waitMs, false);
  }
}

/** Why a payment cannot be voided; a changed terminal or an unexplained boundary is refused, never guessed. */
function notVoidable(engine: Engine, payment: PaymentRow): Refusal | null {
  if (payment.status === 'settled') {
    return refuse(
      'payment_already_settled',
      `Payment ${payment.reference} is in batch ${payment.batchNumber ?? ''} that was submitted. It can only be refunded.`,
    );
  }
  if (payment.status !== 'approved') {
    return refuse('payment_not_voidable', `Payment ${payment.reference} is ${payment.status}, not approved.`);
  }
  const state = engine.journal.terminalState();
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

function joinVoid(engine: Engine, payment: PaymentRow, waitMs: number) {
  const open = engine.journal
    .openOperations()
    .find((row) => row.kind === 'void' && row.paymentId === payment.transactionId);
  if (open === undefined) throw new Error(`payment ${payment.transactionId} is voiding without an open void`);
  return endOfVoid(engine, open.operationId, waitMs, true);
}

async function endOfVoid(
  engine: Engine,
  operationId: string,
  waitMs: number,
  repeated: boolean,
): Promise<Answer<{ payment: PaymentRow; repeated: boolean }>> {
  const row = await engine.waitForEnd(operationId, waitMs);
  const payment = row.paymentId === null ? null : engine.journal.payment(row.paymentId);
  if (payment === null) throw new Error('a void has lost its payment');
  if (row.outcome === 'voided') return { ok: true, value: { payment, repeated } };
  if (row.outcome === 'not_voided') {
    const code = engine.wasNeverSent(operationId) ? 'terminal_unavailable' : 'void_declined';
    return refuse(code, `Payment ${payment.reference} was not voided and stays approved: ${row.reason}`);
  }
  return undecided(row, `the void of payment ${payment.reference}`);
}

/** For an operation that has not ended in time, or that only a person can end. */
export function undecided(row: OperationRow, what: string): Refusal {
  if (row.needsPerson) {
    return refuse(
      'payment_unresolved',
      `Nobody can tell how ${what} ended (operation ${row.operationId}). Look at the terminal, then decide it in the ` +
        `console or with "tillbridge resolve".`,
    );
  }
  return refuse('terminal_timeout', `The terminal has not decided ${what} yet; it goes on. Ask again.`);
}

export const stillBusy = refuse('terminal_busy', 'The terminal is busy with itself. Try again in a moment.');

export function deadline(engine: Engine) {
  const { clock } = engine.options;
  const end = clock.elapsed() + housekeepingWaitMs;
  return { over: () => clock.elapsed() >= end, leftMs: () => Math.max(1, end - clock.elapsed()) };
}

export function journalFailure(error: unknown): Refusal {
  if (!(error instanceof JournalWriteError)) throw error;
  return refuse(
    'journal_unavailable',
    `The journal cannot be written, so nothing was sent to the terminal: ${error.message}`,
  );
}
