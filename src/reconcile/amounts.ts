/** Amounts as banks write them, and fees, in whole minor units. */
import { currencyExponent, type Currency } from '../contract/money.ts';

/**
 * A decimal number ("1284.5", "-3", "0.080") in minor units of `currency`; null where it is none, says more than the
 * currency can have, or is too large to be exact.
 */
export function minorOf(text: string, currency: Currency): number | null {
  const [, sign, whole = '', fraction = ''] = /^([+-]?)(\d{1,15})(?:\.(\d{1,10}))?$/.exec(text.trim()) ?? [];
  if (sign === undefined) return null;
  const exponent = currencyExponent(currency);
  if (/[1-9]/.test(fraction.slice(exponent))) return null;
  const minor = Number(whole + fraction.slice(0, exponent).padEnd(exponent, '0'));
  if (!Number.isSafeInteger(minor)) return null;
  return sign === '-' && minor !== 0 ? -minor : minor;
}

/** Per cent with at most four decimals, as a whole number of millionths. */
export function millionthsOf(percent: string): number {
  const [whole = '', fraction = ''] = percent.split('.');
  return Number(whole + fraction.padEnd(4, '0'));
}

/** `shares` of sums in minor units, each at its rate in millionths, rounded once (a half goes away from zero). */
export function shareOf(shares: readonly { minor: number; millionths: number }[]): number {
  const exact = shares.reduce((sum, { minor, millionths }) => sum + BigInt(minor) * BigInt(millionths), 0n);
  const half = exact < 0n ? -500_000n : 500_000n;
  return Number((exact + half) / 1_000_000n);
}
