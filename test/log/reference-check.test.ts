/** References that are card numbers in disguise, and those of shops, which are none. */
import { describe, expect, it } from 'vitest';
import { holdsCardNumber } from '../../src/log/index.ts';
import { references } from '../support/ordinary-texts.ts';
import { createRandom } from '../support/random.ts';

describe('a reference that is a card number', () => {
  it.each([
    '4111111111111111',
    '4222222222222',
    '378282246310005',
    '6759649826438453',
    '4000000000000000006',
    'INV4111111111111111',
    '2026-4111111111111111',
    'A_4111-1111-1111-1111_B',
    'x5555555555554444y',
    '0004111111111111111',
    '41111111111111111227',
    '41111111111111112712',
    '41111111111111111227123',
    '3782822463100051227',
    '3782822463100051227-1234',
    '12274111111111111111',
    '4111-1111-1111-1111-1227',
    '4111--1111--1111--1111',
    '4111a1111b1111c1111',
    '4-1-1-1-1-1-1-1-1-1-1-1-1-1-1-1',
    '41..111x1111.-_111111111',
    '41111111.11111111',
  ])('%s', (text) => {
    expect(holdsCardNumber(text)).toBe(true);
  });
});

describe('a reference that is none', () => {
  it.each([
    'A-1001',
    '000123456789',
    '20261121014052',
    'INV-2026-000123',
    '4111111111111112',
    '411111111111',
    '01a1fbf5-d7fc-72c0-9e87-b1624f1f5bf8',
  ])('%s', (text) => {
    expect(holdsCardNumber(text)).toBe(false);
  });

  it.each(Object.entries(references))('any of the kind "%s"', (_kind, make) => {
    const random = createRandom(6);
    const refused = Array.from({ length: 2_000 }, () => make(random)).filter(holdsCardNumber);
    expect(refused).toEqual([]);
  });
});
