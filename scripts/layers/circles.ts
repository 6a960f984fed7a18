/** Files that import each other in a circle, types included. */
import { targetOf, type SourceTree } from './source-tree.ts';

/** One circle for each knot of files that can all reach each other: a shortest one, its first file again at the end. */
export function importCircles(tree: SourceTree): string[][] {
  const next = new Map(
    [...tree.values()].map(({ file, imports }) => [
      file,
      imports
        .map(({ imported }) => targetOf(file, imported))
        .filter((target) => target !== null && tree.has(target)),
    ]),
  );
  const circles: string[][] = [];
  const told = new Set<string>();
  for (const file of tree.keys()) {
    const circle = told.has(file) ? null : wayBack(file, next as Map<string, string[]>);
    if (circle === null) continue;
    circles.push(circle);
    for (const member of circle) told.add(member);
  }
  return circles;
}

/** The shortest way from `start` by imports to itself, or null. */
function wayBack(start: string, next: Map<string, string[]>): string[] | null {
  const cameFrom = new Map<string, string>();
  const waiting = [start];
  for (const file of waiting) {
    for (const target of next.get(file) ?? []) {
      if (target === start) return [...wayTo(file, start, cameFrom), start];
      if (cameFrom.has(target)) continue;
      cameFrom.set(target, file);
      waiting.push(target);
    }
  }
  return null;
}

function wayTo(file: string, start: string, cameFrom: Map<string, string>): string[] {
  const way = [file];
  for (let at = file; at !== start;) {
    at = cameFrom.get(at) ?? start;
    way.unshift(at);
  }
  return way;
}
