/** Small helpers for bytes, hex and BCD (ZVT PA00P015, data formats). Plain functions, no state. */

/** Lower-case hex, two digits for each byte. */
export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

/** Bytes of a hex text. Throws on anything but an even number of hex digits: callers check foreign text first. */
export function fromHex(text: string): Uint8Array {
  if (text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text))
    throw new Error('not an even number of hex digits');
  return new Uint8Array(Buffer.from(text, 'hex'));
}

/** One array that holds all parts in order. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** True when both hold the same bytes. */
export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

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
