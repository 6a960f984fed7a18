/**
 * The APDU (ZVT PA00P016): what both ends exchange, whatever the line.
 *
 *     CLASS INSTR | length        | data
 *     2 bytes     | 00..FE        | that many bytes
 *                 | FF lo hi      | 0..65535 bytes
 */
import { concatBytes, fromHex, hex } from './bytes.ts';

export interface Apdu {
  /** Control field, four hex digits in lower case (`0601`). */
  ctrl: string;
  data: Uint8Array;
  /** True when the length was written as FF lo hi. */
  extendedLength: boolean;
}

/** The longest data that the length field can tell. */
export const maxDataLength = 65535;

/** What the first bytes of an APDU say about its size: number of bytes in head and data, or null when too few came. */
export function announcedSize(bytes: Uint8Array): { headLength: number; dataLength: number } | null {
  const length = bytes[2];
  if (length === undefined) return null;
  if (length !== 0xff) return { headLength: 3, dataLength: length };
  const low = bytes[3];
  const high = bytes[4];
  if (low === undefined || high === undefined) return null;
  return { headLength: 5, dataLength: low | (high << 8) };
}

/** Takes a whole APDU apart; `data` is a view of `bytes`. Null when the length field does not tell exactly these bytes. */
export function parseApdu(bytes: Uint8Array): Apdu | null {
  const size = announcedSize(bytes);
  if (size === null || size.headLength + size.dataLength !== bytes.length) return null;
  return {
    ctrl: hex(bytes.subarray(0, 2)),
    data: bytes.subarray(size.headLength),
    extendedLength: size.headLength === 5,
  };
}

/** Puts an APDU together; data of more than 254 bytes gets the long length field. Throws on more than 65535 bytes. */
export function buildApdu(ctrl: string, data: Uint8Array = new Uint8Array(0)): Uint8Array {
  const control = fromHex(ctrl);
  if (control.length !== 2) throw new Error(`a control field has two bytes, not "${ctrl}"`);
  if (data.length > maxDataLength) throw new Error(`${data.length} bytes do not fit into one APDU`);
  const length =
    data.length < 0xff
      ? Uint8Array.of(data.length)
      : Uint8Array.of(0xff, data.length & 0xff, data.length >> 8);
  return concatBytes(control, length, data);
}

/** Names of the control fields (ZVT PA00P015, chapter 2 and 3), as a wire trace and `tillbridge decode` show them. */
const names: Readonly<Record<string, string>> = {
  '0401': 'set-date-time-in-ecr',
  '040d': 'input-request',
  '040e': 'menu-request',
  '040f': 'status-information',
  '04ff': 'intermediate-status',
  '0501': 'status-enquiry',
  '0600': 'registration',
  '0601': 'authorisation',
  '0602': 'log-off',
  '060f': 'completion',
  '0610': 'send-turnover-totals',
  '0612': 'reprint-receipts',
  '0618': 'reset-terminal',
  '061a': 'print-system-configuration',
  '061e': 'abort',
  '0620': 'repeat-receipt',
  '0621': 'telephonic-authorisation',
  '0622': 'pre-authorisation',
  '0623': 'partial-reversal',
  '0624': 'book-total',
  '0625': 'pre-authorisation-reversal',
  '0630': 'reversal',
  '0631': 'refund',
  '0650': 'end-of-day',
  '0670': 'diagnosis',
  '0691': 'set-date-time',
  '0693': 'initialisation',
  '06b0': 'abort-by-ecr',
  '06c0': 'read-card',
  '06d1': 'print-line',
  '06d3': 'print-text-block',
  '06e0': 'display-text',
  '06e1': 'display-text-with-key-input',
  '06e2': 'display-text-with-number-input',
  '0840': 'change-baud-rate',
};

/** The name of a control field of four hex digits; `unknown` for one that is not in the documents. */
export function controlFieldName(ctrl: string): string {
  if (ctrl === '8000' || ctrl === '8400') return 'positive-ack';
  if (ctrl === '849c') return 'repeat-status';
  if (ctrl === '849d') return 'partial-issue';
  if (/^84..$/.test(ctrl)) return 'negative-ack';
  return names[ctrl] ?? 'unknown';
}

/** Control field of an APDU, four hex digits. */
export function controlField(apdu: Uint8Array): string {
  return hex(apdu.subarray(0, 2));
}

/** 80 00 and 84 00 are positive, any other 84 xx is negative (ZVT PA00P016, chapter 4). */
export function isAnswer(ctrl: string): boolean {
  return ctrl === '8000' || ctrl.startsWith('84');
}

export function isPositiveAnswer(ctrl: string): boolean {
  return ctrl === '8000' || ctrl === '8400';
}

/** 84 1E with data behind it: the code is in the data. Alone it is the host's "format error". */
const wrappedCode = 0x1e;

/** The code of a refusal: the xx of 84 xx, or the one inside 84 1E nn code (ZVT PA00P015, registration). */
export function refusalCode(apdu: Uint8Array): number {
  const [inner] = parseApdu(apdu)?.data ?? [];
  const outer = apdu[1] ?? 0;
  return outer === wrappedCode && inner !== undefined ? inner : outer;
}
