/**
 * The bytes of a message of text for the wire trace, with a colon between two, `**` for a byte that is not to be seen:
 * the form that the log leaves alone.
 */
import type { BytePlace } from '../../../contract/frame.ts';
import { maskCardNumbers } from '../../../log/index.ts';
import { hex } from './bytes.ts';

/** A longer message is shown up to here. */
export const maxTracedBytes = 2_048;

const hidden = '**';

/** At most `maxTracedBytes`. Hides the bytes of `places`, and card numbers wherever they stand in the text. */
export function tracedText(data: Uint8Array, places: readonly BytePlace[] = []): string {
  const digits = hex(data.subarray(0, maxTracedBytes));
  const text = latin1(data);
  const masked = maskCardNumbers(text);
  return Array.from({ length: digits.length / 2 }, (_, index) =>
    masked[index] !== text[index] || places.some(({ from, to }) => index >= from && index < to)
      ? hidden
      : digits.slice(index * 2, index * 2 + 2),
  ).join(':');
}

/** One character for each byte; never fails. */
export function latin1(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('latin1');
}
