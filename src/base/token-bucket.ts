/** A token bucket: so much at once, and then as much as comes back with time. */

export interface TokenBucket {
  /** Takes `count` tokens if there are so many. False: there are not, and none is taken. */
  take(count?: number): boolean;
  /** As full as at the beginning. */
  fill(): void;
}

export interface TokenBucketOptions {
  capacity: number;
  /** How long one token takes to come back, in milliseconds. */
  refillMs: number;
}

/** Begins full. `clock` counts milliseconds. */
export function createTokenBucket(
  clock: { elapsed(): number },
  { capacity, refillMs }: TokenBucketOptions,
): TokenBucket {
  let left = capacity;
  let atMs = clock.elapsed();
  return {
    take(count = 1) {
      const nowMs = clock.elapsed();
      left = Math.min(capacity, left + (nowMs - atMs) / refillMs);
      atMs = nowMs;
      if (left < count) return false;
      left -= count;
      return true;
    },
    fill() {
      left = capacity;
      atMs = clock.elapsed();
    },
  };
}
