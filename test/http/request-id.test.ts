import { expect, it } from 'vitest';
import { requestIdOf } from '../../src/http/index.ts';
import { seededChance } from '../support/random.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

const idOf = (given: string | string[] | undefined) => requestIdOf(given, seededChance(createVirtualClock()));

it.each(['mine-1', '!~', 'x'.repeat(128)])('a sane id is taken over: %s', (given) => {
  expect(idOf(given)).toBe(given);
});

it.each([
  ['none', undefined],
  ['an empty one', ''],
  ['several', ['a', 'b']],
  ['one that is too long', 'x'.repeat(129)],
  ['one with a blank', 'a b'],
  ['one with a line break', 'a\nb'],
  ['one that is no ASCII', 'ä'],
  ['a card number', '4111111111111111'],
])('%s is replaced by a new one', (_what, given) => {
  expect(idOf(given)).toMatch(/^[0-9a-f-]{36}$/);
});
