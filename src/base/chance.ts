/** Chance and ids are injected, as time is: a run with the same seed then gives the same bytes. */
import { v7 } from 'uuid';
import type { Clock } from './clock.ts';

export interface Chance {
  /** A new UUID of version 7 (RFC 9562): ordered by the wall clock. */
  uuid(): string;
  /** A whole number from `from` up to, not including, `below`. */
  integer(from: number, below: number): number;
  /** A number from 0 up to, not including, 1. */
  fraction(): number;
  /** For secrets; `count` bytes. */
  bytes(count: number): Uint8Array;
}

/** The machine's own randomness, fit for secrets. */
export function systemChance(clock: Clock): Chance {
  return chanceOf(clock, (count) => crypto.getRandomValues(new Uint8Array(count)));
}

/** Chance made of a source of random bytes; `bytes` may be seeded where nothing secret depends on it. */
export function chanceOf(clock: Clock, bytes: (count: number) => Uint8Array): Chance {
  const fraction = () => {
    const [high = 0, low = 0] = new Uint32Array(bytes(8).slice().buffer);
    // 53 bits, as many as a double holds.
    return ((high >>> 5) * 2 ** 26 + (low >>> 6)) / 2 ** 53;
  };
  return {
    bytes,
    fraction,
    integer: (from, below) => from + Math.floor(fraction() * (below - from)),
    uuid: () => v7({ msecs: clock.now(), random: bytes(16) }),
  };
}
