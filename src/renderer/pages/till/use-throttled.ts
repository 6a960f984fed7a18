import { useCallback, useEffect, useRef } from 'react';

/** Calls `work` at once, but not more often than every `everyMs`: what comes in between is done once, later. */
export function useThrottled(work: () => void, everyMs: number): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const lastMs = useRef(Number.NEGATIVE_INFINITY);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );
  return useCallback(() => {
    if (timer.current !== null) return;
    const run = () => {
      timer.current = null;
      lastMs.current = performance.now();
      work();
    };
    const restMs = lastMs.current + everyMs - performance.now();
    if (restMs <= 0) run();
    else timer.current = setTimeout(run, restMs);
  }, [work, everyMs]);
}
