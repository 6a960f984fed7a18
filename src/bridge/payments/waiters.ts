/** People and requests that wait for something to come true; checked whenever an event has been written. */
import type { Clock } from '../../base/clock.ts';

export interface Waiters {
  /** What `find` finds, as soon as it is not null; null after `waitMs` or when `signal` aborts. */
  wait<T>(find: () => T | null, waitMs: number, signal?: AbortSignal): Promise<T | null>;
  check(): void;
  releaseAll(): void;
}

export function createWaiters(clock: Clock): Waiters {
  const waiting = new Set<{ find(): void; release(): void }>();
  return {
    wait(find, waitMs, signal) {
      const now = find();
      if (now !== null || waitMs <= 0 || signal?.aborted === true) return Promise.resolve(now);
      return new Promise((resolve) => {
        const end = (value: ReturnType<typeof find>) => {
          waiting.delete(waiter);
          cancelTimer();
          signal?.removeEventListener('abort', release);
          resolve(value);
        };
        const release = () => end(null);
        const waiter = {
          find() {
            const found = find();
            if (found !== null) end(found);
          },
          release,
        };
        const cancelTimer = clock.after(waitMs, release);
        signal?.addEventListener('abort', release);
        waiting.add(waiter);
      });
    },
    check() {
      for (const waiter of waiting) waiter.find();
    },
    releaseAll() {
      for (const waiter of waiting) waiter.release();
    },
  };
}
