/** Memory is given back while nothing happens, and at no other time. */
import { describe, expect, it } from 'vitest';
import { keepMemoryLow } from '../../src/host/memory-upkeep.ts';
import type { ProcessMemory } from '../../src/base/process-memory.ts';
import { createVirtualClock, type VirtualClock } from '../support/virtual-clock.ts';
import { isReady, newHostOn } from './host-kit.ts';

const mb = 1_000_000;

/** A memory that is full of garbage again and again, and when it was collected. */
function fullMemory(clock: VirtualClock) {
  const at: number[] = [];
  let held = 0;
  const memory: ProcessMemory = {
    heldBytes: () => (held += 100 * mb),
    processorMs: () => 0,
    collect: async () => void at.push(clock.elapsed()),
  };
  return { memory, at };
}

/** A process of 105 MB, 90 MB of which are in use, and what became of it. */
function watched({ works = true, tookMs = 0, collected = Promise.resolve() } = {}) {
  const clock = createVirtualClock();
  const at: number[] = [];
  const held = { bytes: 105 * mb, inUse: 90 * mb, processorMs: 0, busy: false };
  const late = { byMs: 0 };
  const end = keepMemoryLow({
    clock: { ...clock, elapsed: () => clock.elapsed() + late.byMs },
    isBusy: () => held.busy,
    memory: {
      heldBytes: () => held.bytes,
      processorMs: () => held.processorMs,
      async collect() {
        if (!works) throw new Error('built without it');
        at.push(clock.elapsed());
        await collected;
        held.processorMs += tookMs;
        held.bytes = held.inUse;
      },
    },
  });
  return { clock, late, held, at, end };
}

describe('memory', () => {
  it('is given back once after a start', async () => {
    const { clock, held, at, end } = watched();
    await clock.advance(4_999);
    expect(at).toEqual([]);
    await clock.advance(1);
    expect([at, held.bytes]).toEqual([[5_000], 90 * mb]);
    await clock.advance(600_000);
    expect(at).toEqual([5_000]);
    end();
    expect(clock.waiting).toBe(0);
  });

  it('is given back again when as much garbage lies there as is worth a pause', async () => {
    const { clock, held, at } = watched();
    await clock.advance(5_000);
    held.bytes += 16 * mb - 1;
    await clock.advance(60_000);
    expect(at).toEqual([5_000]);
    held.bytes += 1;
    await clock.advance(5_000);
    expect([at, held.bytes]).toEqual([[5_000, 70_000], 90 * mb]);
  });

  it('is not looked through again and again where it is in use', async () => {
    const { clock, held, at } = watched();
    held.inUse = held.bytes = 400 * mb;
    await clock.advance(600_000);
    expect(at).toEqual([5_000]);
  });

  it('is left alone while the process has something to do', async () => {
    const { clock, held, at } = watched();
    for (let seconds = 0; seconds < 60; seconds += 1) {
      held.processorMs += 20;
      await clock.advance(1_000);
    }
    expect(at).toEqual([]);
    held.processorMs += 99;
    await clock.advance(5_000);
    expect(at).toEqual([65_000]);
  });

  it('does not count what collecting took as something to do', async () => {
    const { clock, held, at } = watched({ tookMs: 150 });
    await clock.advance(5_000);
    held.bytes += 20 * mb;
    await clock.advance(5_000);
    expect(at).toEqual([5_000, 10_000]);
  });

  it('is left alone while a terminal is at work, which takes no processor time', async () => {
    const { clock, held, at } = watched();
    held.busy = true;
    await clock.advance(120_000);
    expect(at).toEqual([]);
    held.busy = false;
    await clock.advance(5_000);
    expect(at).toEqual([125_000]);
  });

  it('is left to V8 where Node cannot do it, and no timer goes on', async () => {
    const { clock, at } = watched({ works: false });
    await clock.advance(60_000);
    expect([at, clock.waiting]).toEqual([[], 0]);
  });

  it('is looked at by what was used in the time that really went by, also when a look comes late', async () => {
    for (const [usedMs, collections] of [
      [1_300, 0],
      [1_100, 1],
    ] as const) {
      const { clock, late, held, at } = watched();
      late.byMs = 55_000;
      held.processorMs = usedMs;
      await clock.advance(5_000);
      expect(at).toHaveLength(collections);
    }
  });

  it('is not looked at any more once that has ended', async () => {
    const { clock, at, end } = watched();
    await clock.advance(4_999);
    end();
    await clock.advance(60_000);
    expect([at, clock.waiting]).toEqual([[], 0]);
  });

  it('is not looked at any more either when that ends while it is being collected', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { clock, at, end } = watched({ collected: promise });
    await clock.advance(5_000);
    end();
    resolve();
    await clock.advance(60_000);
    expect([at, clock.waiting]).toEqual([[5_000], 0]);
  });
});

it.each([
  ['the only terminal', {}, {}],
  ['the second of two terminals', { TILLBRIDGE_ADD_TERMINAL: 'bar=simulator' }, { 'x-terminal': 'bar' }],
])(
  'is not collected while %s waits for a card, nor by a host that has stopped',
  async (_what, environment, headers) => {
    const clock = createVirtualClock({ besideIo: true });
    const { memory, at } = fullMemory(clock);
    const flags = { terminal: 'simulator', pace: '20' };
    const kit = newHostOn(clock, { flags, environment, host: { memory } });
    await kit.host.start();
    await isReady(kit);
    await clock.advance(20_000);
    const before = at.length;
    expect(before).toBeGreaterThan(0);

    const isAtWork = () =>
      kit.host.bridge?.terminals.some(({ payments }) => payments.status().currentOperation !== null);
    const sale = { amount: '12.00', retrieval_reference_number: 'SLOW-1' };
    await clock.run(kit.till().post('/CreatePayment', sale, headers), 'an answer');
    expect(isAtWork()).toBe(true);
    const startedMs = clock.elapsed();
    await clock.until(() => !isAtWork(), 'the end of the payment');
    const endedMs = clock.elapsed();
    expect(endedMs - startedMs).toBeGreaterThan(2 * 5_000);
    expect(at.filter((ms) => ms > startedMs && ms < endedMs)).toEqual([]);
    await clock.advance(20_000);
    const after = at.length;
    expect(after).toBeGreaterThan(before);

    await kit.host.stop();
    await clock.advance(60_000);
    expect(at).toHaveLength(after);
  },
);
