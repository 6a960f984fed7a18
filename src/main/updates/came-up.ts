/** When a new version counts as come up: its bridge has run, with nothing wrong at its listener, for a minute. */
import type { Clock } from '../../base/clock.ts';
import type { ConsoleChange, ConsoleState } from '../../contract/console/index.ts';

const soundAfterMs = 60_000;
/** A bridge that ends by a fault is started again with pauses: some of them are let pass. */
const overdueAfterMs = 300_000;

/** Calls one of both, once. */
export function watchCameUp(options: {
  subscribe(listener: (change: ConsoleChange) => void): () => void;
  clock: Clock;
  passed(): void;
  /** It has had its time. */
  overdue(): void;
}): void {
  let cancel: (() => void) | null = null;
  const cancelOverdue = options.clock.after(overdueAfterMs, () => {
    cancel?.();
    unsubscribe();
    options.overdue();
  });
  const unsubscribe = options.subscribe((change) => {
    if (change.kind !== 'state') return;
    if (!isUp(change.state)) {
      cancel?.();
      cancel = null;
      return;
    }
    cancel ??= options.clock.after(soundAfterMs, () => {
      cancelOverdue();
      unsubscribe();
      options.passed();
    });
  });
}

/** A listener that somebody has switched off is no fault, nor is a till that has no terminal yet. */
function isUp({ bridge, listener }: ConsoleState): boolean {
  if (bridge.kind === 'first_start') return true;
  return bridge.kind === 'running' && (listener.kind === 'on' || listener.kind === 'off');
}
