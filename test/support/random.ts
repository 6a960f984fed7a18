/** Chance that can be repeated: the same seed gives the same choices in the same order. */
import { chanceOf, type Chance } from '../../src/base/chance.ts';
import type { Clock } from '../../src/base/clock.ts';

export interface Random {
  /** From 0 up to, but not with, 1. */
  fraction(): number;
  /** A whole number, both ends included. */
  integer(from: number, to: number): number;
  /** True in `share` of all cases, 0 to 1. */
  chance(share: number): boolean;
  pick<T>(choices: readonly [T, ...T[]]): T;
  /** Each choice as often as its weight says. */
  weighted<T>(choices: readonly [readonly [number, T], ...(readonly [number, T])[]]): T;
}

/** A counter through the last step of MurmurHash3: good enough to choose moments by. `seed` and `stream` are whole. */
export function createRandom(seed: number, stream = 0): Random {
  // Mixed well, so that neighbours among seeds and streams have nothing in common.
  let state = mix(mix(seed) + stream);

  function fraction(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    return mix(state) / 2 ** 32;
  }

  const random: Random = {
    fraction,
    integer: (from, to) => from + Math.floor(fraction() * (to - from + 1)),
    chance: (share) => fraction() < share,
    pick: (choices) => choices[random.integer(0, choices.length - 1)] ?? choices[0],
    weighted(choices) {
      let left = fraction() * choices.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, choice] of choices) {
        left -= weight;
        if (left < 0) return choice;
      }
      return choices[0][1];
    },
  };
  return random;
}

/** What the core takes for chance: ids, jitter and secrets, all from one seed. */
export function seededChance(clock: Clock, seed = 0): Chance {
  const random = createRandom(seed);
  return chanceOf(clock, (count) => Uint8Array.from({ length: count }, () => random.integer(0, 255)));
}

function mix(number: number): number {
  let mixed = (number + 0x9e3779b9) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
