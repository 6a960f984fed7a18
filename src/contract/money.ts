/**
 * Money is an integer number of minor units (cents), never a float. The wire form towards the POS is a decimal
 * string with exactly two places ("12.00"), whatever the currency; a currency without minor units takes ".00" only.
 */
import { z } from 'zod';
import { amountForm, amountPattern } from './request-forms.ts';

/** Currencies that a terminal can be asked for: ISO 4217 numeric code and number of minor-unit digits. */
const currencies = {
  AED: { numeric: '784', exponent: 2 },
  AUD: { numeric: '036', exponent: 2 },
  BGN: { numeric: '975', exponent: 2 },
  BRL: { numeric: '986', exponent: 2 },
  CAD: { numeric: '124', exponent: 2 },
  CHF: { numeric: '756', exponent: 2 },
  CLP: { numeric: '152', exponent: 0 },
  CNY: { numeric: '156', exponent: 2 },
  CZK: { numeric: '203', exponent: 2 },
  DKK: { numeric: '208', exponent: 2 },
  EUR: { numeric: '978', exponent: 2 },
  GBP: { numeric: '826', exponent: 2 },
  HKD: { numeric: '344', exponent: 2 },
  HUF: { numeric: '348', exponent: 2 },
  IDR: { numeric: '360', exponent: 2 },
  ILS: { numeric: '376', exponent: 2 },
  INR: { numeric: '356', exponent: 2 },
  ISK: { numeric: '352', exponent: 0 },
  JPY: { numeric: '392', exponent: 0 },
  KRW: { numeric: '410', exponent: 0 },
  KWD: { numeric: '414', exponent: 3 },
  MXN: { numeric: '484', exponent: 2 },
  MYR: { numeric: '458', exponent: 2 },
  NOK: { numeric: '578', exponent: 2 },
  NZD: { numeric: '554', exponent: 2 },
  PHP: { numeric: '608', exponent: 2 },
  PLN: { numeric: '985', exponent: 2 },
  RON: { numeric: '946', exponent: 2 },
  SAR: { numeric: '682', exponent: 2 },
  SEK: { numeric: '752', exponent: 2 },
  SGD: { numeric: '702', exponent: 2 },
  THB: { numeric: '764', exponent: 2 },
  TRY: { numeric: '949', exponent: 2 },
  TWD: { numeric: '901', exponent: 2 },
  UAH: { numeric: '980', exponent: 2 },
  USD: { numeric: '840', exponent: 2 },
  VND: { numeric: '704', exponent: 0 },
  ZAR: { numeric: '710', exponent: 2 },
} as const;

export type Currency = keyof typeof currencies;
export const currencySchema = z.enum(Object.keys(currencies) as [Currency, ...Currency[]]);
export const maxCurrencies = Object.keys(currencies).length;

/** ISO 4217 numeric code, three digits ("978"). */
export function currencyNumeric(currency: Currency): string {
  return currencies[currency].numeric;
}

/** How many digits of an amount in minor units stand behind the decimal point (ISO 4217): 2 for EUR, 0 for JPY. */
export function currencyExponent(currency: Currency): number {
  return currencies[currency].exponent;
}

/** The currency of an ISO 4217 numeric code with or without leading zeros, or null when it is not in our list. */
export function currencyOfNumeric(numeric: string): Currency | null {
  const wanted = numeric.slice(-3).padStart(3, '0');
  const found = Object.entries(currencies).find(([, entry]) => entry.numeric === wanted);
  return found === undefined ? null : (found[0] as Currency);
}

export type ParsedAmount = { ok: true; amountMinor: number } | { ok: false; message: string };

/**
 * Reads a POS amount ("12.00") into minor units of `currency`. Fails with a sentence that shows the right form:
 * not a string of the pattern, zero, or cents in a currency that has none.
 */
export function parseAmount(text: string, currency: Currency): ParsedAmount {
  if (!amountPattern.test(text)) return { ok: false, message: `amount ${amountForm}` };
  const hundredths = Number(text.replace('.', ''));
  if (hundredths === 0) return { ok: false, message: 'amount must be more than "0.00"' };
  const { exponent } = currencies[currency];
  if (exponent === 0) {
    if (hundredths % 100 !== 0) {
      return {
        ok: false,
        message: `${currency} has no minor unit: the amount must end in ".00", such as "1200.00"`,
      };
    }
    return { ok: true, amountMinor: hundredths / 100 };
  }
  return { ok: true, amountMinor: hundredths * 10 ** (exponent - 2) };
}

/** Minor units back to the wire form with two decimals. The inverse of `parseAmount`; 3-digit currencies round down. */
export function formatAmount(amountMinor: number, currency: Currency): string {
  const { exponent } = currencies[currency];
  const hundredths = exponent === 0 ? amountMinor * 100 : Math.trunc(amountMinor / 10 ** (exponent - 2));
  const sign = hundredths < 0 ? '-' : '';
  const digits = Math.abs(hundredths).toString().padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
