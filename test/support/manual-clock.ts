import type { Clock } from '../../src/contract/clock.ts';

export interface ManualClock extends Clock {
  /** Lets everything settle that needs no time, then moves on and calls what is due, in its order. */
  advance(byMs: number): Promise<void>;
  /** How many timers wait. */
  readonly waiting: number;
}

/** Turns of the event loop in which bytes on memory lines and promises come to rest. */
const settlingTurns = 30;

/** A clock that stands still until a test moves it. */
export function createManualClock(startsAt = Date.UTC(2024, 5, 3, 10, 20, 30)): ManualClock {
  let elapsedMs = 0;
  let timers: { dueMs: number; call: () => void }[] = [];

  return {
    now: () => startsAt + elapsedMs,
    elapsed: () => elapsedMs,
    after(delayMs, call) {
      const timer = { dueMs: elapsedMs + Math.max(0, delayMs), call };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    async advance(byMs) {
      const untilMs = elapsedMs + byMs;
      for (;;) {
        await settle();
        const [next] = timers.filter(({ dueMs }) => dueMs <= untilMs).sort((a, b) => a.dueMs - b.dueMs);
        if (next === undefined) break;
        elapsedMs = Math.max(elapsedMs, next.dueMs);
        timers = timers.filter((other) => other !== next);
        next.call();
      }
      elapsedMs = untilMs;
    },
    get waiting() {
      return timers.length;
    },
  };
}

/** Until bytes on memory lines and promises have come to rest. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < settlingTurns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
