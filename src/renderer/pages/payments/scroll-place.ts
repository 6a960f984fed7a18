/** Where rows stand that somebody looks at, and how far they go when the list changes. */
import { rowAt, type TableRows } from './day-rows.ts';

export interface SeenRow {
  key: string;
  /** In pixels, as `TableRows` has it. */
  start: number;
}

/** The payments from `top` on, `height` pixels far. */
export function rowsInSight(table: TableRows, top: number, height: number): SeenRow[] {
  const { rows, starts, rowOf } = table;
  const first = rowAt(table, rowOf, top);
  if (first === undefined) return [];
  const seen: SeenRow[] = [];
  for (let row = first; row < rows.length && (starts[row] ?? 0) < top + height; row += 1) {
    const { kind, key = '' } = rows[row] ?? {};
    if (kind === 'payment') seen.push({ key, start: starts[row] ?? 0 });
  }
  return seen;
}

/** How far most of them have gone, in pixels: the middle of all, so that one that goes its own way does not count. */
export function moveOfMost(seen: readonly SeenRow[], { rows, starts }: TableRows): number {
  const before = new Map(seen.map(({ key, start }) => [key, start]));
  const moves: number[] = [];
  for (const [row, { key }] of rows.entries()) {
    const start = before.get(key);
    if (start !== undefined) moves.push((starts[row] ?? 0) - start);
    if (moves.length === before.size) break;
  }
  return moves.toSorted((one, other) => one - other)[Math.floor(moves.length / 2)] ?? 0;
}
