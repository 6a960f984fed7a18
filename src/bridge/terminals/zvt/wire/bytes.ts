/** BCD and length digits of ZVT (PA00P015, data formats), beside the bytes that every protocol has. */
import { concatBytes, fromHex, hex } from '../../framing/index.ts';

export { concatBytes, fromHex, hex, sameBytes } from '../../framing/index.ts';

/** The largest amount that six BCD bytes hold, in minor units. */
export const maxAmountMinor = 999_999_999_999;

/** An amount in minor units as six BCD bytes (12.50 is 00 00 00 00 12 50). Throws outside 0..`maxAmountMinor`. */
export function amountToBcd(amountMinor: number): Uint8Array {
  if (!Number.isInteger(amountMinor) || amountMinor < 0 || amountMinor > maxAmountMinor) {
    throw new Error(`${amountMinor} is no amount that six BCD bytes can hold`);
  }
  return fromHex(amountMinor.toString().padStart(12, '0'));
}

/** The nibbles of packed BCD, high one first, as sent: masked digits (E) and padding (F) stay as `e` and `f`. */
export function bcdDigits(bytes: Uint8Array): string {
  return hex(bytes);
}

/** The number that packed BCD writes, or null when a nibble is not a decimal digit. At most 15 digits are exact. */
export function bcdNumber(bytes: Uint8Array): number | null {
  const digits = bcdDigits(bytes);
  return /^\d{1,15}$/.test(digits) ? Number(digits) : null;
}

/** Puts the two length bytes Fx Fy before up to 99 bytes. Throws when there are more. */
export function llvar(bytes: Uint8Array): Uint8Array {
  return withDigitLength(bytes, 2);
}

/** Puts the three length bytes Fx Fy Fz before up to 999 bytes. Throws when there are more. */
export function lllvar(bytes: Uint8Array): Uint8Array {
  return withDigitLength(bytes, 3);
}

function withDigitLength(bytes: Uint8Array, digits: 2 | 3): Uint8Array {
  const length = bytes.length.toString().padStart(digits, '0');
  if (length.length > digits)
    throw new Error(`${bytes.length} bytes do not fit a length of ${digits} digits`);
  return concatBytes(
    Uint8Array.from(length, (digit) => 0xf0 | Number(digit)),
    bytes,
  );
}

/**
 * Reads the F-coded length (Fx Fy or Fx Fy Fz) at `offset`. Gives the number it writes, or null when a byte is missing
 * or is not F0..F9.
 */
export function readDigitLength(bytes: Uint8Array, offset: number, digits: 2 | 3): number | null {
  let length = 0;
  for (let index = 0; index < digits; index += 1) {
    const byte = bytes[offset + index];
    if (byte === undefined || byte < 0xf0 || byte > 0xf9) return null;
    length = length * 10 + (byte & 0x0f);
  }
  return length;
}
