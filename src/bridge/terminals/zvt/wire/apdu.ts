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
