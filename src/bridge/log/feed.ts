/** A small publish and subscribe: tells what has happened, steers nothing. */
import type { Log } from './log.ts';

export interface Feed<T> {
  /** Tells everyone who listens now. Returns at once; listeners are called after the code that published is done. */
  publish(value: T): void;
  /** Calls `listener` with each later value, in order. Returns a function that ends it at once; it may be called twice. */
  subscribe(listener: (value: T) => void): () => void;
}

/**
 * Listeners run in a microtask of their own, so none of them can call back into a publisher that is half way through
 * a change. One that throws is logged and hinders neither the publisher nor the others.
 */
export function createFeed<T>(log: Log): Feed<T> {
  /** A subscription is its own object, so one listener may subscribe twice. */
  const subscriptions = new Set<{ listener: (value: T) => void }>();
  return {
    publish(value) {
      const audience = [...subscriptions];
      if (audience.length === 0) return;
      queueMicrotask(() => {
        for (const subscription of audience) {
          if (!subscriptions.has(subscription)) continue;
          try {
            subscription.listener(value);
          } catch (error) {
            log.error('a subscriber failed', { source: 'bridge', err: error });
          }
        }
      });
    },
    subscribe(listener) {
      const subscription = { listener };
      subscriptions.add(subscription);
      return () => void subscriptions.delete(subscription);
    },
  };
}
