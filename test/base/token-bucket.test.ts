import { describe, expect, it } from 'vitest';
import { createTokenBucket } from '../../src/base/token-bucket.ts';

describe('a token bucket', () => {
  it('gives what it holds at once, and then what comes back with time', () => {
    let nowMs = 0;
    const bucket = createTokenBucket({ elapsed: () => nowMs }, { capacity: 3, refillMs: 1_000 });
    expect([1, 2, 3, 4].map(() => bucket.take())).toEqual([true, true, true, false]);
    nowMs += 999;
    expect(bucket.take()).toBe(false);
    nowMs += 1;
    expect(bucket.take()).toBe(true);
    nowMs += 1_000_000;
    expect(bucket.take(4)).toBe(false);
    expect(bucket.take(3)).toBe(true);
    expect(bucket.take()).toBe(false);
    bucket.fill();
    expect(bucket.take(3)).toBe(true);
  });
});
