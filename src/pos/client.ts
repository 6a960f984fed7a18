/** The five commands and the events of one bridge, as a till wants them: each call ends with what is known. */
import type { Clock } from '../base/clock.ts';
import type { Batch, ErrorCode, Issue, OpenEnum, Payment } from './answers.ts';
import { ask, askUntil, isLasting, patienceOf, type Asking, type CallOptions } from './asking.ts';
import { followEvents, type EventsOptions, type PosEvent } from './events.ts';
import {
  checkAmount,
  checkConditionCode,
  checkDuration,
  checkFunction,
  checkHeader,
  checkReference,
  checkSignal,
  PosInputError,
  readAddress,
} from './input.ts';
import { settlePayment, type PayOutcome, type PayProgress, type Wish } from './payment.ts';
import { readPayment, type Answer } from './read-answer.ts';

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
   * before you call, and call again with it after a crash.
   */
  reference: string;
  /** "12.00": a string with two decimals, more than zero. */
  amount: string;
  /** ISO 8583 field 25; "00" when left out. */
  conditionCode?: string | undefined;
}

export interface PayOptions extends CallOptions {
  /** Hears how the payment stands, for the cashier. Whatever it throws changes nothing. */
  onProgress?: ((progress: PayProgress) => void) | undefined;
}

/** What a call failed with. */
interface Refused {
  code: OpenEnum<ErrorCode>;
  /** A sentence that a cashier can read. */
  message: string;
  issues: readonly Issue[];
}

/** Nobody can tell. */
interface Unknown {
  outcome: 'unknown';
  code: OpenEnum<ErrorCode> | null;
  message: string;
}

export type CancelOutcome =
  /** The payment ended without money, or was never begun. */
  | { outcome: 'cancelled'; message: string }
  /** It was not stopped: `cancel_too_late`, `cancel_not_possible`, `no_payment_in_progress` … */
  | ({ outcome: 'not_cancelled' } & Refused)
  | Unknown;

export type VoidOutcome =
  | { outcome: 'voided'; message: string }
  /** The payment is not reversed. */
  | ({ outcome: 'not_voided' } & Refused)
  | Unknown;

export type CloseDayOutcome =
  /**
   * The terminal closed its day. `batch` is null when there was nothing to settle. After `repeated`, an earlier request of
   * this call had no answer: it may have been the one that closed the day.
   */
  | { outcome: 'closed'; message: string; batch: Batch | null; repeated: boolean }
  | ({ outcome: 'not_closed' } & Refused)
  | Unknown;

export type QueryOutcome =
  | { outcome: 'found'; payment: Payment }
  /** The bridge knows no payment with this reference: nothing was charged. */
  | { outcome: 'not_found'; message: string }
  | Unknown;

