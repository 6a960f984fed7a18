import { describe, expect, it } from 'vitest';
import { isNextNumber } from '../../../src/bridge/terminals/counters.ts';

describe('the next number', () => {
  it.each([
    ['000001', '000002', true],
    ['1', '0002', true],
    ['000001', '000001', false],
    ['000001', '000003', false],
    ['000002', '000001', false],
    ['9999', '0000', true],
    ['9999', '0001', true],
    ['9999', '0002', false],
    ['9998', '0000', false],
    ['9998', '0001', false],
    ['9999', '10000', true],
    ['9999', '000001', false],
    ['x', '1', false],
  ])('after %s: %s is %s', (previous, current, expected) => {
    expect(isNextNumber(previous, current)).toBe(expected);
  });

  it.each([
    ['000001', '000002', true],
    ['000001', '000003', true],
    ['000001', '000004', false],
    ['000001', '000001', false],
    ['9998', '0000', true],
    ['9998', '0001', true],
    ['9998', '0002', false],
    ['9999', '0001', true],
    ['9999', '0002', true],
    ['9999', '0003', false],
  ])('after %s, where one may have been used up: %s is %s', (previous, current, expected) => {
    expect(isNextNumber(previous, current, 1)).toBe(expected);
  });
});
