/** Those of `sorted` from `from` to `until`, both included, and before the first one that `isBehind`. */
export function within<T>(
  sorted: readonly T[],
  dayOfItem: (item: T) => number,
  from: number,
  until: number,
  isBehind: (item: T) => boolean = () => false,
): T[] {
  const found: T[] = [];
  for (let at = firstFrom(sorted, dayOfItem, from); at < sorted.length; at += 1) {
    const item = sorted[at];
    if (item === undefined || dayOfItem(item) > until || isBehind(item)) break;
    found.push(item);
  }
  return found;
}

/** The place of the first one of `sorted` that is not before `from`; behind the last one where all are. */
export function firstFrom<T>(sorted: readonly T[], placeOf: (item: T) => number, from: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = sorted[middle];
    if (item !== undefined && placeOf(item) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function addTo<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const all = map.get(key);
  if (all === undefined) map.set(key, [value]);
  else all.push(value);
}
