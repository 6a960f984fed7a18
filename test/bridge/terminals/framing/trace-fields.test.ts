import { describe, expect, it } from 'vitest';
import { dateText, timeText } from '../../../../src/bridge/terminals/framing/index.ts';

describe('digits of a terminal’s clock', () => {
  it.each([
    ['23112026', 'DDMMYYYY', '2026-11-23'],
    ['310726', 'DDMMYY', '2026-07-31'],
    ['240229', 'YYMMDD', '2024-02-29'],
    // No days of the calendar, no digits, not as many as there should be.
    ['250229', 'YYMMDD', '250229'],
    ['00000000', 'DDMMYYYY', '00000000'],
    ['2311', 'DDMMYYYY', '2311'],
    ['', 'YYMMDD', ''],
    ['2311202A', 'DDMMYYYY', '2311202A'],
  ] as const)('%s (%s) are the date %s', (digits, form, text) => {
    expect(dateText(digits, form)).toBe(text);
  });

  it.each([
    ['1520', '15:20'],
    ['044049', '04:40:49'],
    ['2460', '2460'],
    ['240000', '240000'],
    ['15', '15'],
    ['', ''],
  ])('%s are the time %s', (digits, text) => {
    expect(timeText(digits)).toBe(text);
  });
});
