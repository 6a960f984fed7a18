/** How much work something makes, counted instead of timed: how often the parts of a value are looked at. */

export interface CountedReads<T> {
  /** Behaves as the original does. */
  value: T;
  readonly reads: number;
}

/** Counts each read of an entry of an array in `value`, at any depth; bytes are left as they are. */
export function countReads<T extends object>(value: T): CountedReads<T> {
  const counted = new WeakMap<object, object>();
  let reads = 0;

  function wrap<V>(inner: V): V {
    if (typeof inner !== 'object' || inner === null || ArrayBuffer.isView(inner)) return inner;
    const known = counted.get(inner) as V | undefined;
    if (known !== undefined) return known;
    const proxy = new Proxy<object>(inner, {
      get(target, key): unknown {
        if (Array.isArray(target) && typeof key === 'string' && /^\d+$/.test(key)) reads += 1;
        return wrap(Reflect.get(target, key) as unknown);
      },
    });
    counted.set(inner, proxy);
    return proxy as V;
  }

  return {
    value: wrap(value),
    get reads() {
      return reads;
    },
  };
}
