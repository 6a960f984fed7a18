/**
 * Tells when what is kept of the money was written: by the command line, say, which is a process of its own. It looks at the
 * files every few seconds, as long as anybody is to be told; notices of the file system do not come from every folder.
 */
import type { Clock } from '../base/clock.ts';
import { fileStamp } from '../base/file-stamp.ts';

const lookEveryMs = 3_000;

export interface MoneyWatch {
  /** Looks from now on. May be called again and again. */
  start(): void;
  /** Looks at once, because something was written just now. */
  check(): void;
  stop(): void;
}

export function createMoneyWatch(options: {
  clock: Clock;
  files(): readonly string[];
  /** False: it stops by itself. */
  isWatched(): boolean;
  onChange(): void;
}): MoneyWatch {
  const { clock, files, isWatched, onChange } = options;
  let seen: string | null = null;
  let cancel: (() => void) | null = null;

  function look() {
    cancel = null;
    if (!isWatched()) return;
    const now = stampOf(files());
    if (now !== seen) {
      seen = now;
      onChange();
    }
    cancel = clock.after(lookEveryMs, look);
  }

  return {
    start() {
      if (cancel !== null) return;
      seen = stampOf(files());
      cancel = clock.after(lookEveryMs, look);
    },
    check() {
      if (cancel === null) return;
      cancel();
      look();
    },
    stop() {
      cancel?.();
      cancel = null;
    },
  };
}

function stampOf(files: readonly string[]): string {
  return files.map(fileStamp).join('|');
}
