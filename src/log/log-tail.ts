/** Tells subscribers of the log store what is new, in batches. */
import type { Clock } from '../base/clock.ts';
import { createEmitter } from '../base/emitter.ts';
import type { LogLine } from '../contract/log.ts';

/**
 * The first line of a quiet time goes out at once; what comes within this time after a batch goes with the next. Lines
 * have waited as long before they come here (`line-queue.ts`), so they are 50 ms old at most.
 */
const gatherMs = 25;
const maxBatchLines = 500;

export interface LogTail {
  /** Whether anybody listens. */
  readonly hasSubscribers: boolean;
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
  const emitter = createEmitter<LogLine[]>({ onFault, endOnFault: true });
  let cancelTimer: (() => void) | null = null;
  let due = false;
  let waiting = false;

  function deliver() {
    due = false;
    const lines = collect();
    for (let from = 0; from < lines.length; from += maxBatchLines)
      emitter.emit(lines.slice(from, from + maxBatchLines));
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
    get hasSubscribers() {
      return emitter.hasSubscribers;
    },
    subscribe(listener) {
      // What came before is not news.
      if (!emitter.hasSubscribers) collect();
      return emitter.subscribe(listener);
    },
    linesArrived() {
      if (!emitter.hasSubscribers || due) return;
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
      emitter.clear();
    },
  };
}
