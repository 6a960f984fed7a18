/** Shares that never claim too much, the opening hours, and the day with which this one is compared. */
import { describe, expect, test } from 'vitest';
import {
  medianOf,
  openingHours,
  shareOf,
  weekBefore,
  weekBeforeUntil,
} from '../../src/renderer/pages/till/day-figures.ts';

const midnight = new Date(2026, 4, 12).getTime();
const hourMs = 3_600_000;

function hoursWith(counts: Record<number, number>, startMs = midnight) {
  return Array.from({ length: 24 }, (_, hour) => {
    const count = counts[hour] ?? 0;
    return { from: new Date(startMs + hour * hourMs).toISOString(), count, approved: count, sumMinor: 0 };
  });
}

const clockHours = (hours: readonly { from: string }[]) => hours.map(({ from }) => new Date(from).getHours());

describe('a share', () => {
  test.each([
    [249, 250, 0.996],
    [1, 250, 0.004],
    [9_999, 10_000, 0.999],
    [1, 10_000, 0.001],
    [39, 41, 0.951],
    [1_303, 2_303, 0.566],
    [5, 5, 1],
    [0, 5, 0],
  ])('of %i out of %i is %f', (part, whole, share) => {
    expect(shareOf(part, whole)).toBe(share);
  });
});

describe('the opening hours', () => {
  test('go from the first to the last hour with a payment, of this day or the week before', () => {
    const hours = openingHours(
      hoursWith({ 9: 2, 14: 1 }),
      hoursWith({ 8: 3, 17: 5 }, midnight - 7 * 24 * hourMs),
    );
    expect(clockHours(hours)).toEqual([8, 9, 10, 11, 12, 13, 14, 15, 16, 17]);
    expect(hours.map(({ count, before }) => [count, before])).toEqual([
      [0, 3],
      [2, 0],
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 0],
      [1, 0],
      [0, 0],
      [0, 0],
      [0, 5],
    ]);
  });

  test.each([
    ['at noon', 12, [10, 15]],
    ['just after midnight', 0, [0, 5]],
    ['just before midnight', 23, [18, 23]],
  ])('are six at least, with the one payment %s', (_, hour, [first, last]) => {
    const hours = openingHours(hoursWith({ [hour]: 1 }), null);
    expect([clockHours(hours)[0], clockHours(hours).at(-1)]).toEqual([first, last]);
    expect(hours).toHaveLength(6);
    expect(hours.every(({ before }) => before === null)).toBe(true);
  });
});

test('a day is compared with the one a week before, by the clock on the wall, up to the same time', () => {
  const day = { from: new Date(2026, 4, 12).toISOString(), until: new Date(2026, 4, 13).toISOString() };
  const before = { from: new Date(2026, 4, 5).toISOString(), until: new Date(2026, 4, 6).toISOString() };
  expect(weekBefore(day)).toEqual(before);
  const nowMs = new Date(2026, 4, 12, 14, 7, 31).getTime();
  expect(weekBeforeUntil(day, nowMs)).toEqual({
    ...before,
    until: new Date(2026, 4, 5, 14, 5).toISOString(),
  });
});

test('the median is the lower middle one; of nothing there is none', () => {
  expect(medianOf([])).toBeNull();
  expect(medianOf([30, 10, 20])).toBe(20);
  expect(medianOf([30, 10, 20, 40])).toBe(20);
});
