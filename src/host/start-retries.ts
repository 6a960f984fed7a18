/**
 * What could not be started is tried again, for ever: what kept it (a full disk, a program on the port) may go away. What
 * only a person can change (wrong settings, a journal of a newer version) is not.
 */
import type { Clock } from '../base/clock.ts';

export interface StartRetries {
  /** When it is tried next, as an ISO time; null: it is not. */
  readonly nextTryAt: string | null;
  /** It has failed, once more or for the first time: `again` is called after the next pause. */
  failed(): void;
  /** It has started, or nobody wants it any more. The next failure is a first one. */
  over(): void;
}

/** Between a failure and the next try; the last one is for all that follow. */
const pausesMs = [2_000, 4_000, 8_000, 15_000, 30_000, 60_000, 120_000, 300_000];

export function createStartRetries(clock: Clock, again: () => void): StartRetries {
  let failures = 0;
  let nextTryAt: string | null = null;
  let cancel = () => {};
  return {
    get nextTryAt() {
      return nextTryAt;
    },
    failed() {
      cancel();
      const pauseMs = pausesMs[Math.min(failures, pausesMs.length - 1)] ?? 0;
      failures += 1;
      nextTryAt = new Date(clock.now() + pauseMs).toISOString();
      cancel = clock.after(pauseMs, again);
    },
    over() {
      cancel();
      failures = 0;
      nextTryAt = null;
    },
  };
}
