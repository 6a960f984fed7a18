import { describe, expect, it } from 'vitest';
import { cardText, emptyRecord } from '../../src/contract/terminal.ts';
import { describeRecord } from '../../src/headless/journal-event-text.ts';

describe('a record of the terminal, for support staff', () => {
  const at = (terminalDate: string | null, terminalTime: string | null) =>
    describeRecord({ ...emptyRecord(), kind: 'payment', approved: true, terminalDate, terminalTime });

  it('has the terminal’s clock as a date and a time', () => {
    expect(at('1122', '004136')).toBe('a payment that was approved, terminal’s clock 22 Nov 00:41:36');
    expect(at('0229', null)).toBe('a payment that was approved, terminal’s clock 29 Feb');
    expect(at(null, '004136')).toBe('a payment that was approved, terminal’s clock 00:41:36');
    expect(at(null, null)).toBe('a payment that was approved');
  });

  it('has a day of the year as that, and hours and minutes', () => {
    expect(at('211', '1520')).toBe('a payment that was approved, terminal’s clock day 211 of the year 15:20');
    expect(at('007', null)).toBe('a payment that was approved, terminal’s clock day 7 of the year');
  });

  it('shows other digits as they came', () => {
    expect(at('1322', '4136')).toBe('a payment that was approved, terminal’s clock 1322 4136');
  });
});

describe('a card', () => {
  it.each([
    ['***************4771', 'girocard', 'girocard •••• 4771'],
    ['541333******0041', null, '•••• 0041'],
    [null, 'girocard', 'girocard'],
    ['****************', 'girocard', 'girocard ****************'],
    [null, null, null],
  ])('%s of %s reads %s', (maskedCardNumber, cardScheme, text) => {
    expect(cardText({ maskedCardNumber, cardScheme })).toBe(text);
  });
});
