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
  return chanceOf(
    clock,
    drawnAhead((bytes) => crypto.getRandomValues(bytes)),
  );
}

/** How many bytes the system is asked for at once. Asking costs more than all that is done with the bytes of one id. */
const aheadBytes = 4_096;

/** A source that fills a larger piece at once by `fill`, and gives each byte of it to one caller only. */
export function drawnAhead(fill: (bytes: Uint8Array<ArrayBuffer>) => void): (count: number) => Uint8Array {
  const ahead = new Uint8Array(aheadBytes);
  let used = aheadBytes;
  return (count) => {
    if (count > aheadBytes) {
      const bytes = new Uint8Array(count);
      fill(bytes);
      return bytes;
    }
    if (used + count > aheadBytes) {
      fill(ahead);
      used = 0;
    }
    used += count;
    return ahead.slice(used - count, used);
  };
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
