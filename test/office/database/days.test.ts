/** Moments are read without `Date.parse` where they look as bridges write them, and mean the same. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayNumber, dayOf, dayOfPayment, momentMs } from '../../../src/office/database/days.ts';

test('a moment is what Date.parse says', () => {
  const anyDate = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  const two = (max: number) => fc.nat(max).map((part) => String(part).padStart(2, '0'));
  // Also days, hours and minutes that there are not.
  const nearly = fc
    .tuple(fc.nat(9_999), two(14), two(33), two(25), two(61), two(61), fc.nat(999))
    .map(
      ([year, month, day, hour, minute, second, ms]) =>
        `${String(year).padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}.${String(ms).padStart(3, '0')}Z`,
    );
  const other = fc.constantFrom(
    '',
    'now',
    '2026-01-31',
    '2026-01-31T10:00:00Z',
    '2026-01-31T10:00:00.000+01:00',
  );
  fc.assert(
    fc.property(fc.oneof(anyDate, nearly, other), (text) => {
      expect(momentMs(text)).toBe(Date.parse(text));
    }),
    { numRuns: 5_000 },
  );
});

test('a 30th of February is what Date.parse makes of it, asked for twice', () => {
  const text = '2026-02-30T12:00:00.000Z';
  expect([momentMs(text), momentMs(text)]).toEqual([Date.parse(text), Date.parse(text)]);
});

test('a day has one number', () => {
  expect([dayNumber('1970-01-02'), dayNumber('1970-01-02'), dayNumber('1969-12-31')]).toEqual([1, 1, -1]);
  expect(dayNumber('no day')).toBeNaN();
});

test('a payment lies in the day of its id, and in none where the id has no time', () => {
  const moment = Date.UTC(2026, 10, 28, 15);
  const time = moment.toString(16).padStart(12, '0');
  expect(dayOfPayment(`${time.slice(0, 8)}-${time.slice(8)}-7abc-8def-0123456789ab`)).toBe(dayOf(moment));
  expect(dayOfPayment('01234567-89ab-4bcd-8def-0123456789ab')).toBe('1970-01-01');
  // Later than any day that PostgreSQL gives back as it was.
  expect(dayOfPayment('ffffffff-ffff-7fff-8fff-ffffffffffff')).toBe('1970-01-01');
});
