import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/base/clock.ts';
import { watchStopSignals } from '../../src/headless/stop-signals.ts';
import { runTillbridge } from '../../src/headless/program.ts';
import { createTestContext } from './test-context.ts';

function clockAt(time: { ms: number }): Clock {
  return { now: () => time.ms, elapsed: () => time.ms, after: () => () => {} };
}

describe('signals', () => {
  it('ask to stop first, and end at once when they come again', async () => {
    const time = { ms: 1_000 };
    const context = createTestContext({ clock: clockAt(time) });
    const signals = watchStopSignals(context, 'What was begun is in doubt.');
    context.signal('SIGTERM');
    expect(await signals.first).toBe('SIGTERM');
    expect(context.endedNow).toBeNull();
    time.ms += 1_000;
    context.signal('SIGINT');
    expect(context.endedNow).toBe(130);
    expect(context.errors).toContain('What was begun is in doubt.');
  });

  it('count once when one press of Ctrl-C arrives twice', async () => {
    const time = { ms: 0 };
    const context = createTestContext({ clock: clockAt(time) });
    const signals = watchStopSignals(context);
    context.signal('SIGINT');
    time.ms += 20;
    context.signal('SIGINT');
    await signals.first;
    expect(context.endedNow).toBeNull();
  });

  it('are not doubled by the end of the shell that they also ended', async () => {
    const time = { ms: 0 };
    const context = createTestContext({ clock: clockAt(time) });
    const signals = watchStopSignals(context);
    context.signal('SIGTERM');
    time.ms += 5_000;
    context.signal('abandoned');
    await signals.first;
    expect(context.endedNow).toBeNull();
  });

  it('ask to stop, too, when whoever would pass them on is gone', async () => {
    const context = createTestContext();
    const signals = watchStopSignals(context);
    context.signal('abandoned');
    expect(await signals.first).toBe('abandoned');
  });

  it('end a bridge at once whose start is not over', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-signals-'));
    try {
      const context = createTestContext({
        onSignal(handler) {
          handler('SIGTERM');
          return () => {};
        },
      });
      const where = ['--data-dir', folder, '--port', '0', '--console-port', '0'];
      expect(await runTillbridge(['bridge', '--terminal', 'simulator', ...where], context)).toBe(143);
      expect(context.endedNow).toBe(143);
      expect(context.errors).toContain('Stopped before the start was complete.');
      expect(context.infos).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('are let go of', () => {
    const context = createTestContext();
    watchStopSignals(context).release();
    context.signal('SIGTERM');
    context.signal('SIGTERM');
    expect(context.endedNow).toBeNull();
  });
});
