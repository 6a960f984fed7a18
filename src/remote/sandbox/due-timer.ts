/** Has what time does happen when its time comes, not only with the next request: its webhooks are waited for. */
import type { Clock } from '../../base/clock.ts';
import type { LineLog } from '../../log/index.ts';
import type { Executor } from './executor.ts';

export interface DueTimer {
  /** Looks what is due next; to be called after each change. */
  set(): void;
  close(): void;
}

const minPauseMs = 10;
/** What is further away is looked at again. */
const maxPauseMs = 3_600_000;
/** Before what failed is tried again. */
const failurePauseMs = 60_000;

export function createDueTimer(
  executor: Executor,
  dependencies: { clock: Clock; log: LineLog; afterWrite: () => void },
): DueTimer {
  let closed = false;
  let cancel = () => {};

  function set(atLeastMs = minPauseMs): void {
    if (closed) return;
    cancel();
    const next = executor.nextDueMs();
    if (next === null) return;
    const pause = Math.max(atLeastMs, Math.min(next - dependencies.clock.now(), maxPauseMs));
    cancel = dependencies.clock.after(pause, happen);
  }

  function happen(): void {
    try {
      executor.transaction(() => {});
    } catch (error) {
      dependencies.log.error('what is due could not be done', { err: error });
      return set(failurePauseMs);
    }
    dependencies.afterWrite();
    set();
  }

  return {
    set: () => set(),
    close() {
      closed = true;
      cancel();
    },
  };
}
