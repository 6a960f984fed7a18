/**
 * BMP 60, the totals of an end of day (ZVT PA00P015):
 *
 *     first receipt | last receipt | count  amount | count  amount | ... seven classes
 *     2 BCD         | 2 BCD        | 1 bin  6 BCD  |
 */
import { bcdDigits, bcdNumber } from './bytes.ts';
import { schemeGroups, type SchemeGroup } from './card-types.ts';

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
