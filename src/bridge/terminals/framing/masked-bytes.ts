/** The bytes of a message as far as anybody may see them: for the wire trace, and for a capture of the line. */
import type { BytePlace } from '../../../contract/frame.ts';
import { maskCardNumbers } from '../../../log/index.ts';
import { hex, latin1 } from './bytes.ts';

/** In the wire trace a longer message is shown up to here. */
export const maxTracedBytes = 2_048;

/** As many bytes as were sent. */
export interface MaskedBytes {
  /** With the protocol's own sign for a masked digit where one is hidden. */
  bytes: Uint8Array;
  /** Of each byte whether it is hidden. */
  hidden: boolean[];
}

const hiddenByte = '**';
const star = 0x2a;

/** What differs in `shown` is hidden. Both have the same length. */
export function maskedBytes(sent: Uint8Array, shown: Uint8Array): MaskedBytes {
  return { bytes: Uint8Array.from(shown), hidden: Array.from(sent, (byte, at) => byte !== shown[at]) };
}

/** Hides the bytes of `place`; `sign` stands there then. */
export function hidePlace({ bytes, hidden }: MaskedBytes, { from, to }: BytePlace, sign: number): void {
  bytes.fill(sign, from, to);
  hidden.fill(true, from, to);
}

/** Of a message of text: hides the bytes of `places`, and card numbers wherever they stand. */
export function maskedText(data: Uint8Array, places: readonly BytePlace[] = []): MaskedBytes {
  return maskedFields(data, [], places);
}

/**
 * The same with card numbers looked for in each of `fields` alone, and in what stands between two of them: digits of two
 * fields that follow each other often look like one. `fields` are in their order; one that begins in another does not count.
 */
export function maskedFields(
  data: Uint8Array,
  fields: readonly BytePlace[],
  places: readonly BytePlace[] = [],
): MaskedBytes {
  const text = latin1(data);
  const borders = [0];
  for (const { from, to } of fields) if (from >= (borders.at(-1) ?? 0)) borders.push(from, to);
  borders.push(data.length);
  const shown = borders
    .slice(1)
    .map((to, at) => sameLength(text.slice(borders[at], to)))
    .join('');
  const masked = maskedBytes(data, new Uint8Array(Buffer.from(shown, 'latin1')));
  for (const place of places) hidePlace(masked, place, star);
  return masked;
}

/** A mask of another length than the text has no places. */
function sameLength(text: string): string {
  const masked = maskCardNumbers(text);
  return masked.length === text.length ? masked : '*'.repeat(text.length);
}

/**
 * For the wire trace: at most `maxTracedBytes`, two digits each with a colon between them, `**` for one that is hidden. The
 * log leaves a field `hex` of this form alone.
 */
export function tracedBytes({ bytes, hidden }: MaskedBytes): string {
  const digits = hex(bytes.subarray(0, maxTracedBytes));
  return Array.from({ length: digits.length / 2 }, (_, at) =>
    hidden[at] === true ? hiddenByte : digits.slice(at * 2, at * 2 + 2),
  ).join(':');
}

/** The same of a message of text, whose bytes of `places` are hidden, and card numbers wherever they stand. */
export function tracedText(data: Uint8Array, places: readonly BytePlace[] = []): string {
  return tracedBytes(maskedText(data, places));
}
