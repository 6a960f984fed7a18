/**
 * One payment from the wish to its end:
 *
 *     CreatePayment ──(known to the bridge)──► QueryPayment ──(decided)──► its outcome
 *       ▲        └──(not_started)──► not_started     ▲  │
 *       └── no answer, any other failure             └──┘ not decided, no answer
 *
 * The reference never changes, so no repeat charges twice. Once the bridge has said that it knows the payment, only
 * QueryPayment is sent, which can start nothing: a bridge whose journal was put back would take a repeated CreatePayment
 * for a new one.
 */
import { ask, createPauses, isLasting, type Asking, type Patience } from './asking.ts';
import type { ErrorCode, Issue, OpenEnum, Payment, TransactionStatus } from './answers.ts';
import { decided, isTaken, readPayment, type Answer } from './read-answer.ts';

interface Ended {
  reference: string;
  /** A sentence that a cashier can read. */
  message: string;
}

/** What became of a payment. */
export type PayOutcome =
  /** Money was taken, and it is final. `approvedAmount` ("12.00") may be less than was asked, or more with a tip. */
  | (Ended & { outcome: 'approved'; approvedAmount: string; payment: Payment })
  /** No money was taken. Another attempt takes a new reference. */
  | (Ended & { outcome: 'declined' | 'cancelled' | 'failed'; payment: Payment })
  /** Money was taken and given back. */
  | (Ended & { outcome: 'voided'; payment: Payment })
  /** No money was taken, and nothing will be; the reference is free. `code` says why. */
  | (Ended & { outcome: 'not_started'; code: OpenEnum<ErrorCode>; issues: readonly Issue[] })
  /**
   * Nobody can tell. Do not charge again and hand nothing over: show `message`, and let a person look at Tillbridge's
   * window and at the terminal. `pay` with the same reference goes on asking.
   */
  | (Ended & {
      outcome: 'unknown';
      /** The last failure's, if there was one. */
      code: OpenEnum<ErrorCode> | null;
      /** As the bridge had it last; null when it never told. */
      payment: Payment | null;
    });

/** How a payment stands while `pay` waits. */
export interface PayProgress {
  reference: string;
  /** Null: the bridge does not answer, or says nothing of the payment. */
  status: TransactionStatus | null;
  message: string;
}

export interface Wish {
  readonly reference: string;
  /** Of CreatePayment; null where nothing may be started. */
  readonly body: object | null;
  /** Somebody has cancelled it: it is asked for, and started no more. */
  stopped: boolean;
}

/** The longest that the bridge is asked to hold one answer, in seconds; a proxy might cut longer ones. */
const waitS = 60;

export async function settlePayment(
  asking: Asking,
  wish: Wish,
  patience: Patience,
  onProgress: (progress: PayProgress) => void,
): Promise<PayOutcome> {
  const { reference } = wish;
  const query = { retrieval_reference_number: reference };
  const pauses = createPauses(asking, patience);
  let payment: Payment | null = null;
  let last: Answer = { kind: 'none', message: 'The bridge was not asked.' };
  while (!patience.over()) {
    const mayStart: object | null = payment === null && !wish.stopped ? wish.body : null;
    last =
      mayStart === null
        ? await ask(asking, 'QueryPayment', query, waitFor(patience), patience)
        : await ask(asking, 'CreatePayment', mayStart, 0, patience);
    const found = readPayment(last, reference);
    const isNew = payment === null && found !== null;
    payment = found ?? payment;
    if (payment !== null && decided(payment) && (mayStart === null || found === null))
      return outcomeOf(payment);
    const end = refusalOf(last, reference, payment, mayStart !== null);
    if (end !== null) return end;
    onProgress({ reference, status: found?.transaction_status ?? null, message: last.message });
    if (found !== null) pauses.heard();
    if (!isNew) await pauses.pause();
  }
  return payment !== null && decided(payment) ? outcomeOf(payment) : unknown(reference, last, payment);
}

/** At once, if it is decided already. */
function waitFor(patience: Patience): number {
  return Math.min(waitS, Math.floor(patience.leftMs() / 1_000));
}

function outcomeOf(payment: Payment): PayOutcome {
  const { retrieval_reference_number: reference, transaction_status: status, message } = payment;
  if (isTaken(status)) {
    // Looked at when the answer was read.
    const { approved_amount: approvedAmount = '' } = payment;
    return { outcome: 'approved', reference, message, approvedAmount, payment };
  }
  return { outcome: status as 'declined' | 'cancelled' | 'failed' | 'voided', reference, message, payment };
}

/** What ends the asking although the payment has no end. */
function refusalOf(
  answer: Answer,
  reference: string,
  payment: Payment | null,
  isCreate: boolean,
): PayOutcome | null {
  if (answer.kind !== 'failure') return null;
  const { code, message, issues } = answer;
  const notFound = !isCreate && code === 'payment_not_found';
  // Who was told before that the payment is there cannot be told now that it is not: its journal was lost.
  if (payment !== null) return notFound || isLasting(answer) ? unknown(reference, answer, payment) : null;
  if (isCreate && answer.notStarted) return { outcome: 'not_started', reference, code, message, issues };
  if (notFound) return { outcome: 'not_started', reference, code, message, issues };
  return isLasting(answer) ? unknown(reference, answer, payment) : null;
}

function unknown(reference: string, last: Answer, payment: Payment | null): PayOutcome {
  const code = last.kind === 'failure' ? last.code : null;
  return { outcome: 'unknown', reference, code, message: last.message, payment };
}
