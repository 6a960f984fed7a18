/**
 * Messages and their meaning (KBTG Link POS Specification 1.5.0; the other dialects have the same form): 18 bytes at
 * fixed places, then fields, each with a separator behind it.
 *
 *     60 0000 0000 1 0 20 00 0 1C  40 <00 12> 000000000100 1C  R1 <00 20> … 1C
 *     ╰─────┬────╯ │ │ │  │  │     │    │          │
 *       transport  │ │ │  │  more  type length, 2  value
 *                  │ │ │  response      bytes BCD
 *             version│ transaction
 *           0 request, 1 response
 *
 * Card data is masked here, at the moment at which bytes become meaning: nothing of an `EdcMessage` holds a card number,
 * an expiry date or a cardholder's name.
 */
import type { BytePlace } from '../../../../contract/frame.ts';
import { latin1 } from '../../framing/index.ts';
import { bcdLength, readBcdLength } from './bcd-length.ts';
import { maskField } from './card-data.ts';

/** Separates fields. The same byte may stand in lengths and values, so it is never searched for. */
export const FS = 0x1c;
/** The part at fixed places, with the separator behind it. */
export const headBytes = 18;
const fieldHeadBytes = 4;
const star = 0x2a;

export interface EdcField {
  /** Two characters. */
  type: string;
  /** Of the value, in bytes. */
  length: number;
  /** Masked; its last four digits are all that is left of a card number. */
  value: Uint8Array;
  /** With type and length, counted from the first byte of the message. */
  place: BytePlace;
}

export interface EdcMessage {
  /** Of the whole message, in bytes. */
  length: number;
  /** Ten characters: transport type, destination, source. */
  transport: string;
  /** The byte: 31 (`1`), or 01 on some terminals. */
  formatVersion: number;
  /** `0` a request, `1` a response or notice, `2` a request that wants no response. */
  requestResponse: string;
  /** Two characters; what they stand for depends on the profile. */
  txCode: string;
  /** Two characters as sent; two NULs are another code than the text `00`. */
  responseCode: string;
  /** `0` the last message, `1` more follow. */
  more: string;
  /** In the order of the wire, unknown ones included. */
  fields: EdcField[];
  /** What could not be understood; what was read before stays. */
  problems: string[];
  /** The whole message, masked: the only copy of the bytes that may be logged. */
  maskedMessage: Uint8Array;
}

/**
 * The meaning of the bytes between length and 03. Never throws and never fails as a whole: what cannot be understood is
 * named in `problems`, and masked. `bytes` is left as it is.
 */
export function decodeMessage(bytes: Uint8Array): EdcMessage {
  // Masking happens in this copy; the values of the fields are views of it.
  const maskedMessage = Uint8Array.from(bytes);
  const message: EdcMessage = {
    length: bytes.length,
    transport: '',
    formatVersion: 0,
    requestResponse: '',
    txCode: '',
    responseCode: '',
    more: '',
    fields: [],
    problems: [],
    maskedMessage,
  };
  if (bytes[headBytes - 1] !== FS) {
    message.problems.push(
      bytes.length < headBytes
        ? `a message has at least ${headBytes} bytes, this one ${bytes.length}`
        : `no separator (1c) stands behind the fixed part of ${headBytes - 1} bytes`,
    );
    maskedMessage.fill(star);
    return message;
  }
  message.transport = characters(bytes.subarray(0, 10));
  message.formatVersion = bytes[10] ?? 0;
  message.requestResponse = characters(bytes.subarray(11, 12));
  message.txCode = characters(bytes.subarray(12, 14));
  message.responseCode = characters(bytes.subarray(14, 16));
  message.more = characters(bytes.subarray(16, 17));
  readFields(message);
  return message;
}

function readFields(message: EdcMessage): void {
  const { maskedMessage: bytes, fields, problems } = message;
  let from = headBytes;
  while (from < bytes.length) {
    const length = lengthOfField(bytes, from);
    if (length === null) {
      problems.push(`the field at byte ${from} does not fit the message`);
      bytes.fill(star, from);
      return;
    }
    const valueFrom = from + fieldHeadBytes;
    const to = valueFrom + length;
    const type = characters(bytes.subarray(from, from + 2));
    const value = bytes.subarray(valueFrom, to);
    maskField(type, value);
    fields.push({ type, length, value, place: { from, to } });
    from = to + 1;
  }
}

/**
 * The length of the field that begins at `from`: the one whose separator stands where it has to. Two ASCII digits count
 * only when BCD does not fit; a PAX terminal takes either.
 */
function lengthOfField(bytes: Uint8Array, from: number): number | null {
  const [high = 0, low = 0] = bytes.subarray(from + 2, from + fieldHeadBytes);
  const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39;
  const inAscii = isDigit(high) && isDigit(low) ? (high - 0x30) * 10 + (low - 0x30) : null;
  for (const length of [readBcdLength(high, low), inAscii])
    if (length !== null && bytes[from + fieldHeadBytes + length] === FS) return length;
  return null;
}

/** Bytes that are no ASCII become U+FFFD, so that they equal no code. */
function characters(bytes: Uint8Array): string {
  return String.fromCharCode(...Array.from(bytes, (byte) => (byte < 0x7f ? byte : 0xfffd)));
}

export interface MessageParts {
  /** Ten characters; `6000000000` when left out. */
  transport?: string;
  /** The byte; `1` in ASCII (31) when left out. */
  formatVersion?: number;
  requestResponse: '0' | '1' | '2';
  txCode: string;
  /** `00` when left out. */
  responseCode?: string;
  /** `0` when left out. */
  more?: '0' | '1';
  /** In the order of the wire; a text is sent in ASCII. */
  fields?: readonly (readonly [type: string, value: string | Uint8Array])[];
}

/** The bytes of a message, for both ends of a line. Throws on parts that have no form in it: a mistake of the caller. */
export function encodeMessage(parts: MessageParts): Uint8Array {
  const { transport = '6000000000', formatVersion = 0x31, responseCode = '00', more = '0' } = parts;
  return Uint8Array.from([
    ...ascii(transport, 10),
    formatVersion,
    ...ascii(parts.requestResponse, 1),
    ...ascii(parts.txCode, 2),
    ...ascii(responseCode, 2),
    ...ascii(more, 1),
    FS,
    ...(parts.fields ?? []).flatMap(([type, value]) => {
      const bytes = typeof value === 'string' ? ascii(value, value.length) : [...value];
      return [...ascii(type, 2), ...bcdLength(bytes.length), ...bytes, FS];
    }),
  ]);
}

function ascii(text: string, length: number): number[] {
  const codes = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  if (text.length !== length || codes.some((code) => code > 0x7f))
    throw new Error(`${JSON.stringify(text)} is not ${length} characters of ASCII`);
  return codes;
}

/** The first field of this type, or null. */
function fieldOf(message: EdcMessage, type: string): EdcField | null {
  return message.fields.find((field) => field.type === type) ?? null;
}

/**
 * The text of the first field of this type, without the blanks and NULs that fill it up and with nothing that does not
 * print. Null when there is none, or nothing in it.
 */
export function fieldText(message: EdcMessage, type: string): string | null {
  const field = fieldOf(message, type);
  if (field === null) return null;
  const text = latin1(field.value);
  return text.replace(/[^ -~]+/g, ' ').trim() || null;
}

/** The last four digits of the card, or null where the terminal told none. */
export function lastFourOf(message: EdcMessage): string | null {
  return /(\d{4})\**$/.exec(fieldText(message, '30') ?? '')?.[1] ?? null;
}
