/**
 * A message as one JSON object, for `tillbridge decode` and the wire trace. Key names are the same as in the project's
 * test vectors; a key that the message does not have is left out.
 */
import { descriptor } from '../descriptor.ts';
import { zvtSettingsSchema } from '../../../../contract/configuration.ts';
import { readHex, type DecodeReading, type FrameDecoder } from '../../framing/index.ts';
import { announcedSize, parseApdu } from './apdu.ts';
import { hex, bcdDigits, bcdNumber } from './bytes.ts';
import { isCardDataBitmap } from './card-data.ts';
import { readSerialFrame } from './serial-frames.ts';
import { decodeMessage, maskedHex, type ZvtMessage, characterSetOf } from './apdu-messages.ts';
import { type TextEncoding, decodeText } from './character-sets.ts';
import { type TlvObject, findTlvAnywhere } from './tlv.ts';
import { approvalCode, readSingleTotals } from './bitmap-values.ts';
import { type FieldPlaces, placeOfBitmap, placeOfObject } from './field-places.ts';
import { endsReceipt } from './receipt-lines.ts';

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

/**
 * Reads one frame (`serial`) or one bare APDU (`apdu`, as on TCP) from hex; blanks and colons between the digits are
 * allowed. A damaged one gives a sentence for people that says what is wrong.
 */
export function decodeHex(
  hexText: string,
  options: { framing: 'serial' | 'apdu'; encoding?: TextEncoding | undefined },
): DecodeReading {
  const read = readHex(hexText);
  return read.ok ? decodeBytes(read.bytes, options) : read;
}

