/**
 * When the small window is shown.
 *
 *     hidden ──operation begins──► shown ──ended, nothing in doubt──► 8 s ──► hidden
 *        ▲                           │ closed by its user
 *        └───until the next one──────┘
 */
import type { Clock } from '../base/clock.ts';
import { currentOperations, type AppSettings, type ConsoleState } from '../contract/console/index.ts';

export type SmallWindowMode = AppSettings['smallWindow'];

export interface SmallWindowRule {
  look(state: ConsoleState): void;
  setMode(mode: SmallWindowMode): void;
  /** Its user has closed it: it comes back with the next operation. */
  closed(): void;
}

/** A result is large for six seconds; whoever looks up late still sees it. */
export const lingerMs = 8_000;

export function createSmallWindowRule(options: {
  clock: Pick<Clock, 'after'>;
  show(): void;
  hide(): void;
}): SmallWindowRule {
  let mode: SmallWindowMode = 'off';
  /** What was on the terminals when something was on one of them last. */
  let known: ReadonlySet<string> = new Set();
  let isBusy = false;
  let isShown = false;
  let cancel: (() => void) | null = null;

  function set(wanted: boolean): void {
    cancel?.();
    cancel = null;
    if (wanted === isShown) return;
    isShown = wanted;
    if (wanted) options.show();
    else options.hide();
  }

  return {
    look(state) {
      const { doubts, bridge } = state;
      const operations = currentOperations(state).map(({ operationId }) => operationId);
      const begins = operations.some((operationId) => !known.has(operationId));
      if (operations.length > 0) known = new Set(operations);
      // While the bridge starts again nobody knows what became of the operation.
      isBusy = operations.length > 0 || doubts.length > 0 || (isBusy && bridge.kind === 'starting');
      if (mode === 'off') return;
      if (begins) set(true);
      if (mode === 'always' || !isShown) return;
      if (!isBusy) cancel ??= options.clock.after(lingerMs, () => set(false));
      else {
        cancel?.();
        cancel = null;
      }
    },
    setMode(wanted) {
      if (wanted === mode) return;
      mode = wanted;
      set(mode === 'always' || (mode === 'payments' && isBusy));
    },
    closed: () => set(false),
  };
}
