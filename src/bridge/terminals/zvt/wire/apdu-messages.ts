/**
 * APDUs and their meaning (ZVT PA00P015). Card numbers are masked here, at the moment at which bytes become meaning:
 * nothing of a `ZvtMessage` holds one.
 */
import { parseApdu, buildApdu, controlFieldName } from './apdu.ts';
import { buildBitmap, parseBitmaps, type Bitmap } from './bitmaps.ts';
import { concatBytes, fromHex, hex } from './bytes.ts';
import { maskBitmaps, maskText, maskTlv, maskUnknown } from './card-data.ts';
import {
  buildPositional,
  readPositional,
  type PositionalPlaces,
  type PositionalValues,
} from './positional.ts';
import {
  characterSetOfTag14,
  defaultEncoding,
  type CharacterSet,
  type TextEncoding,
} from './character-sets.ts';
import { buildTlv, findTlv, maxTlvObjects, parseTlv, type TlvObject, type TlvParts } from './tlv.ts';

/** How many problems of one message are told; the first are what matters. */
const maxProblems = 20;

export interface ZvtMessage {
  /** Control field, four hex digits in lower case; fewer when the bytes were no APDU at all. */
  ctrl: string;
  /** `authorisation`, `status-information` ...; `unknown` when the documents have no such control field. */
  name: string;
  /** Number of data bytes, without control field and length. */
  dataLength: number;
  /** The length was written as FF lo hi. */
  extendedLength: boolean;
  /** Parameters at fixed places; keys as `tillbridge decode` shows them. */
  positional: PositionalValues;
  /** Where these stand, counted from where the data begins. */
  positionalPlaces: PositionalPlaces;
  /** In the order of the wire. Card data (22, 23, 24, 2d, 2e ...) is masked: nibble E, or `*` in ASCII. */
  bitmaps: Bitmap[];
  /** The objects of BMP 06, masked as well. */
  tlv: TlvObject[];
  /** The character set that the message names for its own texts (tag 14, also among its print texts), or null. */
  characterSet: CharacterSet | null;
  /** At most the first six and the last four digits, the rest `*`. */
  maskedCardNumber: string | null;
  /** What could not be understood (unknown BMP, bad length ...), the first 20; what was read before stays. */
  problems: string[];
  /** The whole APDU, masked: the only copy of the bytes that may be logged. */
  maskedApdu: Uint8Array;
}

export interface DecodeOptions {
  /** The character set in force; CP437 when not given. A message can name another for itself (tag 14). */
  encoding?: TextEncoding | undefined;
  /** The control field of our command that is being answered: `0501` makes 06 0F positional. */
  answerTo?: string | undefined;
}

/**
 * The meaning of one APDU. Never throws and never fails as a whole: what cannot be understood is named in `problems`.
 * `apdu` is left as it is.
 */
export function decodeMessage(apdu: Uint8Array, options: DecodeOptions = {}): ZvtMessage {
  // Masking happens in this copy; everything below are views of it.
  const maskedApdu = Uint8Array.from(apdu);
  const parsed = parseApdu(maskedApdu);
  const ctrl = hex(maskedApdu.subarray(0, 2));
  const message: ZvtMessage = {
    ctrl,
    name: controlFieldName(ctrl),
    dataLength: parsed?.data.length ?? 0,
    extendedLength: parsed?.extendedLength ?? false,
    positional: {},
    positionalPlaces: {},
    bitmaps: [],
    tlv: [],
    characterSet: null,
    maskedCardNumber: null,
    problems: [],
    maskedApdu,
  };
  if (parsed === null) {
    message.problems.push('the length field does not agree with the number of bytes');
    maskUnknown(maskedApdu);
    return message;
  }
  const encoding = options.encoding ?? defaultEncoding;
  const { data } = parsed;

  const fixed = readPositional(ctrl, data, encoding, options.answerTo);
  const fixedPart = data.subarray(0, fixed.length);
  message.positionalPlaces = fixed.places;
  if (fixed.problem !== null) message.problems.push(fixed.problem);
  maskText(fixedPart);
  // Texts are read again from the masked bytes.
  const nothingMasked = fixedPart.length === 0;
  message.positional = nothingMasked
    ? fixed.values
    : readPositional(ctrl, data, encoding, options.answerTo).values;

  const bitmapPart = data.subarray(fixed.length);
  // Before reading: what looks like BMPs may be something else.
  if (mayHaveOtherForm(message)) maskUnknown(bitmapPart);
  const reading = parseBitmaps(bitmapPart);
  if (reading.problem !== null && mayHaveOtherForm(message)) {
    if (message.name === 'unknown') message.problems.push('the form of the data is not known');
    return message;
  }
  maskUnknown(reading.rest);
  message.maskedCardNumber = maskBitmaps(reading.bitmaps);
  const budget = { objectsLeft: maxTlvObjects };
  for (const { tag, value } of reading.bitmaps) {
    if (tag !== '06') continue;
    const { objects, problem } = parseTlv(value, budget);
    const cardNumber = maskTlv(objects, value);
    message.maskedCardNumber ??= cardNumber;
    message.tlv.push(...objects);
    if (problem !== null && message.problems.length < maxProblems - 1) message.problems.push(problem);
  }
  message.characterSet = namedCharacterSet(message.tlv);
  if (reading.problem !== null) message.problems.push(reading.problem);
  // A container behind the text of 06 D1 is no BMP of the message.
  message.bitmaps = fixed.trailing > 0 ? [] : reading.bitmaps;
  return message;
}