/** All calls throw PosInputError for what is no right request, before anything is sent, and for nothing else. */
export interface PosClient {
  /**
   * Takes a payment, and asks for it as long as it takes: through time-outs, dropped connections and restarts of the
   * bridge, always with the same reference. Safe to call again, also after a crash of the till; a call while one with the
   * same reference is under way joins it.
   *
   * `withinMs`: 5 minutes when left out; then the outcome is `unknown`.
   */
  pay(payment: PaymentRequest, options?: PayOptions): Promise<PayOutcome>;
  /** As `pay`, for a payment that was begun before, such as before a crash of the till: starts nothing. */
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
const payMs = 5 * minute;
const operationMs = 5 * minute;
const queryMs = 30_000;
/** The bridge waits 30 s for the terminal's word. */
const cancelMs = 45_000;
/** As the bridge does when it is asked for nothing else. */
const operationWaitS = 60;

/** Throws PosInputError. Sends nothing yet. */
export function createClient(options: PosClientOptions & PosClientDependencies): PosClient {
  const asking = askingOf(options);
  /** Payments that are under way, by their references. */
  const wishes = new Map<string, { wish: Wish; ending: Promise<PayOutcome> }>();

  function settle(reference: string, body: object | null, options: PayOptions): Promise<PayOutcome> {
    const known = wishes.get(reference);
    if (known !== undefined) return join(known, body);
    const wish: Wish = { reference, body, stopped: false };
    const patience = patienceOf(asking, options, payMs);
    const ending = settlePayment(asking, wish, patience, (progress) => {
      try {
        options.onProgress?.(progress);
      } catch (error) {
        // Not the payment's fault, and not its end.
        console.error(error);
      }
    }).finally(() => wishes.delete(reference));
    wishes.set(reference, { wish, ending });
    return ending;
  }

  return {
    async pay({ reference, amount, conditionCode }, options = {}) {
      checkReference(reference);
      checkAmount(amount);
      checkConditionCode(conditionCode);
      checkPayOptions(options);
      const code = conditionCode === undefined ? {} : { condition_code: conditionCode };
      return settle(reference, { amount, retrieval_reference_number: reference, ...code }, options);
    },

    async resume(reference, options = {}) {
      checkReference(reference);
      checkPayOptions(options);
      return settle(reference, null, options);
    },

    async query(reference, options = {}) {
      const body = referenceBody(reference);
      const patience = patienceOf(asking, checked(options), queryMs);
      const { end, last } = await askUntil<QueryOutcome>(
        asking,
        patience,
        () => ask(asking, 'QueryPayment', body, 0, patience),
        (answer) => {
          const payment = readPayment(answer, reference);
          if (payment !== null) return { outcome: 'found', payment };
          const { kind, message } = answer;
          if (kind === 'failure' && answer.code === 'payment_not_found')
            return { outcome: 'not_found', message };
          return isLasting(answer) ? unknownAfter(answer) : null;
        },
      );
      return end ?? unknownAfter(last);
    },

    async cancel(reference, options = {}) {
      const body = referenceBody(reference);
      const patience = patienceOf(asking, checked(options), cancelMs);
      const under = wishes.get(reference);
      // Before it is sent: a bridge that comes back later must not be asked to begin what somebody has stopped.
      if (under !== undefined) under.wish.stopped = true;
      const answer = await ask(asking, 'CancelPayment', body, operationWaitS, patience);
      if (answer.kind === 'success') return { outcome: 'cancelled', message: answer.message };
      const open = answer.kind === 'none' || undecidedCancels.includes(answer.code);
      return open ? unknownAfter(answer) : { outcome: 'not_cancelled', ...refusedBy(answer) };
    },

    async void(reference, options = {}) {
      const body = referenceBody(reference);
      const patience = patienceOf(asking, checked(options), operationMs);
      const { end, last } = await askUntil<VoidOutcome>(
        asking,
        patience,
        () => ask(asking, 'VoidPayment', body, operationWaitS, patience),
        (answer) => {
          if (answer.kind === 'success') return { outcome: 'voided', message: answer.message };
          if (answer.kind === 'failure' && answer.notStarted)
            return { outcome: 'not_voided', ...refusedBy(answer) };
          return isLasting(answer) ? unknownAfter(answer) : null;
        },
      );
      return end ?? unknownAfter(last);
    },

    async closeDay(options = {}) {
      const patience = patienceOf(asking, checked(options), operationMs);
      let repeated = false;
      const { end, last } = await askUntil<CloseDayOutcome>(
        asking,
        patience,
        () => ask(asking, 'SubmitBatch', {}, operationWaitS, patience),
        (answer) => {
          if (answer.kind === 'success') {
            const batch = (answer.body['batch'] ?? null) as Batch | null;
            return { outcome: 'closed', message: answer.message, batch, repeated };
          }
          // An earlier request may have closed the day; only of the first one is this the whole truth.
          if (answer.kind === 'failure' && answer.notStarted && !repeated)
            return { outcome: 'not_closed', ...refusedBy(answer) };
          repeated = true;
          return isLasting(answer) ? unknownAfter(answer) : null;
        },
      );
      return end ?? unknownAfter(last);
    },

    events: (options = {}) => followEvents(asking, options),
  };
}

/** The terminal may still stop it, or has stopped it. */
const undecidedCancels: readonly string[] = ['terminal_timeout', 'internal_error', 'journal_unavailable'];

function join(
  { wish, ending }: { wish: Wish; ending: Promise<PayOutcome> },
  body: object | null,
): Promise<PayOutcome> {
  const same = body === null || wish.body === null || JSON.stringify(body) === JSON.stringify(wish.body);
  if (!same)
    throw new PosInputError(
      'reference',
      'is of another payment that is under way: with another amount or code',
    );
  return ending;
}

function referenceBody(reference: string): object {
  checkReference(reference);
  return { retrieval_reference_number: reference };
}

function checkPayOptions(options: PayOptions): void {
  checked(options);
  checkFunction('onProgress', options.onProgress);
}

function checked(options: CallOptions): CallOptions {
  checkDuration('withinMs', options.withinMs);
  checkSignal(options.signal);
  return options;
}

function refusedBy({ code, message, issues }: Extract<Answer, { kind: 'failure' }>): Refused {
  return { code, message, issues };
}

function unknownAfter(last: Answer | null): Unknown {
  const code = last?.kind === 'failure' ? last.code : null;
  return { outcome: 'unknown', code, message: last?.message ?? 'The bridge was not asked.' };
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
