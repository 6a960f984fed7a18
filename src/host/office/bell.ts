/** Wakes whoever waits, before the time is over. */
import { pause, type Clock } from '../../base/clock.ts';

export interface Bell {
  ring(): void;
  /** Until it rings, `ms` are over, or `signal` aborts. Not at all when they are over already. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

export function createBell(clock: Clock): Bell {
  let rung = new AbortController();
  return {
    ring() {
      const waiting = rung;
      rung = new AbortController();
      waiting.abort();
    },
    wait: (ms, signal) => pause(clock, Math.max(0, ms), rung.signal, signal),
  };
}
