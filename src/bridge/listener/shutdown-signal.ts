/**
 * The end of one run of the listener, in two steps: `began` ends what only waits (event streams, `Prefer: wait`),
 * `cutOff` ends what was allowed to finish.
 */
export interface ShutdownSignal {
  readonly began: AbortSignal;
  readonly cutOff: AbortSignal;
  begin(): void;
  cut(): void;
}

export function createShutdownSignal(): ShutdownSignal {
  const began = new AbortController();
  const cutOff = new AbortController();
  return {
    began: began.signal,
    cutOff: cutOff.signal,
    begin: () => began.abort(),
    cut() {
      began.abort();
      cutOff.abort();
    },
  };
}

/** What `work` gives, or null as soon as `signal` aborts; the work itself goes on. Rejects as `work` does. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve(null);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
