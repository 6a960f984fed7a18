/** Where the box of the log's list stands when the list is longer than a browser can make a box. */
import { describe, expect, test } from 'vitest';
import { placeAfterScroll, placeOf, rowHeight } from '../../src/renderer/pages/log/tall-list.ts';

describe('a list that is taller than a box can be', () => {
  const measure = { rows: 1_000_000, viewHeight: 700 };
  const end = measure.rows * rowHeight - measure.viewHeight;

  test.each([0, 1, 12_345_678, end - 1, end])('shows the same at offset %i', (offset) => {
    const { base, top } = placeOf(offset, measure);
    expect(base * rowHeight + top).toBe(offset);
    expect(base).toBeGreaterThanOrEqual(0);
    expect(base).toBeLessThanOrEqual(900_000);
  });

  test('both ends of the scroll bar are the ends of the list', () => {
    const bottom = 100_000 * rowHeight - 700;
    expect(placeAfterScroll(450_000, 1_400_000, 0, measure)).toEqual({ base: 0, top: 0 });
    expect(placeAfterScroll(450_000, 1_400_000, bottom, measure)).toEqual({ base: 900_000, top: bottom });
  });

  test('a short way moves by itself alone, and is never at an end that is not the list’s', () => {
    let place = placeOf(14_000_000, measure);
    let offset = 14_000_000;
    for (let step = 0; step < 40_000; step++) {
      place = placeAfterScroll(place.base, place.top, place.top - 350, measure);
      offset -= 350;
      expect(place.base * rowHeight + place.top).toBe(offset);
      expect(place.top).toBeGreaterThan(offset === 0 ? -1 : 0);
    }
  });

  test('a way of any length by hand moves by itself alone', () => {
    const start = placeOf(14_000_000, measure);
    const way = 12 * 700;
    const byWheel = placeAfterScroll(start.base, start.top, start.top + way, measure, way);
    expect(byWheel.base * rowHeight + byWheel.top).toBe(14_000_000 + way);
    const byBar = placeAfterScroll(start.base, start.top, start.top + way, measure);
    expect(byBar.base * rowHeight + byBar.top).toBeGreaterThan(14_000_000 + 9 * way);
  });
});
