/** Printing that nobody waits for. */

export interface Later {
  /** Has `print` called in the order of the calls, after what runs now is done. */
  say(line: string): void;
  /** Prints what still waits, now. */
  flush(): void;
}

/**
 * Output to a pipe or a window is written while the process waits. A sentence about a payment comes in the middle of
 * it, before the caller has the answer and the terminal the command; neither should wait for a reader of sentences.
 */
export function printLater(print: (line: string) => void): Later {
  let waiting: string[] = [];
  const flush = () => {
    const lines = waiting;
    waiting = [];
    for (const line of lines) print(line);
  };
  return {
    say(line) {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push(line);
    },
    flush,
  };
}
