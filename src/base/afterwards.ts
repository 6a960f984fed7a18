/**
 * What has time until the answers of this turn of the event loop are out. It is carried out in the turns that follow, one
 * call a turn, so that what a call sets off (promises, bytes on a line) comes before the next one.
 */
import type { Clock } from './clock.ts';

export interface Afterwards {
  /** Before everything that was left to `soon`. Returns what calls it off. */
  first(call: () => void): () => void;
  /** After what is urgent, in the order in which it came. */
  soon(call: () => void): void;
  /** For so many milliseconds from now nothing is carried out: the processor is for whoever has just been answered. */
  rest(durationMs: number): void;
}

/** `onFault` is told of what a call throws; the others are carried out all the same. */
export function createAfterwards(clock: Clock, onFault: (error: unknown) => void): Afterwards {
  const urgent: (() => void)[] = [];
  const others: (() => void)[] = [];
  let scheduled = false;
  let restsUntilMs = 0;

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    const leftMs = restsUntilMs - clock.elapsed();
    if (leftMs > 0) clock.after(leftMs, carryOut);
    else setImmediate(carryOut);
  }

  function carryOut(): void {
    scheduled = false;
    // A rest has begun meanwhile; or the timer came early, as Node's do by up to a millisecond.
    if (clock.elapsed() < restsUntilMs) return schedule();
    const call = urgent.shift() ?? others.shift();
    if (urgent.length + others.length > 0) schedule();
    try {
      call?.();
    } catch (error) {
      onFault(error);
    }
  }

  return {
    first(call) {
      urgent.push(call);
      schedule();
      return () => {
        const at = urgent.indexOf(call);
        if (at !== -1) urgent.splice(at, 1);
      };
    },
    soon(call) {
      others.push(call);
      schedule();
    },
    rest(durationMs) {
      restsUntilMs = Math.max(restsUntilMs, clock.elapsed() + durationMs);
    },
  };
}
