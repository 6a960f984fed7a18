/** What each signal sounds like. They differ in melody and in rhythm, so that nobody needs an ear for music. */
import type { Signal } from '../store/till-events.ts';

export interface Tone {
  hertz: number;
  /** From the beginning of the signal, in milliseconds. */
  atMs: number;
  forMs: number;
}

export const tones: Record<Signal, readonly Tone[]> = {
  /** Two, up. */
  approved: [
    { hertz: 660, atMs: 0, forMs: 120 },
    { hertz: 880, atMs: 130, forMs: 220 },
  ],
  /** Two, down, long and low. */
  not_approved: [
    { hertz: 392, atMs: 0, forMs: 240 },
    { hertz: 262, atMs: 260, forMs: 420 },
  ],
  /** Three short and equal ones, and once more. */
  needs_person: [0, 170, 340, 900, 1_070, 1_240].map((atMs) => ({ hertz: 784, atMs, forMs: 100 })),
};
