/**
 * Log lines that somebody outside can cause as often as they like: the first of a kind is said at once, then one a
 * minute, with how many were left out before it. For the driver and recovery, which set no timers for a log; the sums that
 * HTTP servers say by themselves are in `src/http/repeated-lines.ts`.
 */
import type { Clock } from '../base/clock.ts';

const intervalMs = 60_000;

export interface SparingNotes {
  /**
   * Whether a line of this kind may be written now: the fields that it gets besides its own (`left_out`, when there were
   * any), or null. Kinds are named in the code, never by what comes from outside, so their number is bounded.
   */
  due(kind: string): { left_out?: number } | null;
}

export function createSparingNotes(clock: Pick<Clock, 'elapsed'>): SparingNotes {
  const said = new Map<string, { at: number; leftOut: number }>();
  return {
    due(kind) {
      const now = clock.elapsed();
      const last = said.get(kind);
      if (last !== undefined && now - last.at < intervalMs) {
        last.leftOut += 1;
        return null;
      }
      said.set(kind, { at: now, leftOut: 0 });
      return last === undefined || last.leftOut === 0 ? {} : { left_out: last.leftOut };
    },
  };
}
