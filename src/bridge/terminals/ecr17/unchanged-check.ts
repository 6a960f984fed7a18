/**
 * That an operation left nothing is proved by a terminal that is ready and shows the result and the total from before, twice:
 * it may have been about to store the new one the first time.
 */
import type { Clock } from '../../../base/clock.ts';
import type { LookUp } from '../terminal-driver.ts';

/** Between the two looks. */
const secondLookMs = 10_000;
/** So long a terminal that does not tell is asked again, before a person is. */
const patienceMs = 180_000;

export interface UnchangedCheck {
  /** The result is that from before; `before` and `now`: the totals. Undefined or null: not told. */
  of(operationId: string, before: number | undefined, now: number | null): LookUp;
  /** The terminal did not tell this time. */
  notTold(operationId: string, reason: string): LookUp;
}

export function createUnchangedCheck(clock: Pick<Clock, 'elapsed'>): UnchangedCheck {
  let first: { operationId: string; at: number } | null = null;
  let silent: { operationId: string; since: number } | null = null;

  return {
    of(operationId, before, now) {
      silent = null;
      const reason = whyNot(before, now);
      if (reason !== null) {
        first = null;
        return { kind: 'unavailable', reason };
      }
      if (first?.operationId !== operationId) first = { operationId, at: clock.elapsed() };
      if (clock.elapsed() - first.at < secondLookMs)
        return { kind: 'pending', text: 'The terminal shows the result from before; it is asked once more.' };
      return { kind: 'empty' };
    },
    notTold(operationId, reason) {
      first = null;
      if (silent?.operationId !== operationId) silent = { operationId, since: clock.elapsed() };
      return clock.elapsed() - silent.since < patienceMs
        ? { kind: 'pending', text: reason }
        : { kind: 'unavailable', reason };
    },
  };
}

function whyNot(before: number | undefined, now: number | null): string | null {
  if (before === undefined)
    return 'The terminal still shows the result from before, but its total from before is not known, so nothing is proved.';
  if (now === null)
    return 'The terminal still shows the result from before, but does not tell its total, so nothing is proved.';
  return now === before
    ? null
    : 'The terminal still shows the result from before, but its total has changed. Look at its last receipts.';
}
