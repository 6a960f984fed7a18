/**
 * Which bytes of a message each of its values stands in, with the number and the length before it:
 *
 *     06 01 0C  04 00 00 00 00 19 00  49 09 78
 *               ╰──── amountMinor ─╯  ╰ currency
 *
 * A value that is card data has one place for all of it, masked digits and others alike: more than how long it is, which
 * its length says anyway, no place tells.
 */
import type { BytePlace } from '../../../../contract/frame.ts';
import type { ZvtMessage } from './apdu-messages.ts';
import { headBytesOf, type Bitmap } from './bitmaps.ts';
import { buildLength, type TlvObject } from './tlv.ts';

/** By the keys of `describeFields` and of `ZvtMessage.positional`; of a list one place for each of its items. */
export type FieldPlaces = Map<string, (BytePlace | undefined)[]>;

/** Of the values at fixed places. */
export function positionalPlaces(message: ZvtMessage): FieldPlaces {
  const dataAt = message.extendedLength ? 5 : 3;
  return new Map(
    Object.entries(message.positionalPlaces).map(([key, { from, to }]) => [
      key,
      [{ from: from + dataAt, to: to + dataAt }],
    ]),
  );
}

/** Of `bytes` within the message. */
function placeOf(message: ZvtMessage, bytes: Uint8Array, headBytes = 0): BytePlace {
  const at = bytes.byteOffset - message.maskedApdu.byteOffset;
  return { from: at - headBytes, to: at + bytes.length };
}

export function placeOfBitmap(message: ZvtMessage, { tag, value }: Bitmap): BytePlace {
  return placeOf(message, value, headBytesOf(tag));
}

export function placeOfObject(message: ZvtMessage, { tag, value }: TlvObject): BytePlace {
  return placeOf(message, value, tag.length / 2 + buildLength(value.length).length);
}

/** BMPs and tags that tell the card number. */
const cardBitmaps = new Set(['22', '23', '2d']);

/** Where the card number came from; null where several fields could have told it. */
export function placeOfCardNumber(message: ZvtMessage): BytePlace | null {
  const [first, ...others] = message.bitmaps.filter(({ tag }) => cardBitmaps.has(tag));
  return first === undefined || others.length > 0 ? null : placeOfBitmap(message, first);
}
