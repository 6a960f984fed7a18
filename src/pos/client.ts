/** The five commands and the events of one bridge, as a till wants them: each call ends with what is known. */
import type { Clock } from '../base/clock.ts';
import type { Batch, ErrorCode, HeardPayment, Issue, OpenEnum } from './answers.ts';
import {
  ask,
  askUntil,
  isLasting,
  operationWaitS,
  patienceOf,
  waitFor,
  whileFresh,
  type Asking,
  type CallOptions,
  type Patience,
} from './asking.ts';
import { followEvents, type EventsOptions, type PosEvent } from './events.ts';
import {
  checkDuration,
  checkFunction,
  checkHeader,
  checkReference,
  checkSignal,
  checkTransactionId,
  PosInputError,
  readAddress,
  readAmount,
  readConditionCode,
} from './input.ts';
import { createKnowledge } from './knowledge.ts';
import { createPayments, type PayOptions, type PayOutcome } from './payment.ts';
import type { Answer } from './read-answer.ts';

export interface PosClientOptions {
  /** The bridge; `http://localhost:8080` when left out. */
  url?: string | undefined;
  /** The terminal's name, where the bridge has several. */
  terminal?: string | undefined;
  /** A POS token, where the bridge wants one. */
  token?: string | undefined;
  fetch?: typeof fetch | undefined;
  clock?: Clock | undefined;
  /** From 0 up to, not including, 1; for the pauses between attempts. */
  random?: (() => number) | undefined;
}

/** Time, chance and the network, which the library's entry takes from the machine unless they are given. */
export type PosClientDependencies = Required<{
  [Name in 'fetch' | 'clock' | 'random']: NonNullable<PosClientOptions[Name]>;
}>;

export interface PaymentRequest {
  /**
   * The till's own number for this payment: 1 to 40 of `A–Z a–z 0–9 . _ -`, never twice for different payments. Store it
   * before you call, and `resume` it after a crash.
   */
  reference: string;
  /** "12.00": a string with two decimals, more than zero. */
  amount: string;
  /** ISO 8583 field 25; "00" when left out. */
  conditionCode?: string | undefined;
}

interface Ended {
  /** A sentence that a cashier can read. */
  message: string;
  /** By the simulator: no money, whatever the outcome is. */
  simulated: boolean;
}

/** What a call failed with. */
interface Refused extends Ended {
  code: OpenEnum<ErrorCode>;
  issues: readonly Issue[];
}

/** Nobody can tell. */
interface Unknown extends Ended {
  outcome: 'unknown';
  code: OpenEnum<ErrorCode> | null;
}

export type CancelOutcome =
  /** The payment ended without money, or was never begun. */
  | ({ outcome: 'cancelled' } & Ended)
  /** It was not stopped: `cancel_too_late`, `cancel_not_possible`, `no_payment_in_progress` … */
  | ({ outcome: 'not_cancelled' } & Refused)
  /** Also while the cancel may have come before the payment: then it is sent again. `pay` tells how it ended. */
  | Unknown;

export type VoidOutcome =
  | ({ outcome: 'voided' } & Ended)
  /** The payment is not reversed. */
  | ({ outcome: 'not_voided' } & Refused)
  | Unknown;

export type CloseDayOutcome =
  /**
   * The terminal closed its day. `batch` is null when there was nothing to settle. After `repeated`, an earlier request of
   * this call had no answer: it may have been the one that closed the day.
   */
  | ({ outcome: 'closed'; batch: Batch | null; repeated: boolean } & Ended)
  /** This call did not close the day. After an earlier call that ended with `unknown`, that one may have. */
  | ({ outcome: 'not_closed' } & Refused)
  /** Also after a refusal that followed a request whose end was not told: that one may have closed the day. */
  | Unknown;

export type QueryOutcome =
  /** As the bridge has it, with the discrepancy that may contradict its status. */
  | ({ outcome: 'found'; payment: HeardPayment } & Ended)
  /** The bridge knows no payment with this reference, and has told of none: nothing was charged. */
  | ({ outcome: 'not_found' } & Ended)
  | Unknown;

