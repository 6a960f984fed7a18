/** Time for a replay: it stands still, and goes on from timer to timer when it is told to. */
import type { Clock } from '../../base/clock.ts';

export interface ReplayClock extends Clock {
  /** Goes on to this moment, in milliseconds of `elapsed`, and calls what is due on the way, in its order. */
  goTo(momentMs: number): Promise<void>;
}

interface Timer {
  dueMs: number;
  call: () => void;
}

/** `startsAt`: of the wall clock, in milliseconds since 1970. */
export function createReplayClock(startsAt: number): ReplayClock {
  const timers = new Set<Timer>();
  let elapsedMs = 0;
  return {
    now: () => startsAt + elapsedMs,
    elapsed: () => elapsedMs,
    after(delayMs, call) {
      const timer = { dueMs: elapsedMs + Math.max(0, delayMs), call };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async goTo(momentMs) {
      await settled();
      for (let next = earliest(timers, momentMs); next !== null; next = earliest(timers, momentMs)) {
        elapsedMs = Math.max(elapsedMs, next.dueMs);
        timers.delete(next);
        next.call();
        await settled();
      }
      elapsedMs = Math.max(elapsedMs, momentMs);
    },
  };
}

/** Of those that are due together, the one that was set first; null: none is due by then. */
function earliest(timers: Iterable<Timer>, momentMs: number): Timer | null {
  let first: Timer | null = null;
  for (const timer of timers)
    if (timer.dueMs <= momentMs && (first === null || timer.dueMs < first.dueMs)) first = timer;
  return first;
}

/** In a turn of the event loop all promises come to rest; a driver waits for nothing else than those and the clock. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
