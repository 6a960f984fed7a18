/** Ends of waiting: signals that abort, and deadlines. */
import type { Clock } from './clock.ts';

/** What `work` gives, or null as soon as `signal` aborts; the work itself goes on. Rejects as `work` does. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve(null);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

export interface Deadline {
  /** Aborts when the time is over. */
  readonly signal: AbortSignal;
  readonly passed: boolean;
  /** The time no longer matters. May be called twice. */
  cancel(): void;
}

export function startDeadline(clock: Pick<Clock, 'after'>, delayMs: number): Deadline {
  const controller = new AbortController();
  return {
    signal: controller.signal,
    get passed() {
      return controller.signal.aborted;
    },
    cancel: clock.after(delayMs, () => controller.abort()),
  };
}

/** What `work` gives, or null after `delayMs`; the work itself goes on. Rejects as `work` does. */
export async function within<T>(
  clock: Pick<Clock, 'after'>,
  delayMs: number,
  work: Promise<T>,
): Promise<T | null> {
  const deadline = startDeadline(clock, delayMs);
  try {
    return await orAborted(work, deadline.signal);
  } finally {
    deadline.cancel();
  }
}
