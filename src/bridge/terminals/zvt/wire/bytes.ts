/** Small helpers for bytes, hex and BCD (ZVT PA00P015, data formats). Plain functions, no state. */

const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
/** Up to so many bytes are put together here; for more a call into Node is worth its price. */
const fewBytes = 16;

/** Lower-case hex, two digits for each byte. */
export function hex(bytes: Uint8Array): string {
  if (bytes.length > fewBytes)
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
  let text = '';
  for (const byte of bytes) text += hexOfByte[byte];
  return text;
}

/** Bytes of a hex text. Throws on anything but an even number of hex digits: callers check foreign text first. */
export function fromHex(text: string): Uint8Array {
  if (text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text))
    throw new Error('not an even number of hex digits');
  const bytes = new Uint8Array(text.length / 2);
  for (let at = 0; at < bytes.length; at += 1) {
    bytes[at] = (nibble(text.charCodeAt(2 * at)) << 4) | nibble(text.charCodeAt(2 * at + 1));
  }
  return bytes;
}

/** Of the code of a hex digit, in upper or lower case. */
function nibble(code: number): number {
  return (code & 0x0f) + (code >= 0x40 ? 9 : 0);
}

/** One array that holds all parts in order. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const joined = new Uint8Array(length);
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
