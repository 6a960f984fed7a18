/** Which closes have a time that cannot be true, by when they arrived and by the events around them. */
import { expect, test } from 'vitest';
import { closesAtWrongTime } from '../../../src/office/ingest/wrong-clock.ts';

const now = Date.UTC(2026, 10, 9, 20);
const dayMs = 86_400_000;

/** A close so many days ago, by the till's clock. */
function close(daysAgo: number, at: number) {
  const event = { type: 'operation_started', kind: 'batch_close', operationId: `close ${daysAgo}` };
  return { seq: at + 1, at: new Date(now - daysAgo * dayMs).toISOString(), body: '', hash: '', event };
}

const wrongOf = (daysAgo: number[], clockAheadMs: number | null = null) => [
  ...closesAtWrongTime(daysAgo.map(close), { arrivedAt: now, clockAheadMs }),
];

test('a close of these days is believed, and so are those of a bridge that was offline', () => {
  expect(wrongOf([0])).toEqual([]);
  expect(wrongOf([-1])).toEqual([]);
  expect(wrongOf([31, 30, 29, 0])).toEqual([]);
  expect(wrongOf([700])).toEqual([]);
});

test('a close of days to come is not', () => {
  expect(wrongOf([-3])).toEqual(['close -3']);
  expect(wrongOf([-365, 0])).toEqual(['close -365']);
});

test('a close of years ago is not, where nothing leads from it to the present', () => {
  expect(wrongOf([2_500])).toEqual(['close 2500']);
  expect(wrongOf([2_500, 2_499, 0]).toSorted()).toEqual(['close 2499', 'close 2500']);
  expect(wrongOf([1, 2_500, 0])).toEqual(['close 2500']);
});

test('closes of years ago are believed in a journal that goes on to the present, and in a part of it', () => {
  const years = Array.from({ length: 200 }, (_, at) => 2_000 - 10 * at);
  expect(wrongOf(years)).toEqual([]);
  expect(wrongOf(years.slice(0, 100))).toEqual([]);
  // The clock was wrong for a day in the end, and no other close is doubted for it.
  expect(wrongOf([...years, 5_000, 0])).toEqual(['close 5000']);
});

test('what comes from a bridge whose clock is days off is not believed', () => {
  expect(wrongOf([300], -300 * dayMs)).toEqual(['close 300']);
  expect(wrongOf([0], 3_600_000)).toEqual([]);
});
