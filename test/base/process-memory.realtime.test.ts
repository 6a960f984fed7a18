/** What Node really does for the memory of a process. */
import { expect, it } from 'vitest';
import { systemMemory } from '../../src/base/process-memory.ts';

it('collects what nobody uses any more, although V8 would let it lie', async () => {
  const dropped: WeakRef<object>[] = [];
  const kept = { some: 'thing' };
  const stillThere = new WeakRef(kept);
  for (let count = 0; count < 1_000; count += 1) dropped.push(new WeakRef({ count }));
  const left = () => dropped.filter((one) => one.deref() !== undefined).length;
  expect(left()).toBe(1_000);
  // What has just been looked at stays until this turn of the event loop is over.
  await new Promise(setImmediate);
  await systemMemory.collect();
  expect(left()).toBe(0);
  expect(stillThere.deref()).toBe(kept);
});

it('says what the process holds and how long it has worked', () => {
  expect(systemMemory.heldBytes()).toBeGreaterThan(1_000_000);
  const before = systemMemory.processorMs();
  expect(before).toBeGreaterThan(1);
  let sum = 0;
  for (let count = 0; count < 30_000_000; count += 1) sum += count % 7;
  expect(sum).toBeGreaterThan(0);
  expect(systemMemory.processorMs()).toBeGreaterThan(before);
});
