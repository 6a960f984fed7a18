/** A clock for who talks to a real server: pauses are skipped and remembered, and what is a deadline never comes. */
import type { Clock } from '../../src/base/clock.ts';

export interface SkippingClock extends Clock {
  /** Pauses that were asked for, in milliseconds. */
  pauses: number[];
  /** Goes on by this. */
  skip(ms: number): void;
}

export function createSkippingClock(
  isDeadline: (delayMs: number) => boolean,
  options: { /** The time of day moves on by what was skipped. */ moves?: boolean } = {},
): SkippingClock {
  let aheadMs = 0;
  const pauses: number[] = [];
  return {
    pauses,
    skip: (ms) => void (aheadMs += ms),
    now: () => Date.UTC(2026, 2, 26, 8, 0, 0) + aheadMs,
    elapsed: () => aheadMs,
    after(delayMs, call) {
      if (isDeadline(delayMs)) return () => {};
      pauses.push(delayMs);
      const turn = setImmediate(() => {
        if (options.moves === true) aheadMs += delayMs;
        call();
      });
      return () => clearImmediate(turn);
    },
  };
}
