/** What a POS can know of its payments, from the answers that it got: the ground of every judgement. */
import { isDecided, transactionStatusSchema } from '../contract/operation.ts';
import type { Call } from './call-log.ts';

/** A reference that the POS has asked to be paid. Times are elapsed milliseconds of the examination's clock. */
export interface Attempt {
  reference: string;
  startedMs: number;
  /** Null while nobody knows how it ended; also where the bridge began nothing. */
  decidedMs: number | null;
  /** What the terminal has charged for it, in minor units; null: nothing. */
  chargedMinor: number | null;
}

/**
 * What the last request about a payment brought: `decided` once any answer has told the outcome; `undecided` for a success
 * without one (`status` tells which); `failure` for one that says nothing about the money; `silence` for no answer.
 */
export type Knowledge =
  | { kind: 'decided' }
  | { kind: 'undecided'; status: string }
  | { kind: 'failure'; code: string }
  | { kind: 'silence' };

const asking = ['/CreatePayment', '/QueryPayment'];

/** The reference that a call names, or null. */
export function referenceOf({ asked }: Call): string | null {
  const reference = asked?.['retrieval_reference_number'];
  return typeof reference === 'string' ? reference : null;
}

export function isCreate({ path }: Call): boolean {
  return path === '/CreatePayment';
}

/** A request that asks, or asks again, what became of this payment. */
export function asksAbout(call: Call, reference: string): boolean {
  return asking.includes(call.path) && referenceOf(call) === reference;
}

/**
 * Every reference that was asked to be paid in these calls, oldest first: the payments that came of it, and those of which
 * none did. Left out are those of `earlier` scenes.
 */
export function attemptsOf(
  calls: readonly Call[],
  payments: readonly Attempt[],
  earlier: ReadonlySet<string>,
): Attempt[] {
  const attempts = new Map<string, Attempt>();
  for (const call of calls.filter(isCreate)) {
    const reference = referenceOf(call);
    if (reference === null || attempts.has(reference) || earlier.has(reference)) continue;
    const made = payments.find((payment) => payment.reference === reference);
    const none = { reference, startedMs: call.atMs, decidedMs: null, chargedMinor: null };
    attempts.set(reference, made === undefined ? none : { ...made, startedMs: call.atMs });
  }
  return [...attempts.values()];
}

/** What `calls` have told about it by `atMs`. */
export function knowledgeAt(calls: readonly Call[], attempt: Attempt, atMs: number): Knowledge {
  const { reference, startedMs } = attempt;
  let known: Knowledge = { kind: 'silence' };
  const over = calls
    .filter(({ endedMs }) => endedMs !== null && endedMs <= atMs)
    .toSorted((one, other) => (one.endedMs ?? 0) - (other.endedMs ?? 0));
  for (const call of over) {
    if (endsPayment(call, reference, startedMs)) return { kind: 'decided' };
    if (!asksAbout(call, reference)) continue;
    known = call.end === 'answered' ? toldBy(call) : { kind: 'silence' };
    if (known.kind === 'decided') return known;
  }
  return toldByEvents(calls, attempt, atMs) ? { kind: 'decided' } : known;
}

function toldBy({ answer }: Call): Knowledge {
  const body = answer?.body ?? {};
  if (body['success'] === true) {
    const status = transactionStatusSchema.safeParse(body['transaction_status']);
    if (status.success && isDecided(status.data)) return { kind: 'decided' };
    return { kind: 'undecided', status: status.success ? status.data : '' };
  }
  const code = textOf(body['code']);
  const notStarted = body['payment_state'] === 'not_started' || code === 'payment_not_found';
  return notStarted ? { kind: 'decided' } : { kind: 'failure', code };
}

/** A cancel or a void that succeeded has told that there is no money; a cancel that came too late, that it is paid. */
function endsPayment(call: Call, reference: string, startedMs: number): boolean {
  if (call.end !== 'answered') return false;
  const { success, code } = call.answer?.body ?? {};
  const named = referenceOf(call);
  if (call.path === '/VoidPayment') return success === true && named === reference;
  const tells = call.path === '/CancelPayment' && (success === true || code === 'cancel_too_late');
  return tells && (named === reference || (named === null && startedMs <= (call.endedMs ?? 0)));
}

/** A stream of events was open when it was decided, or has been asked since then for what was missed. */
function toldByEvents(calls: readonly Call[], { decidedMs }: Attempt, nowMs: number): boolean {
  if (decidedMs === null || decidedMs > nowMs) return false;
  return calls.some(
    ({ path, atMs, endedMs, replays }) =>
      path === '/events' &&
      atMs <= nowMs &&
      (endedMs === null || endedMs >= decidedMs) &&
      (atMs <= decidedMs || replays),
  );
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
