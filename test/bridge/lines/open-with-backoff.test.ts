import { describe, expect, it } from 'vitest';
import { createBackoff, openWithBackoff } from '../../../src/base/open-with-backoff.ts';
import { LineError, type Line } from '../../../src/bridge/lines/line.ts';
import { createMemoryLine, createMemoryPair } from '../../../src/bridge/lines/memory.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { turns } from './connection-watch.ts';

/** A clock whose timers fire as soon as the event loop turns; it notes how long they would have waited. */
function hurriedClock() {
  const waited: number[] = [];
  return {
    waited,
    now: () => 0,
    elapsed: () => 0,
    after(delayMs: number, call: () => void) {
      waited.push(delayMs);
      const timer = setImmediate(call);
      return () => clearImmediate(timer);
    },
  };
}

/** Refuses `failures` times, then opens. */
function stubbornLine(failures: number): Line & { opened: number } {
  const inner = createMemoryLine('x', () => {});
  const line = {
    name: 'memory:x',
    opened: 0,
    async open(signal: AbortSignal) {
      line.opened += 1;
      if (line.opened <= failures) throw new LineError(`no. ${line.opened}`);
      return inner.open(signal);
    },
  };
  return line;
}

const random = () => 0;

describe('openWithBackoff', () => {
  it('tries again, ever slower up to a bound, and tells each failure', async () => {
    const clock = hurriedClock();
    const told: [string, number][] = [];
    const connection = await openWithBackoff(stubbornLine(8), {
      clock,
      signal: new AbortController().signal,
      onFailure: (reason, nextTryMs) => told.push([reason, nextTryMs]),
      random,
    });
    expect(connection?.closed).toBe(false);
    expect(clock.waited).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000, 5000]);
    expect(told.map(([, nextTryMs]) => nextTryMs)).toEqual(clock.waited);
    expect(told[0]?.[0]).toBe('no. 1');
  });

  it('leaves a part of each delay to chance', async () => {
    const clock = hurriedClock();
    await openWithBackoff(stubbornLine(3), {
      clock,
      signal: new AbortController().signal,
      onFailure: () => {},
      random: () => 0.999_999,
    });
    expect(clock.waited).toEqual([188, 375, 750]);
  });

  it('ends with null while it waits, before it begins, and in the middle of an opening', async () => {
    const clock = hurriedClock();
    const waiting = new AbortController();
    const line = stubbornLine(Infinity);
    const slow = { ...clock, after: () => () => {} };
    const pending = openWithBackoff(line, {
      clock: slow,
      signal: waiting.signal,
      onFailure: () => {},
      random,
    });
    await turns();
    waiting.abort();
    expect(await pending).toBeNull();
    expect(line.opened).toBe(1);

    const before = stubbornLine(0);
    expect(
      await openWithBackoff(before, { clock, signal: AbortSignal.abort(), onFailure: () => {}, random }),
    ).toBeNull();
    expect(before.opened).toBe(0);

    const during = new AbortController();
    const [near, far] = createMemoryPair();
    const ignorant: Line = {
      name: 'memory:ignorant',
      async open() {
        during.abort();
        return near;
      },
    };
    expect(
      await openWithBackoff(ignorant, { clock, signal: during.signal, onFailure: () => {}, random }),
    ).toBeNull();
    await turns();
    expect(far.closed).toBe(true);
  });

  it('goes on where it stopped with a backoff of the caller', async () => {
    const clock = hurriedClock();
    const backoff = createBackoff({ random });
    const options = { clock, signal: new AbortController().signal, onFailure: () => {}, backoff, random };
    await openWithBackoff(stubbornLine(2), options);
    await openWithBackoff(stubbornLine(1), options);
    backoff.reset();
    await openWithBackoff(stubbornLine(1), options);
    expect(clock.waited).toEqual([250, 500, 1000, 250]);
  });

  it('tries at once when something was plugged in, and begins with the shortest delay again', async () => {
    const clock = createVirtualClock();
    const calls = new Set<() => void>();
    const line = {
      ...stubbornLine(8),
      onPlugged(call: () => void) {
        calls.add(call);
        return () => calls.delete(call);
      },
    };
    const tries: number[] = [];
    const nextTries: number[] = [];
    const opening = openWithBackoff(line, {
      clock,
      signal: new AbortController().signal,
      onFailure(_, nextTryMs) {
        tries.push(clock.elapsed());
        nextTries.push(nextTryMs);
        if (tries.length === 6) clock.after(10, () => calls.forEach((call) => call()));
      },
      random,
    });
    await clock.run(opening, 'a connection');
    expect(tries).toEqual([0, 250, 750, 1_750, 3_750, 7_750, 7_760, 8_010]);
    expect(nextTries.slice(5)).toEqual([5_000, 250, 500]);
    expect(calls.size).toBe(0);
    expect(clock.waiting).toBe(0);
  });
});
