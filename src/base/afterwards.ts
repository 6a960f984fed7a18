/**
 * What has time until the answers of this turn of the event loop are out. It is carried out in the turns that follow, one
 * call a turn, so that what a call sets off (promises, bytes on a line) comes before the next one.
 */
export interface Afterwards {
  /** Before everything that was left to `soon`. Returns what calls it off. */
  first(call: () => void): () => void;
  /** After what is urgent, in the order in which it came. */
  soon(call: () => void): void;
}

/** `onFault` is told of what a call throws; the others are carried out all the same. */
export function createAfterwards(onFault: (error: unknown) => void): Afterwards {
  const urgent: (() => void)[] = [];
  const rest: (() => void)[] = [];
  let scheduled = false;

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(carryOut);
  }

  function carryOut(): void {
    scheduled = false;
    const call = urgent.shift() ?? rest.shift();
    if (urgent.length + rest.length > 0) schedule();
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
      rest.push(call);
      schedule();
    },
  };
}