function decodeBytes(
  bytes: Uint8Array,
  options: { framing: 'serial' | 'apdu'; encoding?: TextEncoding | undefined },
): DecodeReading {
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

const textEncodings = zvtSettingsSchema.shape.textEncoding.unwrap();

/** `serial`: a frame of a serial line. `apdu`: as on TCP. An encoding that is none of ZVT's is the default. */
export const zvtDecoder: FrameDecoder = {
  ...descriptor.decode,
  decode: (bytes, { framing, encoding }) =>
    decodeBytes(bytes, {
      framing: framing === 'apdu' ? 'apdu' : 'serial',
      encoding: textEncodings.safeParse(encoding).data,
    }),
};

/** What is wrong with the length of a bare APDU, or null. */
function apduError(bytes: Uint8Array): string | null {
  if (parseApdu(bytes) !== null) return null;
  const size = announcedSize(bytes);
  if (size === null) return `truncated APDU: ${bytes.length} bytes are no control field with a length`;
  const announced = size.headLength + size.dataLength;
  const what = bytes.length < announced ? 'truncated APDU' : 'length mismatch';
  return `${what}: the length field announces ${announced} bytes in all, found ${bytes.length}`;
}

type Fields = Record<string, unknown>;

/** Of a list no more items are shown. */
const maxPlaces = 100;

/** BMPs of one byte that are shown as a number. */
const numbers: Readonly<Record<string, string>> = {
  '27': 'resultCode',
  a0: 'resultCodeAS',
  '8a': 'cardType',
  '8c': 'networkCardType',
  '02': 'maxStatusInfos',
  '01': 'timeoutS',
  '05': 'pump',
  f0: 'displayDurationS',
};
/** BMPs that are shown as they were sent, in digits or hex. */
const digits: Readonly<Record<string, string>> = {
  '0b': 'trace',
  '37': 'originalTrace',
  '0c': 'time',
  '0d': 'dateMMDD',
  aa: 'dateYYMMDD',
  '0e': 'expiryYYMM',
  '17': 'cardSequence',
  '29': 'terminalId',
  '49': 'currency',
  '87': 'receiptNo',
  '88': 'turnoverNo',
  '03': 'serviceByte',
  fc: 'dialogControl',
};
/** BMPs with a padded text. */
const names: Readonly<Record<string, string>> = { '2a': 'vuNumber', '8b': 'cardName' };
/** BMPs with a text in which blanks count. */
const texts: Readonly<Record<string, string>> = {
  '3c': 'additionalText',
  f1: 'line1',
  f2: 'line2',
  f3: 'line3',
  f4: 'line4',
  f5: 'line5',
  f6: 'line6',
  f7: 'line7',
  f8: 'line8',
};
/** TLV tags, first one at any depth: numbers, and hex as sent. */
const tlvNumbers: Readonly<Record<string, string>> = {
  '1f07': 'receiptType',
  '1f10': 'cardholderAuth',
  '1f12': 'cardTechnology',
};
const tlvHex: Readonly<Record<string, string>> = {
  '1f2b': 'traceLong',
  '1f37': 'receiptInfo',
  '1f16': 'extendedErrorCode',
  '1f73': 'msgSeqId',
  '43': 'applicationId',
};

/**
 * All named values of a message, for people: amounts as numbers, digits as sent, texts decoded. `encoding` as in
 * `describeMessage`. `places`, where given, gets the place of each.
 */
export function describeFields(message: ZvtMessage, encoding?: TextEncoding, places?: FieldPlaces): Fields {
  const fields: Fields = {};
  const text = (value: Uint8Array) => decodeText(value, characterSetOf(message, encoding));
  for (const each of message.bitmaps) {
    const { tag, value } = each;
    const key = keyOfBitmap(tag, message.ctrl);
    if (key === undefined) continue;
    const shown = valueOfBitmap(tag, value, text);
    if (shown === null) continue;
    fields[key] = shown;
    places?.set(key, [placeOfBitmap(message, each)]);
  }
  const lastFour = message.maskedCardNumber?.slice(-4) ?? '';
  if (/^\d{4}$/.test(lastFour)) fields['panLast4'] = lastFour;
  // Behind the text of 06 D1 (card complete) only its presence is shown, as `trailingTlv`.
  if (message.ctrl !== '06d1') describeTlvFields(fields, message, text, places);
  return fields;
}

function keyOfBitmap(tag: string, ctrl: string): string | undefined {
  if (tag === '19') return nameOfBitmap19(ctrl);
  return formed[tag] ?? numbers[tag] ?? digits[tag] ?? names[tag] ?? texts[tag];
}

/** BMPs with a form of their own. */
const formed: Readonly<Record<string, string>> = { '04': 'amountMinor', '3b': 'aid', '60': 'singleTotals' };

function valueOfBitmap(tag: string, value: Uint8Array, text: (value: Uint8Array) => string): unknown {
  if (tag === '04') return bcdNumber(value);
  if (tag === '19') return hex(value);
  if (tag === '3b') return approvalCode(value);
  if (tag === '60') return describeTotals(value);
  if (numbers[tag] !== undefined) return value[0];
  if (digits[tag] !== undefined) return bcdDigits(value);
  return names[tag] === undefined ? text(value) : withoutPadding(text(value));
}

/** BMP 19 has three unrelated meanings. */
function nameOfBitmap19(ctrl: string): string {
  if (ctrl === '0600' || ctrl === '060f') return 'statusByte';
  return ctrl === '06c0' ? 'cardTypeSelect' : 'paymentType';
}

/** Up to the NUL that ends it, without the blanks that fill it up. */
function withoutPadding(text: string): string {
  const end = text.indexOf('\0');
  return (end < 0 ? text : text.slice(0, end)).replace(/ +$/, '');
}

function describeTotals(value: Uint8Array): Fields | null {
  const read = readSingleTotals(value);
  if (read === null) return null;
  const fields: Fields = { receiptFrom: read.receiptFrom, receiptTo: read.receiptTo };
  for (const { scheme, count, totalMinor } of read.totals) {
    // The document's older name of the class.
    fields[scheme === 'mastercard' ? 'eurocard' : scheme] = { count, totalMinor };
  }
  return fields;
}

function describeTlvFields(
  fields: Fields,
  message: ZvtMessage,
  text: (value: Uint8Array) => string,
  places?: FieldPlaces,
): void {
  const { tlv } = message;
  if (tlv.length === 0) return;
  const one = (name: string, object: TlvObject | undefined, show: (value: Uint8Array) => unknown) => {
    if (object === undefined) return;
    const value = show(object.value) ?? null;
    if (value === null) return;
    fields[name] = value;
    places?.set(name, [placeOfObject(message, object)]);
  };
  const list = (name: string, objects: readonly TlvObject[], show: (value: Uint8Array) => string) => {
    fields[name] = objects.map(({ value }) => show(value));
    places?.set(
      name,
      objects.slice(0, maxPlaces).map((object) => placeOfObject(message, object)),
    );
  };

  for (const [tag, name] of Object.entries(tlvNumbers)) {
    one(name, findTlvAnywhere(tlv, tag)[0], (value) => value[0]);
  }
  for (const [tag, name] of Object.entries(tlvHex)) one(name, findTlvAnywhere(tlv, tag)[0], hex);
  const commands = findTlvAnywhere(tlv, '0a');
  if (commands.length > 0) list('permittedCommands', commands, hex);
  one('extendedErrorText', findTlvAnywhere(tlv, '1f17')[0], text);

  const display = childrenOf(findTlvAnywhere(tlv, '24'), '07');
  if (display.length > 0) list('displayLines', display, text);

  const printTexts = findTlvAnywhere(tlv, '25');
  if (printTexts.length === 0) return;
  const lines = childrenOf(printTexts, '07');
  list('lines', lines, text);
  const attributes = childrenOf(printTexts, '09');
  if (attributes.length > 0) list('attributes', attributes, hex);
  const last = printTexts.at(-1)?.children?.at(-1);
  fields['endOfReceipt'] = last?.tag === '09' && endsReceipt(last.value[0] ?? 0);
  fields['lineCount'] = lines.length;
}

function childrenOf(objects: readonly TlvObject[], tag: string): TlvObject[] {
  return objects.flatMap(({ children = [] }) => children.filter((child) => child.tag === tag));
}
