import type { Clock } from '../base/clock.ts';

/**
 * A deadline for something that the other side sends. When it is over, bytes that have already arrived are read first
 * (one more turn of the event loop), so a busy machine is not taken for a silent till. Returns what cancels it.
 */
export function deadline(clock: Clock, delayMs: number, call: () => void): () => void {
  let cancel = clock.after(delayMs, () => {
    cancel = clock.after(0, call);
  });
  return () => cancel();
}
