/** Waiting that ends: by its result, its error, a signal or a deadline. */
import { describe, expect, it } from 'vitest';
import { orAborted, startDeadline, within } from '../../src/base/abort.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

describe('orAborted', () => {
  it.each([
    ['gives what the work gives', (work: PromiseWithResolvers<string>) => work.resolve('done'), 'done'],
    ['gives null once aborted', (_work: unknown, controller: AbortController) => controller.abort(), null],
    [
      'gives null once aborted, whatever the work does later',
      (work: PromiseWithResolvers<string>, controller: AbortController) => {
        controller.abort();
        work.reject(new Error('too late to matter'));
      },
      null,
    ],
  ])('%s', async (_name, act, expected) => {
    const work = Promise.withResolvers<string>();
    const controller = new AbortController();
    const result = orAborted(work.promise, controller.signal);
    act(work, controller);
    expect(await result).toBe(expected);
  });

  it('gives null at once where the signal was aborted before', async () => {
    expect(await orAborted(new Promise(() => {}), AbortSignal.abort())).toBeNull();
  });

  it('rejects as the work does', async () => {
    const work = Promise.reject(new Error('no'));
    await expect(orAborted(work, new AbortController().signal)).rejects.toThrow('no');
  });
});

describe('a deadline', () => {
  it('aborts after its time, and not when it was cancelled', async () => {
    const clock = createVirtualClock();
    const kept = startDeadline(clock, 100);
    const cancelled = startDeadline(clock, 100);
    await clock.advance(99);
    expect(kept.passed).toBe(false);
    cancelled.cancel();
    await clock.advance(1);
    expect(kept.passed).toBe(true);
    expect(kept.signal.aborted).toBe(true);
    expect(cancelled.passed).toBe(false);
  });

  it('bounds the wait for some work, and leaves no timer behind', async () => {
    const clock = createVirtualClock();
    expect(await within(clock, 100, Promise.resolve('in time'))).toBe('in time');
    await expect(within(clock, 100, Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(clock.waiting).toBe(0);
    const late = within(clock, 100, new Promise(() => {}));
    await clock.advance(100);
    expect(await late).toBeNull();
  });
});
