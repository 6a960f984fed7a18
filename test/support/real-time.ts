/** The machine's own time, for the tests that need the machine: they wait for events, and long before they give up. */
import { pause, systemClock } from '../../src/base/clock.ts';
import type { TestTime } from './virtual-clock.ts';

/** A busy machine is slow; a test that hangs should still say what it waited for. */
const defaultLimitMs = 60_000;
/** For what no event tells of. */
const lookAgainMs = 20;

export function createRealTime(): TestTime {
  const looks = new Set<() => void>();
  const time: TestTime = {
    ...systemClock,
    until(look, what, limitMs = defaultLimitMs) {
      const inVain = new Error(`waited in vain for ${what}, ${limitMs} ms`);
      return new Promise((resolve, reject) => {
        const end = () => {
          clearInterval(again);
          clearTimeout(limit);
          looks.delete(check);
        };
        const check = () => {
          try {
            const found = look();
            if (found === null || found === undefined || found === false) return;
            end();
            resolve(found);
          } catch (error) {
            end();
            reject(error instanceof Error ? error : new Error(String(error)));
          }
        };
        const again = setInterval(check, lookAgainMs);
        const limit = setTimeout(() => {
          end();
          reject(inVain);
        }, limitMs);
        looks.add(check);
        check();
      });
    },
    async run(promise, what, limitMs = defaultLimitMs) {
      let over = false;
      const settled = promise.finally(() => {
        over = true;
        time.recheck();
      });
      await Promise.race([settled, time.until(() => over, what, limitMs)]);
      return settled;
    },
    recheck() {
      for (const look of looks) look();
    },
    hold: () => () => {},
  };
  return time;
}

/**
 * Asks again and again until `look` gives something other than null, undefined or false, and gives that. For what no event
 * tells of outside this process. Rejects after `limitMs`, and says what it waited for and `about()`.
 */
export async function waitFor<T>(
  look: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  what: string,
  { limitMs = defaultLimitMs, about = () => '' }: { limitMs?: number; about?: () => string } = {},
): Promise<T> {
  const giveUpAt = systemClock.elapsed() + limitMs;
  for (;;) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    if (systemClock.elapsed() > giveUpAt) {
      throw new Error(`waited in vain for ${what}, ${limitMs} ms\n${about()}`.trimEnd());
    }
    await pause(systemClock, lookAgainMs);
  }
}
