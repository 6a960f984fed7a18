/**
 * What the client knows of each reference for as long as it lives, and what an answer proves: decided here alone.
 *
 * The first transaction_id that is heard is the payment's. From then on only QueryPayment is sent, which can start
 * nothing: a bridge whose journal was lost, or put back from a backup, would take a repeated CreatePayment for a new one.
 */
import type { ErrorCode, HeardPayment, Issue, OpenEnum, Payment, TransactionStatus } from './answers.ts';
import { isLasting } from './asking.ts';
import { decided, isTaken, readPayment, type Answer } from './read-answer.ts';

/** What a till wants to be paid, in the bridge's own words. */
export interface Wish {
  readonly amount: string;
  readonly condition_code: string;
}

/** What is known of a payment that the bridge has. */
export interface Known {
  readonly transactionId: string;
  /** For which CreatePayment was answered with it: the bridge has compared them. */
  wish: Wish | null;
  /** Unless an answer to CreatePayment said that it began this payment, and it has not ended before it is asked for again. */
  repeated: boolean;
  /** Its end has been heard. */
  decided: boolean;
  /** Its money is the simulator's. */
  simulated: boolean;
}

/** What an answer proves. */
export type Proof =
  /** How the payment stands: not decided, or heard of CreatePayment, which tells no discrepancy. */
  | { kind: 'standing'; payment: HeardPayment }
  | { kind: 'decided'; payment: Payment }
  /** There is no such payment: no money was taken with this reference. */
  | { kind: 'absent'; code: OpenEnum<ErrorCode>; message: string; issues: readonly Issue[] }
  /** It is decided, and what the terminal shows says otherwise: a person has to look. */
  | { kind: 'contradicted'; payment: Payment }
  /** A person has to look, and asking again tells nothing else. */
  | { kind: 'unclear'; code: OpenEnum<ErrorCode> | null; message: string }
  | { kind: 'nothing' };

export interface Knowledge {
  of(reference: string): Known | null;
  /** The till has kept the payment's id from an earlier life. False: another one has been heard already. */
  remember(reference: string, transactionId: string): boolean;
  /** `pay` is called with it: where its end has been heard, its reference is one that was used before. */
  payAgain(reference: string): void;
  /** `wish`: the one of CreatePayment; null for QueryPayment. */
  hear(reference: string, wish: Wish | null, answer: Answer): Proof;
}

/** Beyond that the oldest are forgotten: months of a busy till. */
const maxReferences = 100_000;

export function createKnowledge(): Knowledge {
  const all = new Map<string, Known>();

  function note(reference: string, transactionId: string): Known {
    const known = { transactionId, wish: null, repeated: true, decided: false, simulated: false };
    all.set(reference, known);
    const [oldest] = all.keys();
    if (all.size > maxReferences && oldest !== undefined) all.delete(oldest);
    return known;
  }

  return {
    of: (reference) => all.get(reference) ?? null,

    remember(reference, transactionId) {
      const known = all.get(reference) ?? note(reference, transactionId);
      return isSame(known.transactionId, transactionId);
    },

    payAgain(reference) {
      const known = all.get(reference);
      if (known?.decided === true) known.repeated = true;
    },

    hear(reference, wish, answer) {
      const payment = readPayment(answer, reference);
      const before = all.get(reference);
      if (payment === null) return refusalOf(answer, wish !== null, before !== undefined);
      const known = before ?? note(reference, payment.transaction_id);
      if (!isSame(known.transactionId, payment.transaction_id)) {
        const message = `Under this reference the bridge now has another payment. ${payment.message}`;
        return { kind: 'unclear', code: null, message };
      }
      known.simulated ||= answer.simulated;
      if (wish !== null) known.wish = wish;
      if (wish !== null && answer.kind === 'success' && answer.body['repeated'] !== true)
        known.repeated = false;
      const proof = standingOf(payment);
      known.decided ||= proof.kind === 'decided';
      return proof;
    },
  };
}

/** A till's database may write it in capitals. */
function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function standingOf(payment: HeardPayment): Proof {
  const { receipt, discrepancy } = payment;
  if (!decided(payment) || receipt === undefined || discrepancy === undefined)
    return { kind: 'standing', payment };
  const isContradicted = discrepancy !== null && contradicts(discrepancy.kind, payment.transaction_status);
  return {
    kind: isContradicted ? 'contradicted' : 'decided',
    payment: { ...payment, receipt, discrepancy },
  };
}

/** Of days and of payments that were not ours; they say nothing about how this one ended. */
const besideThePoint: readonly string[] = [
  'unseen_records',
  'unexplained_batch_close',
  'changed_terminal',
  'batch_differs',
  'journal_loss',
];
/** Money was taken: they contradict only who says that none was. */
const saysTaken: readonly string[] = ['unexplained_payment', 'amount_differs'];

/** What a later version of the bridge finds may be anything. */
function contradicts(kind: string, status: TransactionStatus): boolean {
  if (besideThePoint.includes(kind)) return false;
  return !(saysTaken.includes(kind) && isTaken(status));
}

/** What an answer proves that tells nothing of the payment. */
function refusalOf(answer: Answer, isCreate: boolean, isKnown: boolean): Proof {
  if (answer.kind !== 'failure') return { kind: 'nothing' };
  const { code, message, issues, notStarted } = answer;
  const isAbsent = isCreate ? notStarted : code === 'payment_not_found';
  // Who was told before that the payment is there cannot be told now that it is not: its journal was lost.
  if (isAbsent && !isKnown) return { kind: 'absent', code, message, issues };
  // Something that a person has to decide first may be this very payment.
  if (isAbsent || code === 'payment_unresolved' || isLasting(answer))
    return { kind: 'unclear', code, message };
  return { kind: 'nothing' };
}

/**
 * Whether a payment that took money is the one that was wished for: CreatePayment has said so, or the amount does.
 * Without that a reference that was used before would pay for something else.
 */
export function fits({ wish: confirmed }: Known, wish: Wish | null, approvedAmount: string): boolean {
  if (wish === null || approvedAmount === wish.amount) return true;
  return confirmed?.amount === wish.amount && confirmed.condition_code === wish.condition_code;
}
