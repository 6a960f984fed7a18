/** What reads the results about the money: made where there are any. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { moneyFiles, moneyFolder } from '../../src/host/money-place.ts';
import { onceFound } from '../../src/host/once-found.ts';
import * as reconcile from '../../src/host/reconcile/index.ts';
import { tempFolder } from '../support/temp-folder.ts';

function empty() {
  const place = { dataDir: tempFolder('once-found'), simulated: true };
  mkdirSync(moneyFolder(place), { recursive: true });
  return { place, find: () => writeFileSync(moneyFiles(place).results, '{}') };
}

it('is nothing until something has been found, and then the same for good', async () => {
  const { place, find } = empty();
  let loads = 0;
  const load = () => {
    loads += 1;
    return Promise.resolve(reconcile);
  };
  const reader = onceFound(
    () => place,
    (code) => code.createResultsReader(),
    load,
  );
  expect(await reader()).toBeNull();
  expect(loads).toBe(0);
  find();
  const made = await reader();
  expect(made?.(place)).toMatchObject({ ok: false });
  rmSync(moneyFiles(place).results);
  expect(await reader()).toBe(made);
  expect(loads).toBe(1);
});

it('is tried again after its code could not be loaded', async () => {
  const { place, find } = empty();
  find();
  const loads = [Promise.reject(new Error('no such file')), Promise.resolve(reconcile)];
  const reader = onceFound(
    () => place,
    () => 'made',
    () => loads.shift() ?? Promise.reject(new Error('loaded twice')),
  );
  await expect(reader()).rejects.toThrow('no such file');
  expect(await reader()).toBe('made');
  expect(await reader()).toBe('made');
});
