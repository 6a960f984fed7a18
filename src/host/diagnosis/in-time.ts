import { within } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';

/** Each look at the computer ends after this, whatever hangs there. */
const lookTimeoutMs = 3_000;

/** What a look at the computer gives; null when it fails or takes too long. Never rejects. */
export async function inTime<T>(clock: Clock, work: Promise<T>): Promise<T | null> {
  return within(
    clock,
    lookTimeoutMs,
    work.catch(() => null),
  );
}
