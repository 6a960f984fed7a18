import { expect, test } from 'vitest';
import {
  isOpen,
  isOpenThroughout,
  openingHoursSchema,
  type OpeningHours,
} from '../../../src/office/alarms/opening-hours.ts';

const week = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
const workdays = week.slice(0, 5);

function hours(...open: OpeningHours['open']): OpeningHours {
  return { timeZone: 'Europe/Berlin', open };
}

const shop = hours({ days: [...workdays], from: '08:00', to: '20:00' });

test.each([
  ['before it opens', '2026-11-03T07:59:59+01:00', false],
  ['when it opens', '2026-11-03T08:00:00+01:00', true],
  ['before it closes', '2026-11-03T19:59:59+01:00', true],
  ['when it has closed', '2026-11-03T20:00:00+01:00', false],
  ['on a Saturday', '2026-11-07T12:00:00+01:00', false],
  ['in summer, by the clock on the wall', '2026-07-07T08:00:00+02:00', true],
  ['in summer, an hour before', '2026-07-07T07:30:00+02:00', false],
])('%s', (_when, moment, expected) => {
  expect(isOpen(shop, Date.parse(moment))).toBe(expected);
});

test.each([
  ['on Friday evening', '2026-11-06T23:30:00+01:00', true],
  ['in the night to Saturday', '2026-11-07T01:59:00+01:00', true],
  ['when that night is over', '2026-11-07T02:00:00+01:00', false],
  ['in the night to Friday, of which it says nothing', '2026-11-06T01:00:00+01:00', false],
])('a span over midnight belongs to the day on which it begins: %s', (_when, moment, expected) => {
  const bar = hours({ days: ['friday'], from: '18:00', to: '02:00' });
  expect(isOpen(bar, Date.parse(moment))).toBe(expected);
});

test('the week goes around: a span of Sunday ends on Monday', () => {
  const bar = hours({ days: ['sunday'], from: '22:00', to: '04:00' });
  expect(isOpen(bar, Date.parse('2026-11-09T03:00:00+01:00'))).toBe(true);
});

test('it was open throughout only where it was open in each of the minutes', () => {
  const at = (time: string) => Date.parse(`2026-11-03T${time}:00+01:00`);
  expect(isOpenThroughout(shop, at('08:08'), 10)).toBe(false);
  expect(isOpenThroughout(shop, at('08:09'), 10)).toBe(true);
  expect(isOpenThroughout(shop, at('20:00'), 10)).toBe(false);
});

test('days that touch each other leave no gap at midnight, nor where the clock is put back', () => {
  const always = hours({ days: [...week], from: '00:00', to: '24:00' });
  expect(isOpenThroughout(always, Date.parse('2026-11-04T00:01:00+01:00'), 60)).toBe(true);
  expect(isOpenThroughout(always, Date.parse('2026-10-25T12:00:00+01:00'), 24 * 60)).toBe(true);
});

test.each([
  ['timeZone', { timeZone: 'Europe/Atlantis', open: shop.open }],
  ['open', { timeZone: 'UTC', open: [] }],
  ['open', { timeZone: 'UTC', open: [{ days: ['mon'], from: '08:00', to: '20:00' }] }],
  ['open', { timeZone: 'UTC', open: [{ days: ['monday'], from: '24:00', to: '20:00' }] }],
  ['open', { timeZone: 'UTC', open: [{ days: ['monday'], from: '08:00', to: '08:00' }] }],
])('refuses a wrong %s', (place, given) => {
  const parsed = openingHoursSchema.safeParse(given);
  expect(parsed.error?.issues.map(({ path }) => path[0])).toEqual([place]);
});
