/**
 * One payment from the wish to its end:
 *
 *     CreatePayment ──(known to the bridge)──► QueryPayment ──(decided)──► its outcome
 *       ▲        └──(not_started)──► not_started     ▲  │
 *       └── no answer, any other failure             └──┘ not decided, no answer
 *
 * The reference never changes, so no repeat charges twice. What an answer proves is decided in knowledge.ts.
 */
import { pause } from '../base/clock.ts';
import {
  ask,
  createPauses,
  operationWaitS,
  patienceOf,
  waitFor,
  type Asking,
  type CallOptions,
  type Patience,
} from './asking.ts';
import type { ErrorCode, HeardPayment, Issue, OpenEnum, Payment, TransactionStatus } from './answers.ts';
import { PosInputError } from './input.ts';
import { fits, type Knowledge, type Proof, type Wish } from './knowledge.ts';
import { decided, isTaken, type Answer } from './read-answer.ts';

interface Ended {
  reference: string;
  /** A sentence that a cashier can read. */
  message: string;
  /** By the simulator: no money, whatever the outcome is. */
  simulated: boolean;
  /**
   * The bridge may have had the payment before this client asked for it, or its end had been heard before this `pay`. After a
   * crash, or a lost answer, it is yours; else the reference was used before, as `createdAt` shows, and this is an old payment.
   */
  repeated: boolean;
  /** When the payment was first asked for: ISO 8601, UTC, by the clock of the bridge. Null where none is known. */
  createdAt: string | null;
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
   * window and at the terminal. `resume` with the same reference goes on asking, and starts nothing.
   */
  | (Ended & {
      outcome: 'unknown';
      /** The last failure's, if there was one. */
      code: OpenEnum<ErrorCode> | null;
      /** As the bridge had it last; its discrepancy, if there is one, says what contradicts it. Null when it never told. */
      payment: HeardPayment | null;
    });

/** How a payment stands while `pay` waits. */
export interface PayProgress {
  reference: string;
  /** Null: the bridge does not answer, says nothing of the payment, or has yet to be asked whether its end holds. */
  status: TransactionStatus | null;
  message: string;
  /** The bridge's own id of the payment, once it has begun. Store it: `known` of a later `pay` or `resume`. */
  transactionId: string | null;
}

export interface PayOptions extends CallOptions {
  /**
   * The `transactionId` that `onProgress` gave before a crash of the till. Then nothing is begun, and no other payment is
   * taken for this one, even if the bridge has lost its journal meanwhile.
   */
  known?: string | undefined;
  /** Hears how the payment stands, for the cashier. Whatever it throws changes nothing. */
  onProgress?: ((progress: PayProgress) => void | Promise<void>) | undefined;
}

export interface Payments {
  /** `wish`: null where nothing may be started. Throws PosInputError for another wish than the one under way. */
  settle(reference: string, wish: Wish | null, options: PayOptions): Promise<PayOutcome>;
  /** Somebody wants the payment that is under way stopped; null where none is. */
  stop(reference: string): Stop | null;
}

/** A cancel by the till of a payment that is under way. */
interface Stop {
  /** What the bridge said of it. True: the cancel may have overtaken CreatePayment, and will be sent again after it. */
  answered(answer: Answer): boolean;
}

/** Who waits for a payment. */
interface Caller {
  readonly wish: Wish | null;
  readonly patience: Patience;
  tell(progress: PayProgress): void;
}

/** A payment that is under way. */
interface Run {
  readonly reference: string;
  readonly callers: Set<Caller>;
  /** Nobody waits any more. */
  readonly over: AbortController;
  /** CreatePayment was sent. */
  begun: boolean;
  /** Somebody has cancelled it: it is asked for, and started no more. */
  stopped: boolean;
  /** The bridge knew the payment when it was told to cancel it. */
  cancelled: boolean;
  /** As it was heard last. */
  payment: HeardPayment | null;
  last: Answer;
  ending: Promise<Proof> | null;
}

const payMs = 5 * 60_000;

export function createPayments(asking: Asking, knowledge: Knowledge): Payments {
  const { clock } = asking;
  const runs = new Map<string, Run>();

  function runOf(reference: string): Run {
    const found = runs.get(reference);
    if (found !== undefined) return found;
    const last = { kind: 'none', simulated: false, message: 'The bridge has not answered.' } as const;
    const flags = { begun: false, stopped: false, cancelled: false };
    const callers = new Set<Caller>();
    const over = new AbortController();
    const run: Run = { reference, callers, over, ...flags, payment: null, last, ending: null };
    runs.set(reference, run);
    return run;
  }

  function close(run: Run): void {
    if (runs.get(run.reference) === run) runs.delete(run.reference);
    run.over.abort();
  }

  /** Until the payment has an end, or nobody waits any more. */
  async function follow(run: Run): Promise<Proof> {
    const { reference } = run;
    const query = { retrieval_reference_number: reference };
    const patience = patienceOfAll(run);
    const pauses = createPauses(asking, patience);
    const wished = () => (run.stopped || knowledge.of(reference) !== null ? null : freshWishOf(run));
    while (!patience.over()) {
      const wish = wished();
      run.begun ||= wish !== null;
      const isNew = knowledge.of(reference) === null;
      const holdS = run.stopped && !run.cancelled ? 0 : waitFor(patience);
      run.last =
        wish === null
          ? await ask(asking, 'QueryPayment', query, holdS, patience)
          : await ask(asking, 'CreatePayment', { ...query, ...wish }, 0, patience);
      const proof = knowledge.hear(reference, wish, run.last);
      if (proof.kind === 'decided' || proof.kind === 'contradicted' || proof.kind === 'unclear') return proof;
      if (proof.kind === 'absent') {
        if (wish !== null || wished() === null) return proof;
        // Meanwhile somebody has come who wants it begun.
        continue;
      }
      if (proof.kind === 'standing') {
        run.payment = proof.payment;
        pauses.heard();
      }
      tell(run, proof);
      if (run.stopped && !run.cancelled && run.payment?.transaction_status === 'in_progress')
        // The cancel was lost, or came before the payment.
        run.cancelled = (await ask(asking, 'CancelPayment', query, operationWaitS, patience)).kind !== 'none';
      if (!isNew || proof.kind !== 'standing') await pauses.pause();
    }
    return asItStands(run);
  }

  function tell({ reference, callers, last }: Run, proof: Proof): void {
    const isOpen = proof.kind === 'standing' && !decided(proof.payment);
    const status = isOpen ? proof.payment.transaction_status : null;
    const transactionId = knowledge.of(reference)?.transactionId ?? null;
    for (const caller of callers) caller.tell({ reference, status, message: last.message, transactionId });
  }

  function outcomeOf(run: Run, wish: Wish | null, proof: Proof): PayOutcome {
    const { reference, last } = run;
    const known = knowledge.of(reference);
    const payment = 'payment' in proof ? proof.payment : run.payment;
    const { message } = 'message' in proof ? proof : last;
    const ended: Ended = {
      reference,
      message,
      simulated: known?.simulated === true || last.simulated,
      repeated: known?.repeated === true,
      createdAt: payment?.created_at ?? null,
    };
    if (proof.kind === 'absent')
      return { ...ended, outcome: 'not_started', code: proof.code, issues: proof.issues };
    if (proof.kind !== 'decided') {
      const code = proof.kind === 'unclear' ? proof.code : null;
      return { ...ended, outcome: 'unknown', code, payment };
    }
    const { transaction_status: status, approved_amount: approvedAmount = '' } = proof.payment;
    if (!isTaken(status))
      return {
        ...ended,
        outcome: status as 'declined' | 'cancelled' | 'failed' | 'voided',
        payment: proof.payment,
      };
    if (known === null || !fits(known, wish, approvedAmount)) {
      const other = `The reference is of a payment of ${approvedAmount}. ${message}`;
      return { ...ended, outcome: 'unknown', message: other, code: 'reference_conflict', payment };
    }
    return { ...ended, outcome: 'approved', approvedAmount, payment: proof.payment };
  }

  return {
    async settle(reference, wish, options) {
      if (wish !== null && !runs.has(reference)) knowledge.payAgain(reference);
      const run = runOf(reference);
      demandSame(run, wish);
      const caller = callerOf(asking, wish, options);
      run.callers.add(caller);
      run.ending ??= follow(run).finally(() => close(run));
      const { patience } = caller;
      const left = new AbortController();
      const over = pause(clock, patience.leftMs(), patience.signal ?? undefined, left.signal);
      try {
        const proof = await Promise.race([run.ending, over.then(() => asItStands(run))]);
        return outcomeOf(run, wish, proof);
      } finally {
        left.abort();
        run.callers.delete(caller);
        if (run.callers.size === 0) close(run);
      }
    },

    stop(reference) {
      const run = runs.get(reference);
      if (run === undefined) return null;
      // Before it is sent: a bridge that comes back later must not be asked to begin what somebody has stopped.
      run.stopped = true;
      const isKnown = knowledge.of(reference) !== null;
      run.cancelled ||= isKnown;
      return {
        answered(answer) {
          if (answer.kind === 'none') run.cancelled = false;
          return run.begun && !isKnown;
        },
      };
    },
  };
}

/** When its time is over. */
function asItStands({ last }: Run): Proof {
  const code = last.kind === 'failure' ? last.code : null;
  return { kind: 'unclear', code, message: last.message };
}

function freshWishOf({ callers }: Run): Wish | null {
  const fresh = [...callers].find((caller) => caller.wish !== null && caller.patience.isFresh());
  return fresh?.wish ?? null;
}

/** As long as one of them has patience. */
function patienceOfAll({ callers, over }: Run): Patience {
  const leftMs = () => Math.max(0, ...[...callers].map(({ patience }) => patience.leftMs()));
  const isOver = () => [...callers].every(({ patience }) => patience.over());
  const isFresh = () => [...callers].some(({ patience }) => patience.isFresh());
  return { leftMs, over: isOver, isFresh, signal: over.signal };
}

function callerOf(asking: Asking, wish: Wish | null, options: PayOptions): Caller {
  return {
    wish,
    patience: patienceOf(asking, options, payMs),
    tell(progress) {
      // Not the payment's fault, and not its end.
      const report = (error: unknown) => console.error(error);
      try {
        Promise.resolve(options.onProgress?.(progress)).catch(report);
      } catch (error) {
        report(error);
      }
    },
  };
}

function demandSame({ callers }: Run, wish: Wish | null): void {
  for (const { wish: other } of callers) {
    if (wish === null || other === null) continue;
    if (wish.amount !== other.amount || wish.condition_code !== other.condition_code)
      throw new PosInputError(
        'reference',
        'is of another payment that is under way: with another amount or code',
      );
  }
}
