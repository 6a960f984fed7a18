/** Wakes whoever waits, before the time is over. Ringing costs nothing while nobody waits: it is rung in the middle of payments. */
import { pause, type Clock } from '../../base/clock.ts';

export interface Bell {
  ring(): void;
  /** Until it rings, `ms` are over, or `signal` aborts. Not at all when they are over already. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

export function createBell(clock: Clock): Bell {
  /** Null: nobody waits. */
  let rung: AbortController | null = null;
  return {
    ring() {
      const waiting = rung;
      rung = null;
      waiting?.abort();
    },
    wait(ms, signal) {
      rung ??= new AbortController();
      return pause(clock, Math.max(0, ms), rung.signal, signal);
    },
  };
}
