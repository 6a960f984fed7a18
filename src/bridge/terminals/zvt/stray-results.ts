/**
 * How many results that come outside our commands are looked into. Each takes a look into the journal and may be put
 * there; a terminal has one or two to tell, after a payment that was broken off.
 */
import type { Clock } from '../../../contract/clock.ts';

const maxAtOnce = 20;
const oneMoreEveryMs = 5_000;

export interface StrayResults {
  /** False: one result too many. Refused, it makes the terminal undo what it may have done. */
  mayLookInto(): boolean;
}

export function createStrayResults(clock: Pick<Clock, 'elapsed'>): StrayResults {
  let left = maxAtOnce;
  let at = clock.elapsed();
  return {
    mayLookInto() {
      const more = Math.floor((clock.elapsed() - at) / oneMoreEveryMs);
      left = Math.min(maxAtOnce, left + more);
      at += more * oneMoreEveryMs;
      if (left <= 0) return false;
      left -= 1;
      return true;
    },
  };
}
