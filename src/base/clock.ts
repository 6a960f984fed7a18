/** Time is injected: the wall clock stamps facts for people and proves nothing; timers count elapsed time only. */
export interface Clock {
  /** Wall clock, milliseconds since 1970. May jump in either direction. */
  now(): number;
  /** Elapsed milliseconds from an arbitrary start; never goes back. */
  elapsed(): number;
  /** Calls once after `delayMs`; returns a function that cancels. */
  after(delayMs: number, call: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(delayMs, call) {
    const timer = setTimeout(call, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Waits `delayMs`, or less when one of `signals` aborts. Never rejects. */
export function pause(
  clock: Clock,
  delayMs: number,
  ...signals: readonly (AbortSignal | undefined)[]
): Promise<void> {
  return new Promise((resolve) => {
    if (signals.some((signal) => signal?.aborted === true)) return resolve();
    const done = () => {
      cancel();
      for (const signal of signals) signal?.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(delayMs, done);
    for (const signal of signals) signal?.addEventListener('abort', done);
  });
}

/**
 * A deadline for something that the other side sends. When it is over, bytes that have already arrived are read first
 * (one more turn of the event loop), so that a busy machine does not take a prompt peer for a silent one. Returns what
 * cancels it.
 */
export function peerDeadline(clock: Clock, delayMs: number, call: () => void): () => void {
  let cancel = clock.after(delayMs, () => {
    cancel = clock.after(0, call);
  });
  return () => cancel();
}
