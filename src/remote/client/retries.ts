/**
 * When a request is sent again, and after which pause.
 *
 * A GET always may. A PATCH may when it carries a strong entity tag in If-Match: once the first one was carried out, the
 * tag no longer fits, so that it happens at most once. Anything else (POST, "*", a PATCH of an earlier version, which may
 * not heed If-Match) only when there was no connection, or the service refused it as one too many: the service's ways with
 * repeats are not documented. Whoever knows its header for them names it (`idempotencyHeader`), and vouches for it.
 */
import type { Operation } from '../catalogue/index.ts';
import type { HttpResult } from '../../base/fetch-once.ts';

export interface RetryPolicy {
  /** How often a request is sent at most. 1: never again. */
  maxAttempts: number;
  /** The pause after the first failure is at most this, in milliseconds; each next one may be twice as long. */
  firstPauseMs: number;
  maxPauseMs: number;
  /** A longer Retry-After ends the call instead. */
  maxRetryAfterMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  maxAttempts: 4,
  firstPauseMs: 250,
  maxPauseMs: 8_000,
  maxRetryAfterMs: 60_000,
};

/** "Not now", of which nobody knows how far the request came. */
const passingStatuses = [502, 503, 504];
/** RFC 6585: refused before it was looked at. */
const tooMany = 429;

export function mayRepeat(
  { method, needsIfMatch }: Pick<Operation, 'method' | 'needsIfMatch'>,
  ifMatch: string | null,
  hasIdempotencyKey: boolean,
): boolean {
  return (
    method === 'GET' ||
    hasIdempotencyKey ||
    (method === 'PATCH' && needsIfMatch && ifMatch?.startsWith('"') === true)
  );
}

/**
 * The pause before the next attempt in milliseconds; null: no further attempt. `attempt` counts from 1. `random` gives
 * from 0 to 1: the whole pause is drawn, so that many clients do not come back together.
 */
export function pauseBeforeNext(
  result: HttpResult,
  attempt: number,
  repeatable: boolean,
  policy: RetryPolicy,
  now: number,
  random: () => number,
): number | null {
  if (attempt >= policy.maxAttempts) return null;
  const notDone = result.kind === 'failed' ? result.reason === 'not-connected' : result.status === tooMany;
  const passing =
    result.kind === 'failed'
      ? result.reason === 'network' || result.reason === 'timeout'
      : passingStatuses.includes(result.status);
  if (!notDone && !(repeatable && passing)) return null;
  const drawn = random() * Math.min(policy.firstPauseMs * 2 ** (attempt - 1), policy.maxPauseMs);
  const asked = result.kind === 'response' ? retryAfterMs(result.headers, now) : null;
  if (asked === null) return drawn;
  return asked > policy.maxRetryAfterMs ? null : asked + drawn;
}

/** RFC 9110, 10.2.3: seconds, or a date. Null: there is none that can be read. */
export function retryAfterMs(headers: Headers, now: number): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const at = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
