/** The clock that the other tests run on. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMemoryPair } from '../../src/bridge/lines/memory.ts';
import { pause } from '../../src/base/clock.ts';
import { createVirtualClock, onClock, settle } from './virtual-clock.ts';

describe('the virtual clock', () => {
  it('stands still until somebody waits, and then calls what is due in its order', async () => {
    const clock = createVirtualClock({ startsAt: 1_000 });
    const calls: string[] = [];
    const note = (name: string) => () => calls.push(`${name} at ${clock.elapsed()}`);
    clock.after(20, note('second'));
    clock.after(10, () => {
      note('first')();
      clock.after(10, note('third'));
      clock.after(0, note('at once'));
    });
    clock.after(30, note('later'));
    clock.after(15, note('cancelled'));
    const cancel = clock.after(16, note('cancelled'));
    clock.after(15, cancel);
    await settle();
    expect(calls).toEqual([]);
    await clock.advance(25);
    expect(calls).toEqual(['first at 10', 'at once at 10', 'cancelled at 15', 'second at 20', 'third at 20']);
    expect([clock.elapsed(), clock.now(), clock.waiting]).toEqual([25, 1_025, 1]);
  });

  it('lets everything come to rest before the next timer', async () => {
    const clock = createVirtualClock();
    const [near, far] = createMemoryPair();
    let hops = 0;
    for (const end of [near, far]) {
      end.onData((bytes) => {
        hops += 1;
        if (hops < 1_000) void Promise.resolve().then(() => end.write(bytes));
      });
    }
    near.write(Uint8Array.of(1));
    let hopsAtTimer = 0;
    clock.after(1, () => (hopsAtTimer = hops));
    await clock.advance(1);
    expect(hopsAtTimer).toBe(1_000);
  });

  it('waits for files, too', async () => {
    const clock = createVirtualClock();
    const folder = mkdtempSync(join(tmpdir(), 'tillbridge-clock-'));
    let written = false;
    void writeFile(join(folder, 'file'), 'text').then(() => {
      written = true;
    });
    await clock.advance(1);
    rmSync(folder, { recursive: true });
    expect(written).toBe(true);
  });

  it('goes on until a condition holds, and not one timer further', async () => {
    const clock = createVirtualClock();
    let ticks = 0;
    const tick = () => {
      ticks += 1;
      clock.after(1_000, tick);
    };
    tick();
    expect(await clock.until(() => ticks >= 5 && `${ticks} ticks`, 'five ticks')).toBe('5 ticks');
    expect(clock.elapsed()).toBe(4_000);
  });

  it('sees at once what a test says must not be missed', async () => {
    const clock = createVirtualClock();
    let passing = false;
    clock.after(1, () => {
      passing = true;
      clock.recheck();
      passing = false;
    });
    expect(await clock.until(() => passing, 'what is gone in the same turn')).toBe(true);
  });

  it('goes on for a promise, and gives what it gives', async () => {
    const clock = createVirtualClock();
    expect(
      await clock.run(
        pause(clock, 60_000).then(() => 'done'),
        'a minute',
      ),
    ).toBe('done');
    expect(clock.elapsed()).toBe(60_000);
    const object = onClock(clock, {
      plain: () => 1,
      slow: () => pause(clock, 500).then(() => 2),
      failing: () => pause(clock, 500).then(() => Promise.reject(new Error('as it was'))),
    });
    expect([object.plain(), await object.slow()]).toEqual([1, 2]);
    await expect(object.failing()).rejects.toThrow('as it was');
  });

  it('serves several who wait: nobody’s moment is passed over', async () => {
    const clock = createVirtualClock();
    const seen: string[] = [];
    for (let ms = 1; ms <= 50; ms += 1) clock.after(ms, () => {});
    await Promise.all([
      clock.until(() => clock.elapsed() === 10, 'moment 10').then(() => seen.push('10')),
      clock.until(() => clock.elapsed() === 20, 'moment 20').then(() => seen.push('20')),
      clock.advance(15).then(() => seen.push(`advanced to ${clock.elapsed()}`)),
    ]);
    expect(seen).toEqual(['10', 'advanced to 15', '20']);
  });

  it('sets the wall clock without a timer noticing', async () => {
    const clock = createVirtualClock({ startsAt: 1_000_000 });
    clock.after(10, () => {});
    clock.jump(-500_000);
    expect([clock.now(), clock.elapsed()]).toEqual([500_000, 0]);
    await clock.advance(10);
    expect([clock.now(), clock.elapsed(), clock.waiting]).toEqual([500_010, 10, 0]);
  });
});

describe('beside real things', () => {
  it('stands still while it is held, and goes on where it was', async () => {
    const clock = createVirtualClock();
    const release = clock.hold();
    const other = clock.hold();
    const advanced = clock.advance(10);
    await settle();
    release();
    release();
    await settle();
    expect(clock.elapsed()).toBe(0);
    other();
    await advanced;
    expect(clock.elapsed()).toBe(10);
  });

  it('does not give up when nothing is left, for something may come from outside', async () => {
    const clock = createVirtualClock({ besideIo: true });
    const server = createServer().listen(0, '127.0.0.1');
    await clock.run(once(server, 'listening'), 'a server');
    server.close();
    await clock.run(once(server, 'close'), 'its end');
    await clock.advance(5);
    expect(clock.elapsed()).toBe(5);
  });
});

describe('waiting in vain', () => {
  it('ends when nothing is left that could happen, and names what was waited for', async () => {
    const clock = createVirtualClock();
    clock.after(300, () => {});
    await expect(clock.until(() => false, 'a miracle')).rejects.toThrow(
      'waited in vain for a miracle: nothing is left that could happen, 300 ms after the wait began',
    );
    await expect(clock.run(new Promise(() => {}), 'nobody')).rejects.toThrow('waited in vain for nobody');
  });

  it('ends at its limit', async () => {
    const clock = createVirtualClock();
    const tick = () => void clock.after(1_000, tick);
    tick();
    await expect(clock.until(() => false, 'a miracle', 5_500)).rejects.toThrow(
      'more time would go by than allowed, 5000 ms after the wait began',
    );
    await expect(clock.until(() => false, 'a miracle')).rejects.toThrow('600000 ms after');
  });

  it('ends when timers run in circles', async () => {
    const clock = createVirtualClock();
    const circle = () => void clock.after(0, circle);
    circle();
    await expect(clock.until(() => false, 'a miracle')).rejects.toThrow('timers run in circles');
  });

  it('ends when a timer or a condition throws', async () => {
    const clock = createVirtualClock();
    clock.after(1, () => {
      throw new Error('in a timer');
    });
    await expect(clock.advance(5)).rejects.toThrow('in a timer');
    const look = () => {
      throw new Error('in a condition');
    };
    await expect(clock.advance(0).then(() => clock.until(look, 'x'))).rejects.toThrow('in a condition');
  });
});
