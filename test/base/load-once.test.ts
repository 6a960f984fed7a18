import { expect, it } from 'vitest';
import { loadOnce } from '../../src/base/load-once.ts';

it('is loaded once, also for those who ask meanwhile', async () => {
  let loads = 0;
  const load = loadOnce(() => Promise.resolve((loads += 1)));
  expect(await Promise.all([load(), load()])).toEqual([1, 1]);
  expect(await load()).toBe(1);
});

it('is tried again after a failure', async () => {
  const tries = [Promise.reject(new Error('gone')), Promise.resolve('there')];
  const load = loadOnce(() => tries.shift() ?? Promise.reject(new Error('asked too often')));
  await expect(load()).rejects.toThrow('gone');
  expect(await load()).toBe('there');
  expect(await load()).toBe('there');
});
