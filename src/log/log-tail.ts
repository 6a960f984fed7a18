/** Tells subscribers of the log store what is new, in batches. */
import type { Clock } from '../base/clock.ts';
import type { LogLine } from '../contract/log.ts';

/** The first line of a quiet time goes out at once; what comes within this time after a batch goes with the next. */
const gatherMs = 50;
export const maxBatchLines = 500;

export interface LogTail {
  /** Whether anybody listens. */
  readonly listening: boolean;
  subscribe(listener: (lines: LogLine[]) => void): () => void;
  /** Lines may have come; `collect` is asked for them when they are due. */
  linesArrived(): void;
  close(): void;
}

/**
 * `collect` gives the lines that came since it was last asked, oldest first. A listener that throws hears no more, and
 * `onFault` is told: to log it each time would make a new line each time.
 */
export function createLogTail(
  clock: Clock,
  collect: () => LogLine[],
  onFault: (error: unknown) => void,
): LogTail {
  const subscriptions = new Set<{ listener: (lines: LogLine[]) => void }>();
  let cancelTimer: (() => void) | null = null;
  let due = false;
  let waiting = false;

  function deliver() {
    due = false;
    const lines = collect();
    for (let from = 0; from < lines.length; from += maxBatchLines) {
      for (const subscription of subscriptions) {
        try {
          subscription.listener(lines.slice(from, from + maxBatchLines));
        } catch (error) {
          subscriptions.delete(subscription);
          onFault(error);
        }
      }
    }
  }

  function gather() {
    cancelTimer = clock.after(gatherMs, () => {
      cancelTimer = null;
      if (!waiting) return;
      waiting = false;
      deliver();
      gather();
    });
  }

  return {
    get listening() {
      return subscriptions.size > 0;
    },
    subscribe(listener) {
      // What came before is not news.
      if (subscriptions.size === 0) collect();
      const subscription = { listener };
      subscriptions.add(subscription);
      return () => void subscriptions.delete(subscription);
    },
    linesArrived() {
      if (subscriptions.size === 0 || due) return;
      if (cancelTimer !== null) {
        waiting = true;
        return;
      }
      due = true;
      queueMicrotask(() => {
        if (!due) return;
        gather();
        deliver();
      });
    },
    close() {
      cancelTimer?.();
      cancelTimer = null;
      waiting = false;
      deliver();
      subscriptions.clear();
    },
  };
}
