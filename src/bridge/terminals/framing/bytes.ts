/** Small helpers for bytes and hex that every protocol needs. Plain functions, no state. */

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

export type HexReading = { ok: true; bytes: Uint8Array } | { ok: false; error: string };

/** The bytes of a hex text that a person has typed or pasted; blanks and colons are ignored. The fault is a sentence. */
export function readHex(text: string): HexReading {
  const digits = text.replace(/[\s:]/g, '');
  const [wrong] = /[^0-9a-fA-F]/.exec(digits) ?? [];
  if (wrong !== undefined) return { ok: false, error: `not hex: "${wrong}" is no hex digit` };
  if (digits.length === 0) return { ok: false, error: 'not hex: there are no digits' };
  if (digits.length % 2 !== 0)
    return { ok: false, error: `not hex: ${digits.length} digits are no whole bytes` };
  return { ok: true, bytes: new Uint8Array(Buffer.from(digits, 'hex')) };
}

/** One character for each byte; never fails. */
export function latin1(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('latin1');
}
