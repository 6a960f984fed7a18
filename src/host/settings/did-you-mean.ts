/** The word of `words` that `text` was probably meant to be, or null when none is near. Case does not count. */
export function didYouMean(text: string, candidates: string[]): string | null {
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: distance(text.toLowerCase(), candidate.toLowerCase()) }))
    .toSorted((one, other) => one.distance - other.distance);
  const [best] = ranked;
  // A third of the letters wrong is a slip; more is another word.
  return best !== undefined && best.distance <= Math.max(1, Math.floor(best.candidate.length / 3))
    ? best.candidate
    : null;
}

/** Letters to add, take away or change, or neighbours to swap (optimal string alignment). */
function distance(from: string, to: string): number {
  let aboveThat: number[] = [];
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      const swapped = row > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current.push(
        Math.min(
          at(above, column - 1) + (same ? 0 : 1),
          at(above, column) + 1,
          at(current, column - 1) + 1,
          swapped ? at(aboveThat, column - 2) + 1 : Infinity,
        ),
      );
    }
    aboveThat = above;
    above = current;
  }
  return at(above, to.length);
}

/** Outside of the table nothing can be the shortest way. */
function at(row: number[], column: number): number {
  return row[column] ?? Infinity;
}
