/** What a section has around it: a place for files, and an end at which everything it started is gone. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Bench {
  /** A new folder of its own. It is deleted at the end. */
  folder(): string;
  /** Done at the end of the section, last asked first done, whatever happened. */
  atEnd(work: () => Promise<void> | void): void;
  /** What it is doing now, for the person who waits. */
  say(text: string): void;
}

export async function withBench<T>(
  say: (text: string) => void,
  work: (bench: Bench) => Promise<T>,
): Promise<T> {
  const endings: (() => Promise<void> | void)[] = [];
  const bench: Bench = {
    folder() {
      const folder = mkdtempSync(join(tmpdir(), 'tillbridge-bench-'));
      const remove = () => rmSync(folder, { recursive: true, force: true });
      // A benchmark that is broken off must not leave a journal of twenty gigabytes behind.
      process.once('exit', remove);
      endings.push(() => {
        process.off('exit', remove);
        remove();
      });
      return folder;
    },
    atEnd: (ending) => void endings.push(ending),
    say,
  };
  try {
    return await work(bench);
  } finally {
    for (const ending of endings.reverse()) await ending();
  }
}

export function sleep(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs));
}
