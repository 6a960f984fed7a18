/** How a figure lay over all its repetitions. The median is the figure; the rest shows how calm the machine was. */
export interface Spread {
  median: number;
  min: number;
  max: number;
  count: number;
}

/** Throws for no values: a figure out of nothing would be a lie. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const [min] = sorted;
  const max = sorted.at(-1);
  if (min === undefined || max === undefined) throw new Error('nothing was measured');
  return { median: middleOf(sorted), min, max, count: sorted.length };
}

export function medianOf(values: readonly number[]): number {
  return spreadOf(values).median;
}

/** The smallest value that so many of a hundred do not exceed. */
export function percentileOf(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.ceil((sorted.length * percent) / 100) - 1];
  if (value === undefined) throw new Error('nothing was measured');
  return value;
}

function middleOf(sorted: readonly number[]): number {
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? 0;
  return (lower + upper) / 2;
}
