/** One question that the benchmark answers. */
import type { Comparison } from '../measure/comparison.ts';
import type { Section as Heading } from '../measure/table.ts';
import type { Bench } from '../world/bench.ts';

export interface Section extends Heading {
  /** For `--only`. */
  name: string;
  /** A sentence in place of the figures when this machine lacks what they need. */
  measure(bench: Bench): Promise<Comparison[] | string>;
}
