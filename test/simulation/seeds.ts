/** Which runs make up a simulation: the same for the same seed, however many jobs play them. */
import { makePlan, type Plan, type TillKind } from './plan.ts';
import { protocolOf } from './protocols/index.ts';

export function planOf(protocol: string, run: number, till?: TillKind): Plan {
  return makePlan(run, protocolOf(protocol), till);
}

/** The seeds of as many runs as it takes for so many payments. */
export function runsFor(protocol: string, seed: number, payments: number): number[] {
  const runs: number[] = [];
  let planned = 0;
  for (let index = 0; planned < payments; index += 1) {
    const run = (Math.imul(seed, 1_000_003) + index) >>> 0;
    runs.push(run);
    planned += planOf(protocol, run).entries.filter(({ kind }) => kind === 'sale').length;
  }
  return runs;
}
