/** Shops with mistakes in what their acquirers pay: nothing wrong is said of any. `npm run simulate:reconcile` plays more. */
import { describe, expect, it } from 'vitest';
import { judge } from './shops/judge.ts';
import { makeShop } from './shops/world.ts';

const looks = ['2025-04-30', '2025-12-31'];

describe('a shop of a year', () => {
  it.each(Array.from({ length: 12 }, (_, at) => 7_000 + at))('with seed %i', (seed) => {
    const shop = makeShop(seed);
    const judgements = looks.flatMap((today) => judge(shop, today));
    expect(judgements.filter(({ kind }) => kind === 'wrong').map(({ text }) => text)).toEqual([]);
    expect(judgements.filter(({ kind }) => kind === 'right').length).toBeGreaterThan(0);
  });
});
