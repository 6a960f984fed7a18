/** Two things measured side by side. */
export interface Pair {
  ours: number;
  other: number;
}

/** One figure of each side. */
export function pairOf(pairs: readonly Pair[], figure: (values: number[]) => number): Pair {
  return { ours: figure(pairs.map((pair) => pair.ours)), other: figure(pairs.map((pair) => pair.other)) };
}

/**
 * Runs both `rounds` times in turn, ours first in one round and the other first in the next, so that whatever else
 * the machine does for a while falls on both alike.
 */
export async function alternate<T>(
  rounds: number,
  ours: () => Promise<T>,
  other: () => Promise<T>,
): Promise<{ ours: T; other: T }[]> {
  const pairs: { ours: T; other: T }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) {
      const first = await ours();
      pairs.push({ ours: first, other: await other() });
    } else {
      const first = await other();
      pairs.push({ ours: await ours(), other: first });
    }
  }
  return pairs;
}
