/**
 * Publish and subscribe, written once. What a subscriber does cannot hurt the one who emits: its faults are reported and
 * go no further.
 */

export interface Emitter<T> {
  /** Whether anybody listens. */
  readonly hasSubscribers: boolean;
  /**
   * Calls `listener` with each value from now on; the result ends it, also in the middle of an `emit`. The same function
   * may subscribe twice, and ends each subscription by itself. Whoever subscribes during an `emit` hears the next value.
   */
  subscribe(listener: (value: T) => void): () => void;
  /**
   * Calls every listener with one of `values` after the other before it returns, or later where `later` says so: then it
   * is those who listen now that hear them. Throws nothing but what `onFault` throws. What a listener emits meanwhile
   * comes after these, so that all hear the same order.
   */
  emit(...values: T[]): void;
  /** Passes on now what was left to `later`. */
  flush(): void;
  /** Ends every subscription. */
  clear(): void;
}

export interface EmitterOptions<T> {
  /** Told of what a listener throws, and with which value. */
  onFault: (error: unknown, value: T) => void;
  /** A listener that throws hears no more: where telling of the fault would emit the next value, for ever. */
  endOnFault?: boolean;
  /** Calls `deliver` in a later turn of the event loop, so that who emits need not wait. Left out: nothing is put off. */
  later?: (deliver: () => void) => void;
}

export function createEmitter<T>({ onFault, endOnFault = false, later }: EmitterOptions<T>): Emitter<T> {
  type Subscription = { listener: (value: T) => void };
  const subscriptions = new Set<Subscription>();
  /** `late`: who listened when it was emitted; null where it is passed on at once. */
  const queue: { value: T; late: Subscription[] | null }[] = [];
  let emitting = false;
  /** A later turn was asked for, and has not come. */
  let scheduled = false;

  function deliver(value: T, late: Subscription[] | null): void {
    const subscribedBefore = late ?? [...subscriptions];
    for (const subscription of subscribedBefore) {
      if (!subscriptions.has(subscription)) continue;
      try {
        subscription.listener(value);
      } catch (error) {
        if (endOnFault) subscriptions.delete(subscription);
        onFault(error, value);
      }
    }
  }

  function flush(): void {
    if (emitting) return;
    emitting = true;
    try {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) deliver(next.value, next.late);
    } finally {
      emitting = false;
    }
  }

  return {
    get hasSubscribers() {
      return subscriptions.size > 0;
    },
    subscribe(listener) {
      const subscription = { listener };
      subscriptions.add(subscription);
      return () => void subscriptions.delete(subscription);
    },
    emit(...values) {
      const late = later === undefined ? null : [...subscriptions];
      queue.push(...values.map((value) => ({ value, late })));
      if (later === undefined) return flush();
      if (scheduled) return;
      scheduled = true;
      later(() => {
        scheduled = false;
        flush();
      });
    },
    flush,
    clear: () => subscriptions.clear(),
  };
}
