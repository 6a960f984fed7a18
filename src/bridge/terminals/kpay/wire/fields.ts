/**
 * Single values of the JSON. Builds differ in whether a number is text, so both are taken, and a value in another form
 * is none: it never makes the rest unreadable.
 */
import { z } from 'zod';
import { currencyNumeric, currencyOfNumeric, type Currency } from '../../../../contract/money.ts';
import { maskCardNumbers } from '../../../../log/index.ts';

/** No text of an answer is kept longer. */
const maxTextCharacters = 512;
const amountDigits = 12;
/** The most that twelve digits can say, in minor units. */
export const maxAmountMinor = 10 ** amountDigits - 1;

const textOrNumber = z.union([z.string(), z.number()]).transform(String);

/** A text of at most `max` characters, also where it came as a number; null for anything else and for an empty one. */
export function text(max = maxTextCharacters) {
  return textOrNumber.pipe(z.string().min(1).max(max)).nullable().catch(null).default(null);
}

/** A text in which somebody could have written a card number. */
export function freeText(max = maxTextCharacters) {
  return text(max).transform((value) => (value === null ? null : maskCardNumbers(value)));
}

/** A whole number, also as text; null for anything else. */
export function wholeNumber() {
  return textOrNumber
    .pipe(z.string().regex(/^-?\d{1,15}$/))
    .transform(Number)
    .nullable()
    .catch(null)
    .default(null);
}

/** An amount in minor units, which is twelve digits, also as a number; null for anything else. */
export function amount() {
  return textOrNumber
    .pipe(z.string().regex(/^\d{1,12}$/))
    .transform(Number)
    .nullable()
    .catch(null)
    .default(null);
}

/** `344` and `36` alike (ISO 4217, numeric); null for one that is not in our list. */
export function currency() {
  return textOrNumber
    .pipe(z.string().regex(/^\d{1,3}$/))
    .transform(currencyOfNumeric)
    .nullable()
    .catch(null)
    .default(null);
}

/** True or false, also as a word. */
export function flag() {
  return z
    .union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')])
    .nullable()
    .catch(null)
    .default(null);
}

/** Only its last four digits stay, with a `*` for each one before; null when it has no such digits. */
export function cardNumber() {
  return text(64).transform((value) => (value === null ? null : maskedCardNumber(value)));
}

/** `411111******1111` and a number that nobody masked alike: all but the last four digits become `*`. */
export function maskedCardNumber(value: string): string | null {
  const plain = value.replace(/[ -]/g, '');
  if (!/^[\dxX*]{4,32}$/.test(plain) || !/\d{4}$/.test(plain)) return null;
  return plain.slice(0, -4).replace(/./g, '*') + plain.slice(-4);
}

/** Twelve digits. `amountMinor` is a whole number from 0 to `maxAmountMinor`, else a RangeError. */
export function amountText(amountMinor: number): string {
  if (!Number.isInteger(amountMinor) || amountMinor < 0 || amountMinor > maxAmountMinor)
    throw new RangeError(`no amount of ${amountDigits} digits`);
  return amountMinor.toString().padStart(amountDigits, '0');
}

export function currencyText(currency: Currency): string {
  return currencyNumeric(currency);
}
