/**
 * The BMPs (ZVT PA00P015, chapter 3): `number value` one after the other, in any order. A BMP carries no length of its
 * own unless it is LLVAR or LLLVAR, so everything behind an unknown one is unreadable. F1–F8 are BMP numbers and length
 * bytes as well; only the place tells them apart.
 */
import { concatBytes, fromHex, hex, llvar, lllvar, readDigitLength } from './bytes.ts';
import { buildLength, readLength } from './tlv.ts';

/** A number of bytes; LLVAR; LLLVAR; or the BER length of the TLV container. */
type BitmapFormat = number | 'll' | 'lll' | 'tlv';

const formats: Readonly<Record<string, BitmapFormat>> = {
  '01': 1, // timeout
  '02': 1, // maximum number of status informations
  '03': 1, // service byte
  '04': 6, // amount
  '05': 1, // pump number
  '06': 'tlv',
  '0b': 3, // trace number
  '0c': 3, // time HHMMSS
  '0d': 2, // date MMDD
  '0e': 2, // expiry YYMM
  '17': 2, // card sequence number
  '19': 1, // status byte, payment type or card type
  '22': 'll', // PAN or EF_ID
  '23': 'll', // track 2
  '24': 'lll', // track 3
  '27': 1, // result code
  '29': 4, // terminal id
  '2a': 15, // merchant contract (VU) number
  '2d': 'll', // track 1
  '2e': 'lll', // synchronous chip data
  '37': 3, // trace number of the original payment
  '3a': 2, // card verification value
  '3b': 8, // authorisation attribute (AID)
  '3c': 'lll', // additional data or text
  '3d': 3, // password
  '49': 2, // currency
  '4c': 'll', // blocked goods groups
  '60': 'lll', // single totals
  '70': 4, // display image: id
  '71': 4, // size
  '72': 1, // MIME type
  '73': 1, // encoding
  '74': 1, // number of chunks
  '75': 1, // index of the chunk
  '87': 2, // receipt number
  '88': 3, // turnover number
  '8a': 1, // card type
  '8b': 'll', // card name
  '8c': 1, // card type of the network operator
  '92': 'lll', // extra data of the old offline chip (length form unsure)
  '9a': 'lll', // GeldKarte record
  a0: 1, // result code of the authorisation system
  a7: 'll', // chip data EF_ID
  aa: 3, // date YYMMDD
  af: 'lll', // EF_INFO
  ba: 5, // AID parameter
  d0: 1, // key algorithm
  d1: 'll', // PIN offset
  d2: 1, // card output direction
  d3: 1, // DUKPT key id
  e0: 1, // minimum input length
  e1: 'll', // second text, lines 1 to 8
  e2: 'll',
  e3: 'll',
  e4: 'll',
  e5: 'll',
  e6: 'll',
  e7: 'll',
  e8: 'll',
  e9: 1, // maximum input length
  ea: 1, // echo input
  eb: 8, // MAC over the texts
  f0: 1, // display duration
  f1: 'll', // text lines 1 to 8
  f2: 'll',
  f3: 'll',
  f4: 'll',
  f5: 'll',
  f6: 'll',
  f7: 'll',
  f8: 'll',
  f9: 1, // beeps
  fa: 1, // card reader activation
  fb: 1, // OK needed
  fc: 1, // dialog control
  fd: 1, // display device
};

/** More than any message has, since each comes once; of one that has more the rest stays unread. */
export const maxBitmaps = 256;

export interface Bitmap {
  /** Two hex digits, lower case. */
  tag: string;
  /** Without the length bytes of LLVAR, LLLVAR and TLV. A view of the bytes that were parsed. */
  value: Uint8Array;
}

export interface BitmapReading {
  /** In the order of the wire. */
  bitmaps: Bitmap[];
  /** Why reading ended early, or null. */
  problem: string | null;
  /** What could not be read: from the BMP that made the trouble to the end. */
  rest: Uint8Array;
}

/** Reads BMPs up to the end or the first fault; what was read before it stays. */
export function parseBitmaps(bytes: Uint8Array): BitmapReading {
  const bitmaps: Bitmap[] = [];
  let at = 0;
  while (at < bytes.length) {
    if (bitmaps.length >= maxBitmaps) {
      const unread = bytes.length - at;
      const problem = `more BMPs than the ${maxBitmaps} that are read; ${unread} bytes not read`;
      return { bitmaps, problem, rest: bytes.subarray(at) };
    }
    const tag = hex(bytes.subarray(at, at + 1));
    const place = locate(bytes, at + 1, formats[tag]);
    if (typeof place === 'string' || place.end > bytes.length) {
      const why = typeof place === 'string' ? place : `${place.end - bytes.length} bytes are missing`;
      const unread = bytes.length - at;
      return { bitmaps, problem: `BMP ${tag}: ${why}; ${unread} bytes not read`, rest: bytes.subarray(at) };
    }
    bitmaps.push({ tag, value: bytes.subarray(place.start, place.end) });
    at = place.end;
  }
  return { bitmaps, problem: null, rest: bytes.subarray(bytes.length) };
}

/** Where the value of a BMP lies whose number ends before `at`, or why that cannot be told. */
function locate(
  bytes: Uint8Array,
  at: number,
  format: BitmapFormat | undefined,
): { start: number; end: number } | string {
  if (format === undefined) return 'unknown';
  if (typeof format === 'number') return { start: at, end: at + format };
  if (format === 'tlv') {
    const length = readLength(bytes, at);
    if (length === null) return 'the TLV length is missing or invalid';
    return { start: length.valueAt, end: length.valueAt + length.value };
  }
  const digits = format === 'll' ? 2 : 3;
  const length = readDigitLength(bytes, at, digits);
  if (length === null) return `the length is not ${digits} bytes F0..F9`;
  return { start: at + digits, end: at + digits + length };
}

/** How many bytes of a BMP stand before its value: its number and, but for the TLV container, its length. */
export function headBytesOf(tag: string): number {
  const format = formats[tag];
  return format === 'll' ? 3 : format === 'lll' ? 4 : 1;
}

/** One BMP with its number and, where it has one, its length. Throws when number or length of the value are wrong. */
export function buildBitmap(tag: string, value: Uint8Array): Uint8Array {
  const format = formats[tag];
  if (format === undefined) throw new Error(`BMP ${tag} is not in the table`);
  const number = fromHex(tag);
  if (format === 'll') return concatBytes(number, llvar(value));
  if (format === 'lll') return concatBytes(number, lllvar(value));
  if (format === 'tlv') return concatBytes(number, buildLength(value.length), value);
  if (value.length !== format) throw new Error(`BMP ${tag} has ${format} bytes, not ${value.length}`);
  return concatBytes(number, value);
}
