/**
 * A message as one JSON object, for `tillbridge decode` and the wire trace. Key names are the same as in the project's
 * test vectors; a key that the message does not have is left out.
 */
import { announcedSize, parseApdu } from './apdu.ts';
import { hex } from './bytes.ts';
import { isCardDataBitmap } from './card-data.ts';
import { describeFields } from './describe-fields.ts';
import { readSerialFrame } from './frames.ts';
import { decodeMessage, maskedHex, type ZvtMessage } from './messages.ts';
import type { TextEncoding } from './text.ts';
import type { TlvObject } from './tlv.ts';

/** A longer TLV container is shown by the fields that are read from it, not object by object. */
const longestTlvShownBytes = 256;

/** What a message says. `encoding` is the character set in force, unless the message names its own; CP437 by default. */
export function describeMessage(message: ZvtMessage, encoding?: TextEncoding): Record<string, unknown> {
  const { ctrl, positional, bitmaps, tlv, problems } = message;
  const fields = describeFields(message, encoding);
  const tlvBytes = bitmaps.reduce((sum, { tag, value }) => sum + (tag === '06' ? value.length : 0), 0);
  return {
    ctrl,
    dataLength: message.dataLength,
    extendedLength: message.extendedLength,
    name: message.name,
    ...(/^84..$/.test(ctrl) ? { aprc: ctrl.slice(2) } : {}),
    ...(Object.keys(positional).length > 0 ? { positional } : {}),
    ...(bitmaps.length > 0
      ? {
          bmps: bitmaps.map(({ tag, value }) => [
            tag,
            tag === '06' || isCardDataBitmap(tag) ? null : hex(value),
          ]),
          bmpTags: bitmaps.map(({ tag }) => tag),
        }
      : {}),
    ...(tlvBytes > 0 && tlvBytes <= longestTlvShownBytes ? { tlv: tlv.map(describeObject) } : {}),
    ...(Object.keys(fields).length > 0 ? { fields } : {}),
    ...(problems.length > 0 ? { problems } : {}),
  };
}

function describeObject({ tag, value, children }: TlvObject): Record<string, unknown> {
  return children === undefined ? { tag, hex: hex(value) } : { tag, children: children.map(describeObject) };
}

export type DecodeHexResult = { ok: true; decoded: Record<string, unknown> } | { ok: false; error: string };

/**
 * Reads one frame (`serial`) or one bare APDU (`apdu`, as on TCP) from hex; blanks and colons between the digits are
 * allowed. A damaged one gives a sentence for people that says what is wrong.
 */
export function decodeHex(
  hexText: string,
  options: { framing: 'serial' | 'apdu'; encoding?: TextEncoding | undefined },
): DecodeHexResult {
  const digits = hexText.replace(/[\s:]/g, '');
  const [wrong] = /[^0-9a-fA-F]/.exec(digits) ?? [];
  if (wrong !== undefined) return { ok: false, error: `not hex: "${wrong}" is no hex digit` };
  if (digits.length === 0) return { ok: false, error: 'not hex: there are no digits' };
  if (digits.length % 2 !== 0)
    return { ok: false, error: `not hex: ${digits.length} digits are no whole bytes` };
  const bytes = new Uint8Array(Buffer.from(digits, 'hex'));
  if (options.framing === 'apdu') {
    const error = apduError(bytes);
    if (error !== null) return { ok: false, error };
    const message = decodeMessage(bytes, { encoding: options.encoding });
    return { ok: true, decoded: describeMessage(message, options.encoding) };
  }
  const frame = readSerialFrame(bytes);
  if (!frame.ok) return frame;
  const message = decodeMessage(frame.apdu, { encoding: options.encoding });
  const decoded = {
    apdu: maskedHex(message),
    crcLoHi: hex(frame.crc),
    ...describeMessage(message, options.encoding),
  };
  return { ok: true, decoded };
}

/** What is wrong with the length of a bare APDU, or null. */
function apduError(bytes: Uint8Array): string | null {
  if (parseApdu(bytes) !== null) return null;
  const size = announcedSize(bytes);
  if (size === null) return `truncated APDU: ${bytes.length} bytes are no control field with a length`;
  const announced = size.headLength + size.dataLength;
  const what = bytes.length < announced ? 'truncated APDU' : 'length mismatch';
  return `${what}: the length field announces ${announced} bytes in all, found ${bytes.length}`;
}

export { maskedHex } from './messages.ts';
