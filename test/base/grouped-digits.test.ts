import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { groupedDigits } from '../../src/base/grouped-digits.ts';

it('groups digits as the locale does', () => {
  expect([0, 999, 1_000, 1_204_567].map((count) => groupedDigits(count))).toEqual([
    '0',
    '999',
    '1,000',
    '1,204,567',
  ]);
  expect(groupedDigits(12_500, '.')).toBe('12.500');
  fc.assert(
    fc.property(fc.nat({ max: Number.MAX_SAFE_INTEGER }), (count) => {
      expect(groupedDigits(count)).toBe(count.toLocaleString('en-US'));
    }),
  );
});
