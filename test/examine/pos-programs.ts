/** POS programs to be examined: one that follows the guide, and others that each do one thing wrong. */
import type { Clock } from '../../src/base/clock.ts';
import { pause } from '../../src/base/clock.ts';
import { createPosClient } from '../../src/pos/index.ts';
import { post } from '../bridge/listener/http.ts';

/** What a POS has to call a bridge with. */
interface PosParts {
  port: number;
  clock: Clock;
  /** A reference that it has not used before. */
  newReference(): string;
}

/** Takes one payment, and gives what the till then shows. */
export type PosProgram = (parts: PosParts) => Promise<string>;

type Answer = Record<string, unknown>;

interface CallOptions {
  waitS?: number;
  timeoutMs: number;
}

/** Null: no answer within the time, or no connection. */
async function call(
  { port, clock }: PosParts,
  command: string,
  body: Answer,
  { waitS, timeoutMs }: CallOptions,
): Promise<Answer | null> {
  const end = new AbortController();
  const cancel = clock.after(timeoutMs, () => end.abort());
  try {
    const headers: Record<string, string> = waitS === undefined ? {} : { prefer: `wait=${waitS}` };
    return (await post(port, `/${command}`, body, { headers, signal: end.signal })).json;
  } catch {
    return null;
  } finally {
    cancel();
  }
}

const patient = { waitS: 60, timeoutMs: 70_000 };

function statusOf(answer: Answer | null): string {
  const status = answer?.['transaction_status'];
  return answer?.['success'] === true && typeof status === 'string' ? status : '';
}

function isDecided(status: string): boolean {
  return !['', 'in_progress', 'voiding', 'unknown'].includes(status);
}

/** The guide's `pay()`, with another pause, another wait, or another amount for each attempt. */
async function askUntilKnown(
  parts: PosParts,
  {
    everyMs = 1_000,
    options = patient,
    amountOf = () => '12.00',
  }: { everyMs?: number; options?: CallOptions; amountOf?: (attempt: number) => string },
): Promise<string> {
  const retrieval_reference_number = parts.newReference();
  for (let attempt = 0; ; attempt += 1) {
    const body = { retrieval_reference_number, amount: amountOf(attempt) };
    const answer = await call(parts, 'CreatePayment', body, options);
    if (isDecided(statusOf(answer))) return statusOf(answer);
    if (answer?.['payment_state'] === 'not_started') return 'refused';
    await pause(parts.clock, everyMs);
  }
}

export const good: PosProgram = (parts) => askUntilKnown(parts, {});

/** Tries again, with the same reference, while the terminal is busy. */
export const triesAgain: PosProgram = async (parts) => {
  const body = { retrieval_reference_number: parts.newReference(), amount: '12.00' };
  for (;;) {
    const answer = await call(parts, 'CreatePayment', body, patient);
    if (isDecided(statusOf(answer))) return statusOf(answer);
    await pause(parts.clock, 2_000);
  }
};

/** Reverses what it has no answer about, as long as it takes. */
export const reverses: PosProgram = async (parts) => {
  const retrieval_reference_number = parts.newReference();
  const payment = { retrieval_reference_number, amount: '12.00' };
  const answer = await call(parts, 'CreatePayment', payment, { waitS: 60, timeoutMs: 30_000 });
  if (answer !== null) return statusOf(answer);
  for (;;) {
    await pause(parts.clock, 1_000);
    const reversal = await call(parts, 'VoidPayment', { retrieval_reference_number }, patient);
    if (reversal?.['success'] === true) return 'voided';
  }
};

/** Our own client. */
export const ownClient: PosProgram = async ({ port, clock, newReference }) => {
  const till = createPosClient({ url: `http://127.0.0.1:${port}`, clock, random: () => 0.5 });
  return (await till.pay({ reference: newReference(), amount: '12.00' })).outcome;
};

/** Hears the outcome from the stream of events, and asks only when that has ended. */
export const listening: PosProgram = async (parts) => {
  const { port, clock } = parts;
  const retrieval_reference_number = parts.newReference();
  const end = new AbortController();
  const events = createPosClient({ url: `http://127.0.0.1:${port}`, clock, random: () => 0.5 }).events({
    signal: end.signal,
  });
  const heard = (async () => {
    for await (const event of events) {
      if (event.name !== 'payment' || event.data.retrieval_reference_number !== retrieval_reference_number)
        continue;
      if (isDecided(event.data.transaction_status)) return event.data.transaction_status;
    }
    return '';
  })();
  const payment = { retrieval_reference_number, amount: '12.00' };
  const answer = await call(parts, 'CreatePayment', payment, { timeoutMs: 5_000 });
  if (answer?.['payment_state'] === 'not_started') {
    end.abort();
    await heard.catch(() => {});
    return 'refused';
  }
  const status = await heard;
  end.abort();
  return status;
};

/** Asks by QueryPayment, and without `Prefer`. */
export const polling: PosProgram = async (parts) => {
  const retrieval_reference_number = parts.newReference();
  const payment = { retrieval_reference_number, amount: '12.00' };
  let answer = await call(parts, 'CreatePayment', payment, { timeoutMs: 5_000 });
  while (!isDecided(statusOf(answer)) && answer?.['payment_state'] !== 'not_started') {
    await pause(parts.clock, 2_000);
    answer = await call(parts, 'QueryPayment', { retrieval_reference_number }, { timeoutMs: 5_000 });
    if (answer?.['code'] === 'payment_not_found') return 'refused';
  }
  return statusOf(answer);
};

/** After 30 seconds without an answer it begins anew, under a new reference. */
export const beginsAnew: PosProgram = async (parts) => {
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const body = { retrieval_reference_number: parts.newReference(), amount: '12.00' };
    const answer = await call(parts, 'CreatePayment', body, { waitS: 60, timeoutMs: 30_000 });
    if (answer !== null) return statusOf(answer);
    await pause(parts.clock, 1_000);
  }
  return 'given up';
};

/** Takes `success` for "paid". */
export const trusting: PosProgram = async (parts) => {
  const body = { retrieval_reference_number: parts.newReference(), amount: '12.00' };
  const answer = await call(parts, 'CreatePayment', body, { timeoutMs: 30_000 });
  return answer?.['success'] === true ? 'approved' : 'refused';
};

/** Takes a time-out for "not paid". */
export const givesUp: PosProgram = async (parts) => {
  const body = { retrieval_reference_number: parts.newReference(), amount: '12.00' };
  const answer = await call(parts, 'CreatePayment', body, { waitS: 60, timeoutMs: 30_000 });
  return statusOf(answer);
};

/** Asks again at once, as long as the outcome is not known. */
export const hammering: PosProgram = (parts) =>
  askUntilKnown(parts, { everyMs: 20, options: { timeoutMs: 5_000 } });

/** Adds something to the amount when it repeats. */
export const otherAmount: PosProgram = (parts) =>
  askUntilKnown(parts, { amountOf: (attempt) => (attempt === 0 ? '12.00' : '12.50') });

/** Sends numbers for amounts. */
export const malformed: PosProgram = async (parts) => {
  const body = { retrieval_reference_number: parts.newReference(), amount: 12 };
  return statusOf(await call(parts, 'CreatePayment', body, patient));
};

/** Has one reference for every customer. */
export const oneReference: PosProgram = (parts) => good({ ...parts, newReference: () => 'SALE' });
