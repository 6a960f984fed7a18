/** When the terminal cannot be reached, and when it can again. */
import type { Clock } from '../base/clock.ts';

export type Reach =
  | 'reachable'
  /** The line is cut, or there is no power: nobody can connect. */
  | 'cut'
  /** The line is there, but nobody listens and nobody speaks. */
  | 'deaf';

export interface Outage {
  readonly reach: Reach;
  begin(reach: 'cut' | 'deaf', durationMs: number): void;
  /** Resolves when the terminal is reachable; at once if it is. */
  over(): Promise<void>;
  /** Ends it now. */
  end(): void;
}

export function createOutage(clock: Clock, onOver: () => void): Outage {
  let reach: Reach = 'reachable';
  let cancel = () => {};
  let waiting: (() => void)[] = [];

  function end(): void {
    cancel();
    if (reach === 'reachable') return;
    reach = 'reachable';
    onOver();
    for (const resolve of waiting.splice(0)) resolve();
  }

  return {
    get reach() {
      return reach;
    },
    begin(next, durationMs) {
      cancel();
      reach = next;
      cancel = clock.after(durationMs, end);
    },
    over() {
      if (reach === 'reachable') return Promise.resolve();
      return new Promise((resolve) => waiting.push(resolve));
    },
    end,
  };
}
