/** Opening something again and again until it is there, ever slower but never slowly, and at once when it was plugged in. */
import { pause, type Clock } from './clock.ts';
import { errorText } from './error-text.ts';

const firstBackoffMs = 250;
const maxBackoffMs = 5_000;
/** The part of a delay that chance decides, so that many bridges do not knock at the same moment. */
const jitterShare = 0.25;

export interface OpenWithBackoffOptions {
  clock: Clock;
  signal: AbortSignal;
  /** Told of each attempt that failed, with its reason for people, and when the next one comes at the latest. */
  onFailure(reason: string, nextTryMs: number): void;
  backoff?: Backoff;
  /** From 0 up to, not including, 1. */
  random: () => number;
}

/** Delays that double from `firstMs` to `maxMs`. To go on where the last opening stopped, hand in the same one again. */
export interface Backoff {
  nextMs(): number;
  reset(): void;
}

export function createBackoff(options: { firstMs?: number; maxMs?: number; random: () => number }): Backoff {
  const { firstMs = firstBackoffMs, maxMs = maxBackoffMs, random } = options;
  let delayMs = firstMs;
  return {
    nextMs() {
      const jittered = delayMs * (1 - jitterShare * random());
      delayMs = Math.min(delayMs * 2, maxMs);
      return Math.round(jittered);
    },
    reset() {
      delayMs = firstMs;
    },
  };
}

/** What can be opened, such as a line. `open` rejects with the reason for people when that cannot be done now. */
export interface Openable<T> {
  open(signal: AbortSignal): Promise<T>;
  /** See `Line.onPlugged`. */
  onPlugged?(call: () => void): () => void;
}

/**
 * A new connection of `line`, tried until there is one; null once `signal` aborts. Never rejects. Sends nothing by itself.
 * Each call begins with the shortest delay unless it is given a `backoff` of the caller's.
 */
export async function openWithBackoff<T extends { close(): Promise<void> }>(
  line: Openable<T>,
  options: OpenWithBackoffOptions,
): Promise<T | null> {
  const { clock, signal, onFailure, random } = options;
  const backoff = options.backoff ?? createBackoff({ random });
  while (!signal.aborted) {
    try {
      const connection = await line.open(signal);
      if (!signal.aborted) return connection;
      await connection.close();
    } catch (error) {
      if (signal.aborted) break;
      const nextTryMs = backoff.nextMs();
      onFailure(errorText(error), nextTryMs);
      if (await plugged(line, clock, nextTryMs, signal)) backoff.reset();
    }
  }
  return null;
}

/** Waits for the next try. True, and sooner: something was plugged in or out. */
async function plugged(
  line: Pick<Openable<unknown>, 'onPlugged'>,
  clock: Clock,
  nextTryMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const changed = new AbortController();
  const endWatch = line.onPlugged?.(() => changed.abort());
  await pause(clock, nextTryMs, signal, changed.signal);
  endWatch?.();
  return changed.signal.aborted;
}
