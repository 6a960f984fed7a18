/** How the client asks: one command, or the same again until its answer says what the caller has to know. */
import { pause, type Clock } from '../base/clock.ts';
import { fetchOnce } from '../base/fetch-once.ts';
import { readAnswer, type Answer } from './read-answer.ts';

export interface Asking {
  readonly address: string;
  /** Of every request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  /** From 0 up to, not including, 1: so that tills that lost the same bridge do not come back together. */
  readonly random: () => number;
}

/** What a call may be told beside what it asks for. */
export interface CallOptions {
  /** How long it asks at most, in milliseconds. */
  withinMs?: number | undefined;
  /** Ends the asking, and nothing else: a payment on the terminal goes on. */
  signal?: AbortSignal | undefined;
}

/** The time of one call. */
export interface Patience {
  leftMs(): number;
  /** Nothing more is to be asked. */
  over(): boolean;
  /** The time is not over by the wall clock either: a computer that slept for hours begins nothing that was wanted then. */
  isFresh(): boolean;
  readonly signal: AbortSignal | null;
}

export type Command = 'CreatePayment' | 'QueryPayment' | 'CancelPayment' | 'VoidPayment' | 'SubmitBatch';

/** Beyond what the bridge itself takes: it may read the terminal's last record first, for 5 s. */
const answerMs = 15_000;
/** The longest that the bridge is asked to hold one answer, in seconds; a proxy might cut longer ones. */
const longestWaitS = 60;
/** The same for what is not a payment, as the bridge does when it is asked for nothing else. */
export const operationWaitS = 60;
const firstPauseMs = 1_000;
const longestPauseMs = 10_000;

export function patienceOf({ clock }: Asking, { withinMs, signal }: CallOptions, usualMs: number): Patience {
  const endsAtMs = clock.elapsed() + (withinMs ?? usualMs);
  // Whole ones, as timers count: a clock may have fractions.
  const leftMs = () => Math.max(0, Math.ceil(endsAtMs - clock.elapsed()));
  const endsAtWallMs = clock.now() + leftMs();
  const over = () => leftMs() === 0 || signal?.aborted === true;
  return { leftMs, signal: signal ?? null, over, isFresh: () => !over() && clock.now() < endsAtWallMs };
}

/** The same for what must not be asked for late. */
export function whileFresh(patience: Patience): Patience {
  return { ...patience, over: () => !patience.isFresh() };
}

/** For how long the bridge may hold the answer about a payment, in seconds; a decided one is answered at once. */
export function waitFor(patience: Patience): number {
  return Math.min(longestWaitS, Math.floor(patience.leftMs() / 1_000));
}

/** Sends `command` once. `waitS`: how long the bridge may hold its answer (`Prefer: wait`), in seconds. */
export async function ask(
  asking: Asking,
  command: Command,
  body: object,
  waitS: number,
  patience: Patience,
): Promise<Answer> {
  const requestId = newRequestId(asking.random);
  const request = {
    url: `${asking.address}/${command}`,
    method: 'POST',
    headers: {
      ...asking.headers,
      'x-request-id': requestId,
      ...(waitS > 0 ? { prefer: `wait=${waitS}` } : {}),
    },
    body: JSON.stringify(body),
  };
  const timeoutMs = Math.min(waitS * 1_000 + answerMs, patience.leftMs());
  const { fetch: send, clock } = asking;
  const result = await fetchOnce(request, { fetch: send, clock, timeoutMs, signal: patience.signal });
  return readAnswer(result, requestId);
}

/** Of letters alone: no digits that the bridge could take for a card number. */
function newRequestId(random: () => number): string {
  return Array.from({ length: 20 }, () => String.fromCharCode(97 + Math.floor(26 * random()))).join('');
}

/** The pauses between two requests of one call: longer and longer while nothing is heard. */
export function createPauses({ clock, random }: Asking, { leftMs, signal }: Patience) {
  let nextMs = firstPauseMs;
  return {
    async pause(): Promise<void> {
      const delayMs = Math.round(nextMs * (0.5 + random() / 2));
      nextMs = Math.min(longestPauseMs, 2 * nextMs);
      await pause(clock, Math.min(delayMs, leftMs()), signal ?? undefined);
    },
    /** The bridge is there. */
    heard(): void {
      nextMs = firstPauseMs;
    },
  };
}

/**
 * Asks again and again until `endOf` makes something of the answer. Null when the patience is over, with the last words
 * that came.
 */
export async function askUntil<End>(
  asking: Asking,
  patience: Patience,
  send: () => Promise<Answer>,
  endOf: (answer: Answer) => End | null,
): Promise<{ end: End | null; last: Answer | null }> {
  const pauses = createPauses(asking, patience);
  let last: Answer | null = null;
  while (!patience.over()) {
    last = await send();
    const end = endOf(last);
    if (end !== null) return { end, last };
    await pauses.pause();
  }
  return { end: null, last };
}

/** What the same request will be answered again until somebody changes the till or the bridge's settings. */
const lastingCodes: readonly string[] = [
  'unauthorized',
  'host_not_allowed',
  'origin_not_allowed',
  'api_version_missing',
  'api_version_unsupported',
  'unknown_terminal',
  'invalid_json',
  'invalid_request',
  'not_found',
  'method_not_allowed',
  'unsupported_media_type',
  'body_too_large',
  'headers_too_large',
  'reference_conflict',
  'reference_on_other_terminal',
];

/** Whether asking again is of no use. */
export function isLasting(answer: Answer): boolean {
  return answer.kind === 'failure' && lastingCodes.includes(answer.code);
}
