/** Shops with mistakes in what their acquirers pay: nothing wrong is said of any. `npm run simulate:reconcile` plays more. */
import { describe, expect, it } from 'vitest';
import { readRules, reconcile } from '../../src/reconcile/index.ts';
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

  // Then far fewer entries are looked at, and what is said has to be the same.
  it.each([7_001, 7_003, 7_008])(
    'with seed %i is told alike without why entries are not its money',
    (seed) => {
      const { rules, batches, entries, decisions } = makeShop(seed);
      const read = readRules(rules);
      if (!read.ok) throw new Error(read.errors.join('; '));
      const known = [{ account: 'giro', from: '2024-01-01', until: '2025-09-30' }];
      const input = { batches, entries, known, decisions, today: '2025-09-30' };
      const [full, short] = [true, false].map((explain) => {
        const found = reconcile({ ...input, explain }, read.rules);
        const partsOf = found.batches.flatMap(({ parts }) => parts);
        return { ...found, batches: partsOf.map(({ ruledOut: _ruledOut, ...part }) => part) };
      });
      expect(short).toEqual(full);
      expect(full?.batches.some(({ possible }) => possible.length > 1)).toBe(true);
    },
  );
});
