/** One task after the other, however they end. */
import { expect, it } from 'vitest';
import { createSerialQueue } from '../../src/base/serial-queue.ts';

it('runs tasks in the order in which they came, one at a time, also after one that failed', async () => {
  const queue = createSerialQueue();
  const steps: string[] = [];
  const gates = ['a', 'b', 'c'].map(() => Promise.withResolvers<void>());
  const results = gates.map((gate, index) =>
    queue.run(async () => {
      steps.push(`begin ${index}`);
      await gate.promise;
      steps.push(`end ${index}`);
      if (index === 0) throw new Error('the first one fails');
      return index;
    }),
  );
  expect(queue.size).toBe(3);
  const idle = queue.idle().then(() => steps.push('idle'));
  gates[2]?.resolve();
  gates[1]?.resolve();
  gates[0]?.resolve();
  await expect(results[0]).rejects.toThrow('the first one fails');
  expect(await results[1]).toBe(1);
  expect(await results[2]).toBe(2);
  await idle;
  expect(steps).toStrictEqual(['begin 0', 'end 0', 'begin 1', 'end 1', 'begin 2', 'end 2', 'idle']);
  expect(queue.size).toBe(0);
});

it('passes on what a task throws before it gives a promise', async () => {
  const queue = createSerialQueue();
  const failed = queue.run(() => {
    throw new Error('at once');
  });
  await expect(failed).rejects.toThrow('at once');
  expect(await queue.run(() => Promise.resolve('next'))).toBe('next');
});
