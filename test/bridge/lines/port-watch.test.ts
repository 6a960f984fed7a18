import { describe, expect, it } from 'vitest';
import { createPortWatch } from '../../../src/bridge/lines/port-watch.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

function rig() {
  const clock = createVirtualClock();
  const there = { now: 'a', looks: 0, fails: false };
  const watch = createPortWatch(() => {
    there.looks += 1;
    return there.fails ? Promise.reject(new Error('no list today')) : Promise.resolve(there.now);
  }, clock);
  const calls: number[] = [];
  return { clock, there, watch, calls, start: () => watch.onChange(() => calls.push(clock.elapsed())) };
}

describe('a watch of the ports', () => {
  it('tells once of what has changed, within half a second, and then rests', async () => {
    const { clock, there, watch, calls, start } = rig();
    await watch.note();
    start();
    await clock.advance(10_000);
    expect(calls).toEqual([]);
    there.now = 'b';
    await clock.advance(500);
    expect(calls).toEqual([10_500]);
    const { looks } = there;
    await clock.advance(10_000);
    expect(calls).toHaveLength(1);
    expect(there.looks).toBe(looks);
    expect(clock.waiting).toBe(0);
  });

  it('tells of what changed between the try and the watch', async () => {
    const { clock, there, watch, calls, start } = rig();
    await watch.note();
    there.now = 'b';
    start();
    await clock.advance(500);
    expect(calls).toEqual([500]);
  });

  it('asks nothing more once it was ended', async () => {
    const { clock, there, watch, calls, start } = rig();
    await watch.note();
    const end = start();
    end();
    there.now = 'b';
    await clock.advance(10_000);
    expect(calls).toEqual([]);
    expect(there.looks).toBe(1);
    expect(clock.waiting).toBe(0);
  });

  it('takes a system that does not tell for one on which nothing has changed', async () => {
    const { clock, there, watch, calls, start } = rig();
    await watch.note();
    there.fails = true;
    start();
    await clock.advance(5_000);
    expect(calls).toEqual([]);
    Object.assign(there, { fails: false, now: 'b' });
    await clock.advance(500);
    expect(calls).toHaveLength(1);
  });
});
