/** BMP 3B, the approval code (AID): eight bytes, ASCII and padding (ZVT PA00P015), in which some terminals put bytes. */
import { hex } from './bytes.ts';

const paddings: ReadonlySet<number> = new Set([0x00, 0x20, 0xff]);

/** The text without its padding; the bytes in hex where they are no text; null when all is padding. */
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
