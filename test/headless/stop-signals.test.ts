import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/base/clock.ts';
import { watchStopSignals } from '../../src/headless/stop-signals.ts';
import { runTillbridge } from '../../src/headless/program.ts';
import { createTestWorld } from './test-world.ts';

function clockAt(time: { ms: number }): Clock {
  return { now: () => time.ms, elapsed: () => time.ms, after: () => () => {} };
}

describe('signals', () => {
  it('ask to stop first, and end at once when they come again', async () => {
    const time = { ms: 1_000 };
    const world = createTestWorld({ clock: clockAt(time) });
    const signals = watchStopSignals(world);
    world.signal('SIGTERM');
    expect(await signals.first).toBe('SIGTERM');
    expect(world.endedNow).toBeNull();
    time.ms += 1_000;
    world.signal('SIGINT');
    expect(world.endedNow).toBe(130);
  });

  it('count once when one press of Ctrl-C arrives twice', async () => {
    const time = { ms: 0 };
    const world = createTestWorld({ clock: clockAt(time) });
    const signals = watchStopSignals(world);
    world.signal('SIGINT');
    time.ms += 20;
    world.signal('SIGINT');
    await signals.first;
    expect(world.endedNow).toBeNull();
  });

  it('are not doubled by the end of the shell that they also ended', async () => {
    const time = { ms: 0 };
    const world = createTestWorld({ clock: clockAt(time) });
    const signals = watchStopSignals(world);
    world.signal('SIGTERM');
    time.ms += 5_000;
    world.signal('abandoned');
    await signals.first;
    expect(world.endedNow).toBeNull();
  });

  it('ask to stop, too, when whoever would pass them on is gone', async () => {
    const world = createTestWorld();
    const signals = watchStopSignals(world);
    world.signal('abandoned');
    expect(await signals.first).toBe('abandoned');
  });

  it('end a bridge at once whose start is not over', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-signals-'));
    try {
      const world = createTestWorld({
        onSignal(handler) {
          handler('SIGTERM');
          return () => {};
        },
      });
      const where = ['--data-dir', folder, '--port', '0', '--console-port', '0'];
      expect(await runTillbridge(['bridge', '--terminal', 'simulator', ...where], world)).toBe(143);
      expect(world.endedNow).toBe(143);
      expect(world.complaints).toContain('Ended before the start was over.');
      expect(world.announced).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('are let go of', () => {
    const world = createTestWorld();
    watchStopSignals(world).release();
    world.signal('SIGTERM');
    world.signal('SIGTERM');
    expect(world.endedNow).toBeNull();
  });
});
