import { expect, test } from 'vitest';
import { isWithinHours, nextWithinHours } from '../../src/updates/hours.ts';
import { compareVersions } from '../../src/base/versions.ts';

test('versions in their order, as semantic versioning has it', () => {
  const ordered = [
    '0.9.0',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
  ];
  ordered.push('1.0.0-rc.1', '1.0.0', '1.0.10', '1.2.0', '10.0.0');
  for (const [index, one] of ordered.entries())
    for (const [other, two] of ordered.entries())
      expect(Math.sign(compareVersions(one, two)), `${one} ${two}`).toBe(Math.sign(index - other));
});

const at = (time: string) => new Date(`2026-03-10T${time}`);

test.each([
  [null, '03:00', true],
  ['22:00-06:00', '21:59', false],
  ['22:00-06:00', '22:00', true],
  ['22:00-06:00', '00:00', true],
  ['22:00-06:00', '05:59', true],
  ['22:00-06:00', '06:00', false],
  ['01:00-05:00', '00:59', false],
  ['01:00-05:00', '04:59', true],
  ['01:00-05:00', '05:00', false],
  ['03:00-03:00', '12:00', true],
])('within %s at %s: %s', (hours, time, within) => {
  expect(isWithinHours(hours, at(time))).toBe(within);
});

test('the next time that they begin', () => {
  expect(nextWithinHours('22:00-06:00', at('12:00'))).toEqual(at('22:00'));
  expect(nextWithinHours('22:00-06:00', at('23:00'))).toEqual(at('23:00'));
  expect(nextWithinHours('01:00-05:00', at('12:00'))).toEqual(new Date('2026-03-11T01:00'));
});
