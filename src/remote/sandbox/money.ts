/** Money inside the sandbox: whole minor units as bigint. Outside: a decimal as a string, with the currency's places. */
import { currencyExponent, currencySchema } from '../../contract/money.ts';

/** Digits behind the point of assets that ISO 4217 does not have. */
const cryptoPlaces: Partial<Record<string, number>> = { BTC: 8, ETH: 18, USDC: 6, USDT: 6 };

/** Before the point; the form allows more, but then sums of many amounts would no longer fit it. */
const maxWholeDigits = 12;

/** Null: the sandbox does not know the currency. */
export function placesOf(currencyCode: string): number | null {
  const known = currencySchema.safeParse(currencyCode);
  return known.success ? currencyExponent(known.data) : (cryptoPlaces[currencyCode] ?? null);
}

export type ReadAmount = { ok: true; minor: bigint } | { ok: false; why: string };

/** Reads an amount without a sign, as a request has it. */
export function readAmount(text: string, currencyCode: string): ReadAmount {
  const [whole = ''] = text.split('.');
  if (whole.replace(/^0+/, '').length > maxWholeDigits) {
    return { ok: false, why: `the sandbox takes at most ${maxWholeDigits} digits before the point` };
  }
  return readDecimal(text, currencyCode);
}

function readDecimal(text: string, currencyCode: string): ReadAmount {
  const places = placesOf(currencyCode);
  if (places === null) return { ok: false, why: `the sandbox does not know the currency ${currencyCode}` };
  const [whole = '', fraction = ''] = text.split('.');
  const significant = fraction.replace(/0+$/, '');
  if (significant.length > places) {
    return { ok: false, why: `${currencyCode} has ${places} places behind the point` };
  }
  return { ok: true, minor: BigInt(whole + significant.padEnd(places, '0')) };
}

/** Of an amount that is in a record, however large; throws when it cannot be read. */
export function minorOf(text: string, currencyCode: string): bigint {
  const read = readDecimal(text, currencyCode);
  if (!read.ok) throw new Error(read.why);
  return read.minor;
}

export function writeAmount(minor: bigint, currencyCode: string): string {
  const places = placesOf(currencyCode) ?? 0;
  const sign = minor < 0n ? '-' : '';
  const digits = (minor < 0n ? -minor : minor).toString().padStart(places + 1, '0');
  if (places === 0) return `${sign}${digits}`;
  return `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** A decimal as a fraction of two whole numbers: "0.015" is 15/1000. */
export function fractionOf(decimal: string): { numerator: bigint; denominator: bigint } {
  const [whole = '', places = ''] = decimal.split('.');
  return { numerator: BigInt(whole + places), denominator: 10n ** BigInt(places.length) };
}