/** All calls throw PosInputError for what is no right request, before anything is sent, and for nothing else. */
export interface PosClient {
  /**
   * Takes a payment, and asks for it as long as it takes: through time-outs, dropped connections and restarts of the
   * bridge, always with the same reference. A call while one with the same reference is under way joins it, with its own
   * time and signal. After `unknown`, and after a crash of the till, call `resume`.
   *
   * `withinMs`: 5 minutes when left out; then the outcome is `unknown`.
   */
  pay(payment: PaymentRequest, options?: PayOptions): Promise<PayOutcome>;
  /** As `pay`, for a payment that was begun before, such as before `unknown` or a crash of the till: starts nothing. */
  resume(reference: string, options?: PayOptions): Promise<PayOutcome>;
  /** How the payment stands now. `withinMs`: 30 s when left out. */
  query(reference: string, options?: CallOptions): Promise<QueryOutcome>;
  /**
   * Stops this payment while the customer has not paid. `pay` tells how it ended; it starts the payment no more, even if
   * this call got no answer. Asks once; `withinMs`: 45 s when left out.
   */
  cancel(reference: string, options?: CallOptions): Promise<CancelOutcome>;
  /** Reverses an approved payment of the open day, exactly and in full. `withinMs`: 5 minutes when left out. */
  void(reference: string, options?: CallOptions): Promise<VoidOutcome>;
  /** Makes the terminal close its day. `withinMs`: 5 minutes when left out. */
  closeDay(options?: CallOptions): Promise<CloseDayOutcome>;
  /**
   * What happens, as it happens; after a lost connection it goes on where it was, with nothing left out. Ends with
   * `signal`, or when the loop is left. Throws PosRefusedError when the bridge lets nobody listen.
   */
  events(options?: EventsOptions): AsyncIterable<PosEvent>;
}

const minute = 60_000;
const operationMs = 5 * minute;
const queryMs = 30_000;
/** The bridge waits 30 s for the terminal's word. */
const cancelMs = 45_000;

/** Throws PosInputError. Sends nothing yet. */
export function createClient(options: PosClientOptions & PosClientDependencies): PosClient {
  const asking = askingOf(options);
  const knowledge = createKnowledge();
  const payments = createPayments(asking, knowledge);

  function checkPayOptions(reference: string, options: PayOptions): void {
    const { known, onProgress } = options;
    checked(options);
    checkFunction('onProgress', onProgress);
    if (known === undefined) return;
    checkTransactionId('known', known);
    if (!knowledge.remember(reference, known))
      throw new PosInputError('known', 'is not the payment that the bridge has under this reference');
  }

  /** How the payment stands once nothing is under way: not everybody who says "done" on the port is the bridge. */
  function settled(reference: string, patience: Patience) {
    return askUntil(
      asking,
      patience,
      () => ask(asking, 'QueryPayment', referenceBody(reference), waitFor(patience), patience),
      (answer) => {
        const proof = knowledge.hear(reference, null, answer);
        return proof.kind === 'nothing' || proof.kind === 'standing' ? null : proof;
      },
    );
  }

  return {
    async pay({ reference, amount, conditionCode }, options = {}) {
      checkReference(reference);
      const wish = { amount: readAmount(amount), condition_code: readConditionCode(conditionCode) };
      checkPayOptions(reference, options);
      return payments.settle(reference, wish, options);
    },

    async resume(reference, options = {}) {
      checkReference(reference);
      checkPayOptions(reference, options);
      return payments.settle(reference, null, options);
    },

    async query(reference, options = {}) {
      const body = referenceBody(reference);
      const patience = patienceOf(asking, checked(options), queryMs);
      const { end, last } = await askUntil<QueryOutcome>(
        asking,
        patience,
        () => ask(asking, 'QueryPayment', body, 0, patience),
        (answer) => {
          const proof = knowledge.hear(reference, null, answer);
          if (proof.kind === 'nothing') return null;
          if (proof.kind === 'absent') return { outcome: 'not_found', ...saidBy(answer) };
          if (proof.kind === 'unclear') return { ...unknownAfter(answer), message: proof.message };
          return { outcome: 'found', payment: proof.payment, ...saidBy(answer) };
        },
      );
      return end ?? unknownAfter(last);
    },

    async cancel(reference, options = {}) {
      const body = referenceBody(reference);
      const patience = patienceOf(asking, checked(options), cancelMs);
      const stop = payments.stop(reference);
      const answer = await ask(asking, 'CancelPayment', body, operationWaitS, patience);
      const mayBeEarly = stop?.answered(answer) === true;
      if (answer.kind === 'success') {
        const { end, last } = await settled(reference, patience);
        const isWithout = end?.kind === 'absent' || (end?.kind === 'decided' && tookNothing(end.payment));
        return isWithout ? { outcome: 'cancelled', ...saidBy(answer) } : unknownAfter(last);
      }
      if (answer.kind === 'none' || mayBeEarly) return unknownAfter(answer);
      return decidedCancels.includes(answer.code) || isLasting(answer)
        ? { outcome: 'not_cancelled', ...refusedBy(answer) }
        : unknownAfter(answer);
    },

    async void(reference, options = {}) {
      const body = referenceBody(reference);
      const patience = patienceOf(asking, checked(options), operationMs);
      const { end, last } = await askUntil<Answer>(
        asking,
        whileFresh(patience),
        () => ask(asking, 'VoidPayment', body, operationWaitS, patience),
        (answer) => (answer.kind === 'success' || isRefusal(answer) || isLasting(answer) ? answer : null),
      );
      // A bridge that has lost the payment has lost its reversal, too.
      const isLost =
        end?.kind === 'failure' && end.code === 'payment_not_found' && knowledge.of(reference) !== null;
      if (end?.kind === 'failure' && end.notStarted && !isLost)
        return { outcome: 'not_voided', ...refusedBy(end) };
      if (end?.kind !== 'success') return unknownAfter(last);
      const after = await settled(reference, patience);
      const isVoided = after.end?.kind === 'decided' && after.end.payment.transaction_status === 'voided';
      return isVoided ? { outcome: 'voided', ...saidBy(end) } : unknownAfter(after.last);
    },

    async closeDay(options = {}) {
      const patience = patienceOf(asking, checked(options), operationMs);
      let repeated = false;
      const { end, last } = await askUntil<CloseDayOutcome>(
        asking,
        whileFresh(patience),
        () => ask(asking, 'SubmitBatch', {}, operationWaitS, patience),
        (answer) => {
          if (answer.kind === 'success' && answer.body['batch'] !== undefined) {
            const batch = answer.body['batch'] as Batch | null;
            return { outcome: 'closed', ...saidBy(answer), batch, repeated };
          }
          if (isRefusal(answer)) {
            if (!repeated) return { outcome: 'not_closed', ...refusedBy(answer) };
            // No answer says which close it is of: of the first one, or of another that began after the first had closed the
            // day. Asking the terminal again would begin one more.
            if (answer.code === 'terminal_error') return unknownClose(answer);
          }
          repeated = true;
          return isLasting(answer) ? unknownAfter(answer) : null;
        },
      );
      return end ?? unknownClose(last);
    },

    events: (options = {}) => followEvents(asking, options),
  };
}

