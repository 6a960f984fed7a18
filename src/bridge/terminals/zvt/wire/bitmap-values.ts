/** Values of BMPs that have a form of their own (ZVT PA00P015): 3B, the approval code, and 60, the single totals. */
import { hex, bcdDigits, bcdNumber } from './bytes.ts';
import { schemeGroups, type SchemeGroup } from './card-types.ts';

const paddings: ReadonlySet<number> = new Set([0x00, 0x20, 0xff]);

/**
 * The approval code (BMP 3B, AID): eight bytes, ASCII and padding, in which some terminals put bytes. The text without
 * its padding; the bytes in hex where they are no text; null when all is padding.
 */
export function approvalCode(value: Uint8Array): string | null {
  const unpadded = withoutPadding(value);
  if (unpadded.length === 0) return null;
  return isText(unpadded) ? Buffer.from(unpadded).toString('latin1') : hex(value).toUpperCase();
}

export function isTextInPadding(value: Uint8Array): boolean {
  return isText(withoutPadding(value));
}

function withoutPadding(value: Uint8Array): Uint8Array {
  let from = 0;
  let to = value.length;
  while (from < to && paddings.has(value[from] ?? 0)) from += 1;
  while (to > from && paddings.has(value[to - 1] ?? 0)) to -= 1;
  return value.subarray(from, to);
}

function isText(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
}

/**
 * BMP 60, the totals of an end of day:
 *
 *     first receipt | last receipt | count  amount | count  amount | ... seven classes
 *     2 BCD         | 2 BCD        | 1 bin  6 BCD  |
 */
const headBytes = 4;
const classBytes = 7;
const totalBytes = headBytes + classBytes * schemeGroups.length;

export interface SingleTotals {
  /** Digits as sent. */
  receiptFrom: string;
  receiptTo: string;
  /** All seven classes in the order of the wire, with those that count nothing. */
  totals: { scheme: SchemeGroup; count: number; totalMinor: number }[];
}

/** Null when the value has another length or an amount is no BCD. */
export function readSingleTotals(value: Uint8Array): SingleTotals | null {
  if (value.length !== totalBytes) return null;
  const totals: SingleTotals['totals'] = [];
  for (const [index, scheme] of schemeGroups.entries()) {
    const at = headBytes + index * classBytes;
    const count = value[at] ?? 0;
    const totalMinor = bcdNumber(value.subarray(at + 1, at + classBytes));
    if (totalMinor === null) return null;
    totals.push({ scheme, count, totalMinor });
  }
  return {
    receiptFrom: bcdDigits(value.subarray(0, 2)),
    receiptTo: bcdDigits(value.subarray(2, headBytes)),
    totals,
  };
}
