/** Work that must not overlap, such as a start and a stop: one task after the other, in the order in which they came. */

export interface SerialQueue {
  /** How many tasks run or wait. */
  readonly size: number;
  /** Runs `task` once all before it have ended, however they ended. Settles as `task` does. */
  run<T>(task: () => Promise<T>): Promise<T>;
  /** Resolves once all tasks of now have ended, however they ended. */
  idle(): Promise<void>;
}

export function createSerialQueue(): SerialQueue {
  let last: Promise<void> = Promise.resolve();
  let size = 0;
  return {
    get size() {
      return size;
    },
    run(task) {
      size += 1;
      const done = last.then(task).finally(() => {
        size -= 1;
      });
      last = done.then(
        () => {},
        () => {},
      );
      return done;
    },
    idle: () => last,
  };
}
