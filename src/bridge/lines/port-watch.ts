/**
 * Notices that something was plugged in or out while a line is down, so that nobody waits for the next try. It asks the
 * system again and again: of all that could tell by itself, nothing does on every system and for every kind of link.
 */
import { within } from '../../base/abort.ts';
import { pause, type Clock } from '../../base/clock.ts';

/** After an answer of the system. With the pause after a lost line (1 s) and the opening, 2 s are kept. */
const lookEveryMs = 500;
/** Longest wait for the system's answer: a list that hangs must not keep a line from being opened. */
const lookTimeoutMs = 2_000;

export interface PortWatch {
  /** The line is tried now: what is there from here on is compared with what is there now. Never rejects. */
  note(): Promise<void>;
  /** Calls once when it is no longer as it was noted. Returns what ends the watch. */
  onChange(call: () => void): () => void;
}

/** `look` says what is there, in any form that is another one when something has changed. */
export function createPortWatch(look: () => Promise<string>, clock: Clock): PortWatch {
  let noted = '';
  // What cannot be asked is as it was.
  const lookNow = async () => (await within(clock, lookTimeoutMs, look()).catch(() => null)) ?? noted;

  return {
    async note() {
      noted = await lookNow();
    },
    onChange(call) {
      const ended = new AbortController();
      void (async () => {
        for (;;) {
          await pause(clock, lookEveryMs, ended.signal);
          if (ended.signal.aborted) return;
          const now = await lookNow();
          if (ended.signal.aborted) return;
          if (now !== noted) return call();
        }
      })();
      return () => ended.abort();
    },
  };
}
