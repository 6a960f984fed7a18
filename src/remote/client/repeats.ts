/** Sends what does no harm when it is sent again, until there is an answer that stands. */
import { pause, type Clock } from '../../base/clock.ts';
import type { HttpRequest, HttpResult } from '../../base/fetch-once.ts';
import { pauseBeforeNext, type RetryPolicy } from './retries.ts';

export interface Repeats {
  send: (request: HttpRequest) => Promise<HttpResult>;
  clock: Clock;
  /** From 0 to 1. */
  random: () => number;
  retry: RetryPolicy;
}

/** Never rejects. */
export async function sendRepeated(request: HttpRequest, repeats: Repeats): Promise<HttpResult> {
  const { send, clock, random, retry } = repeats;
  for (let attempt = 1; ; attempt += 1) {
    const result = await send(request);
    const pauseMs = pauseBeforeNext(result, attempt, true, retry, clock.now(), random);
    if (pauseMs === null) return result;
    await pause(clock, pauseMs);
  }
}
