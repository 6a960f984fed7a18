import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  currencyNumeric,
  currencyOfNumeric,
  currencySchema,
  formatAmount,
  parseAmount,
} from '../../src/contract/money.ts';

describe('money', () => {
  it('reads amounts into minor units', () => {
    expect(parseAmount('12.00', 'EUR')).toEqual({ ok: true, amountMinor: 1200 });
    expect(parseAmount('0.01', 'EUR')).toEqual({ ok: true, amountMinor: 1 });
    expect(parseAmount('9999999999.99', 'EUR')).toEqual({ ok: true, amountMinor: 999_999_999_999 });
    expect(parseAmount('1200.00', 'JPY')).toEqual({ ok: true, amountMinor: 1200 });
    expect(parseAmount('1.25', 'KWD')).toEqual({ ok: true, amountMinor: 1250 });
  });

  it.each([
    '12',
    '12.0',
    '12,00',
    '12.000',
    '-1.00',
    '+1.00',
    ' 1.00',
    '1.00 ',
    '1e2.00',
    '12345678901.00',
    '',
    '.50',
    '٣.٠٠',
  ])('refuses %j and shows the right form', (text) => {
    const parsed = parseAmount(text, 'EUR');
    expect(parsed.ok).toBe(false);
    expect(!parsed.ok && parsed.message).toContain('"12.00"');
  });

  it('refuses nothing, and cents where there are none', () => {
    expect(parseAmount('0.00', 'EUR').ok).toBe(false);
    const yen = parseAmount('12.50', 'JPY');
    expect(!yen.ok && yen.message).toContain('".00"');
  });

  it('writes what it reads, in every currency', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 999_999_999_999 }),
        fc.constantFrom(...currencySchema.options),
        (hundredths, currency) => {
          const whole = Math.trunc(hundredths / 100);
          const text = `${whole}.${String(hundredths % 100).padStart(2, '0')}`;
          const parsed = parseAmount(text, currency);
          if (parsed.ok) expect(formatAmount(parsed.amountMinor, currency)).toBe(text);
          else expect(hundredths % 100).not.toBe(0);
        },
      ),
    );
  });

  it('finds a currency by its number, with or without a leading zero', () => {
    for (const currency of currencySchema.options) {
      expect(currencyOfNumeric(currencyNumeric(currency))).toBe(currency);
      expect(currencyOfNumeric(`0${currencyNumeric(currency)}`)).toBe(currency);
    }
    expect(currencyOfNumeric('0000')).toBeNull();
  });
});
