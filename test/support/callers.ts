import type { Clock } from '../../src/base/clock.ts';
import type { Caller } from '../../src/bridge/payments/index.ts';

/** Whoever asks at this moment: all that it has sent is read, it stays, and does not wait for the end. */
export function callerNow(clock: Clock, more: Partial<Caller> = {}): Caller {
  return {
    arrivedAt: { nowMs: clock.now(), elapsedMs: clock.elapsed() },
    allRead: () => Promise.resolve(),
    gone: () => false,
    waits: false,
    ...more,
  };
}