/** Whatever else is said of a cancel, the terminal may still stop the payment, or has stopped it. */
const decidedCancels: readonly string[] = [
  'cancel_too_late',
  'cancel_not_possible',
  'no_payment_in_progress',
  'reference_mismatch',
];

function tookNothing({ transaction_status: status }: HeardPayment): boolean {
  return status === 'cancelled' || status === 'declined' || status === 'failed';
}

function referenceBody(reference: string): object {
  checkReference(reference);
  return { retrieval_reference_number: reference };
}

function checked(options: CallOptions): CallOptions {
  checkDuration('withinMs', options.withinMs);
  checkSignal(options.signal);
  return options;
}

type Failure = Extract<Answer, { kind: 'failure' }>;

/**
 * The bridge says that no money was moved, and that nothing can move any more. With `terminal_timeout` it has only stopped
 * waiting: what was asked for may still begin.
 */
function isRefusal(answer: Answer): answer is Failure {
  return answer.kind === 'failure' && answer.notStarted && answer.code !== 'terminal_timeout';
}

function saidBy({ message, simulated }: Answer): Ended {
  return { message, simulated };
}

function refusedBy({ code, message, simulated, issues }: Failure): Refused {
  return { code, message, simulated, issues };
}

function unknownAfter(last: Answer | null): Unknown {
  const code = last?.kind === 'failure' ? last.code : null;
  const { message, simulated } = last ?? { message: 'The bridge was not asked.', simulated: false };
  return { outcome: 'unknown', code, message, simulated };
}

/** The refusal of a later request must not read as if the day was open. */
function unknownClose(last: Answer | null): Unknown {
  const unknown = unknownAfter(last);
  if (last === null || !isRefusal(last)) return unknown;
  return {
    ...unknown,
    message: `An earlier request may have closed the day: look at the terminal. The last answer was: ${last.message}`,
  };
}

function askingOf(options: PosClientOptions & PosClientDependencies): Asking {
  const { url = 'http://localhost:8080', terminal, token, fetch: send, clock, random } = options;
  checkHeader('terminal', terminal);
  checkHeader('token', token);
  checkFunction('fetch', send);
  checkFunction('random', random);
  const headers: Record<string, string> = { 'x-api-version': 'v1', 'content-type': 'application/json' };
  if (terminal !== undefined) headers['x-terminal'] = terminal;
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
  return { address: readAddress(url), headers, fetch: send, clock, random };
}
