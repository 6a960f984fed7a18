/** Lengths of messages and fields: two bytes of packed BCD, so 35 bytes are `00 35`. */

const maxLength = 9_999;

/** The two bytes that write `length`. Throws outside 0..9999. */
export function bcdLength(length: number): [high: number, low: number] {
  if (!Number.isInteger(length) || length < 0 || length > maxLength)
    throw new Error(`${length} bytes do not fit a length of four digits`);
  return [bcd(Math.floor(length / 100)), bcd(length % 100)];
}

function bcd(number: number): number {
  return (Math.floor(number / 10) << 4) | (number % 10);
}

/** The number that two bytes write, or null when one of their nibbles is not a decimal digit. */
export function readBcdLength(high: number, low: number): number | null {
  const nibbles = [high >> 4, high & 0x0f, low >> 4, low & 0x0f];
  return nibbles.some((nibble) => nibble > 9) ? null : nibbles.reduce((sum, nibble) => sum * 10 + nibble, 0);
}
