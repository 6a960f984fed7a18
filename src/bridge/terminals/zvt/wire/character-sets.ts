/** Character sets of terminals. CP437 is the default (ZVT PA00P015); tag 14 can name another. */
import iconv from 'iconv-lite';

/** The sets that a terminal can be set to. */
export type TextEncoding = 'cp437' | 'latin1' | 'utf8' | 'ascii';

/** Those, and the other parts of ISO 8859 that a message can name for itself. */
export type CharacterSet = TextEncoding | `iso8859-${number}`;

export const defaultEncoding: TextEncoding = 'cp437';

/** Text of terminal bytes. Bytes that the set does not have become U+FFFD; never throws. */
export function decodeText(bytes: Uint8Array, encoding: CharacterSet = defaultEncoding): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // All sets have ASCII in the same place, and most texts are nothing else.
  if (bytes.every(isAscii)) return buffer.toString('latin1');
  return iconv.decode(buffer, encoding, { stripBOM: false });
}

function isAscii(byte: number): boolean {
  return byte < 0x80;
}

/** Bytes of a text; characters that the set does not have become "?". */
export function encodeText(text: string, encoding: CharacterSet = defaultEncoding): Uint8Array {
  return new Uint8Array(iconv.encode(text, encoding));
}

/** The set that the value of tag 14 names (00 ASCII, 01–10 ISO 8859-n, FE UTF-8, FF CP437), or null for another value. */
export function characterSetOfTag14(value: Uint8Array): CharacterSet | null {
  const [code] = value;
  if (code === undefined || value.length !== 1) return null;
  if (code === 0x00) return 'ascii';
  if (code === 0x01) return 'latin1';
  // There is no ISO 8859-12.
  if (code <= 0x10 && code !== 12) return `iso8859-${code}`;
  if (code === 0xfe) return 'utf8';
  return code === 0xff ? 'cp437' : null;
}
