/** Those of `sorted` from `from` to `until`, both included, and before the first one that `isBehind`. */
export function within<T>(
  sorted: readonly T[],
  dayOfItem: (item: T) => number,
  from: number,
  until: number,
  isBehind: (item: T) => boolean = () => false,
): T[] {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = sorted[middle];
    if (item !== undefined && dayOfItem(item) < from) low = middle + 1;
    else high = middle;
  }
  const found: T[] = [];
  for (let at = low; at < sorted.length; at += 1) {
    const item = sorted[at];
    if (item === undefined || dayOfItem(item) > until || isBehind(item)) break;
    found.push(item);
  }
  return found;
}

export function addTo<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const all = map.get(key);
  if (all === undefined) map.set(key, [value]);
  else all.push(value);
}