/** Data of unknown commands and of plain answers (06 E1: a key) need not be BMPs: they count only if all reads as such. */
function mayHaveOtherForm(message: ZvtMessage): boolean {
  return message.name === 'unknown' || message.name === 'positive-ack';
}

/** The value of the first BMP with this number (two hex digits, lower case), or null. */
export function bitmap(message: ZvtMessage, tag: string): Uint8Array | null {
  return message.bitmaps.find((each) => each.tag === tag)?.value ?? null;
}

/**
 * The status of a completion of 05 01: `[version] status [06 …]` and nothing else. Null for any other completion: the
 * late end of an earlier command must not pass for "ready".
 */
export function terminalStatusOf(message: ZvtMessage): number | null {
  const status = message.positional['terminalStatus'];
  if (typeof status !== 'string' || message.problems.length > 0) return null;
  if (message.bitmaps.some(({ tag }) => tag !== '06')) return null;
  return Number.parseInt(status, 16);
}

function namedCharacterSet(tlv: readonly TlvObject[]): CharacterSet | null {
  const [named] = [...findTlv(tlv, '14'), ...findTlv(tlv, '25', '14')];
  return named === undefined ? null : characterSetOfTag14(named.value);
}

/** The character set of a message's texts: the one that it names itself, or else `encoding`. */
export function characterSetOf(message: ZvtMessage, encoding: CharacterSet = defaultEncoding): CharacterSet {
  return message.characterSet ?? encoding;
}

export interface MessageParts {
  /** Four hex digits. */
  ctrl: string;
  positional?: PositionalValues | undefined;
  /** Number and value in hex, in the order of the wire, without LLVAR lengths. `06` with null takes `tlv`. */
  bitmaps?: readonly (readonly [tag: string, valueHex: string | null])[] | undefined;
  /** The objects of BMP 06; put at the end when `bitmaps` names no place for it. */
  tlv?: readonly TlvParts[] | undefined;
  encoding?: TextEncoding | undefined;
}

/** An APDU from its parts. Throws on parts that the protocol has no form for: a mistake of the caller. */
export function encodeMessage(parts: MessageParts): Uint8Array {
  const { ctrl, positional = {}, bitmaps = [], tlv, encoding = defaultEncoding } = parts;
  const ordered = [...bitmaps];
  if (tlv !== undefined && !bitmaps.some(([tag]) => tag === '06')) ordered.push(['06', null]);
  const encoded = ordered.map(([tag, valueHex]) => {
    if (valueHex !== null) return buildBitmap(tag, fromHex(valueHex));
    if (tag !== '06') throw new Error(`BMP ${tag} needs a value`);
    return buildBitmap(tag, buildTlv(tlv ?? []));
  });
  return buildApdu(ctrl, concatBytes(buildPositional(ctrl, positional, encoding), ...encoded));
}

/** The APDU in hex with card data masked, for wire traces. */
export function maskedHex(message: ZvtMessage): string {
  return hex(message.maskedApdu);
}
