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
   * Calls every listener with one of `values` after the other before it returns. Throws nothing but what `onFault`
   * throws. What a listener emits meanwhile comes after these, so that all hear the same order.
   */
  emit(...values: T[]): void;
  /** Ends every subscription. */
  clear(): void;
}

export interface EmitterOptions<T> {
  /** Told of what a listener throws, and with which value. */
  onFault: (error: unknown, value: T) => void;
  /** A listener that throws hears no more: where telling of the fault would emit the next value, for ever. */
  endOnFault?: boolean;
}

export function createEmitter<T>({ onFault, endOnFault = false }: EmitterOptions<T>): Emitter<T> {
  const subscriptions = new Set<{ listener: (value: T) => void }>();
  const queue: { value: T }[] = [];
  let emitting = false;

  function deliver(value: T): void {
    const subscribedBefore = [...subscriptions];
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
      queue.push(...values.map((value) => ({ value })));
      if (emitting) return;
      emitting = true;
      try {
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) deliver(next.value);
      } finally {
        emitting = false;
      }
    },
    clear: () => subscriptions.clear(),
  };
}
