/** One row of the report: two things that were measured in pairs, and the ratio of each pair. */
import type { Pair } from './alternate.ts';
import { spreadOf, type Spread } from './spread.ts';

/** For the median of the ratios, or in milliseconds for our own median. */
export type Aim = { atLeast: number } | { atMost: number } | { atMostMs: number };

export interface Comparison {
  /** What was measured, with its unit: `10 connections, requests/s`. */
  what: string;
  ours: Spread;
  other: Spread;
  ratio: Spread;
  aim: Aim | null;
  /** Every pair, for who wants to look closer. */
  pairs: readonly Pair[];
}

export interface Measured {
  what: string;
  pairs: readonly Pair[];
  /**
   * `speed`: how much of the other's speed ours has, so more is better. `cost`: how many times the other's cost ours
   * has, so less is better.
   */
  ratio: 'speed' | 'cost';
  /** What the values are: the more the faster, or the more the slower. */
  values: 'rates' | 'costs';
  aim?: Aim;
}

/** The ratio is taken pair by pair: what slowed the machine at that moment cancels out. */
export function compare({ what, pairs, ratio, values, aim }: Measured): Comparison {
  const upsideDown = (ratio === 'speed') !== (values === 'rates');
  return {
    what,
    ours: spreadOf(pairs.map((pair) => pair.ours)),
    other: spreadOf(pairs.map((pair) => pair.other)),
    ratio: spreadOf(pairs.map((pair) => (upsideDown ? pair.other / pair.ours : pair.ours / pair.other))),
    aim: aim ?? null,
    pairs,
  };
}

/** Null where there is no aim. */
export function isMet({ aim, ours, ratio }: Comparison): boolean | null {
  if (aim === null) return null;
  if ('atMostMs' in aim) return ours.median <= aim.atMostMs;
  return 'atLeast' in aim ? ratio.median >= aim.atLeast : ratio.median <= aim.atMost;
}
