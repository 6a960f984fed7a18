/**
 * Card data in bytes. Everything here changes the bytes that it is given, in place and without changing their number,
 * so that nothing that is made of them later (objects, texts, hex for a trace) can hold a card number. The masked digit
 * is nibble E, as terminals mask themselves (ZVT PA00P015), and `*` in texts.
 */
import { luhnOf, maskCardNumbers, maxCardDigits, minCardDigits } from '../../../../log/index.ts';
import { isTextInPadding } from './bitmap-values.ts';
import { hex } from './bytes.ts';
import type { Bitmap } from './bitmaps.ts';
import type { TlvObject } from './tlv.ts';

/** What may stay readable of a card number (PCI DSS 3.4.1); of one shorter than a PAN only the last four. */
const keptFirstDigits = 6;
const keptLastDigits = 4;
const maskedNibble = 'e';
const blank = 0xee;
const star = 0x2a;

/** How a value has to be treated. */
type Treatment =
  /** BCD card number, perhaps followed by D and the rest of track 2. */
  | 'card_number'
  /** Track 1 (ASCII). */
  | 'track_1'
  /** Nothing of it is needed: all of it goes. */
  | 'erase'
  /** Text in any character set whose digits are ASCII. */
  | 'text'
  /** AID: a registered one begins with A or D, and the digits behind it may look like a card number. */
  | 'application_id'
  /** Its format is documented and holds no card number. */
  | 'plain'
  /** Anything else: both as text and as BCD. */
  | 'unknown';

const bitmapTreatments: Readonly<Record<string, Treatment>> = {
  '06': 'plain', // its objects are masked one by one
  '22': 'card_number',
  '23': 'card_number',
  '24': 'erase',
  '2a': 'text',
  '2d': 'track_1',
  '2e': 'erase',
  '3a': 'erase',
  '8b': 'text',
  '92': 'erase',
  '9a': 'erase',
  a7: 'erase',
  af: 'erase',
  d1: 'erase',
};
for (const line of '12345678')
  Object.assign(bitmapTreatments, { [`e${line}`]: 'text', [`f${line}`]: 'text' });

const tlvTreatments: Readonly<Record<string, Treatment>> = {
  '07': 'text',
  '0b': 'text',
  '0c': 'text',
  '13': 'text',
  '15': 'text',
  '42': 'text',
  '44': 'text',
  '46': 'text',
  '47': 'text',
  '1f17': 'text',
  '1f40': 'text',
  '1f41': 'text',
  '43': 'application_id',
  // Tracks 1 to 3.
  '1f08': 'track_1',
  '1f09': 'card_number',
  '1f0a': 'erase',
  // The same in tags of EMV, should a terminal pass them on.
  '56': 'erase',
  '57': 'card_number',
  '5a': 'card_number',
  '5f20': 'erase',
  '9f1f': 'erase',
  '9f20': 'erase',
  '9f6b': 'erase',
};

/** Containers of the lines that a terminal shows and prints. */
const linesOfText = new Set(['24', '25']);

/** BMPs whose value `describeMessage` never shows, not even masked. */
export function isCardDataBitmap(tag: string): boolean {
  const treatment = bitmapTreatments[tag];
  return treatment === 'card_number' || treatment === 'track_1' || treatment === 'erase';
}

/** Single totals (BMP 60) of the documented length: counts and amounts. */
const singleTotalsBytes = 53;

/** Masks the values of BMPs. Gives the masked card number when one of them tells it ("559883******8074"). */
export function maskBitmaps(bitmaps: readonly Bitmap[]): string | null {
  let cardNumber: string | null = null;
  for (const { tag, value } of bitmaps) {
    const totals = tag === '60' && value.length === singleTotalsBytes;
    const treatment = totals ? 'plain' : (bitmapTreatments[tag] ?? treatmentByContent(tag, value));
    // Every value has to be masked, whether a number was found before or not.
    const found = treat(treatment, value);
    cardNumber ??= found;
  }
  return cardNumber;
}

/** BMP 3B and 3C are texts most of the time, and anything at others. */
function treatmentByContent(tag: string, value: Uint8Array): Treatment {
  if (tag === '3b') return isTextInPadding(value) ? 'text' : 'unknown';
  return tag === '3c' && !value.some((byte) => byte < 0x20 && byte !== 0 && byte !== 0x0a && byte !== 0x0d)
    ? 'text'
    : 'unknown';
}

/**
 * Masks objects at all depths, and what could not be read behind them. `bytes` is the whole that they were parsed from.
 * Gives the masked card number when one of them tells it.
 */
export function maskTlv(objects: readonly TlvObject[], bytes: Uint8Array): string | null {
  let cardNumber: string | null = null;
  let read = 0;
  for (const { tag, value, children } of objects) {
    const treatment = tlvTreatments[tag];
    const found =
      treatment === undefined && children !== undefined
        ? maskTlv(children, value)
        : treat(treatment ?? 'unknown', value);
    // A card number can begin in one line of a text and end in the next.
    if (linesOfText.has(tag)) maskText(value);
    cardNumber ??= found;
    read = value.byteOffset - bytes.byteOffset + value.length;
  }
  maskUnknown(bytes.subarray(read));
  return cardNumber;
}

function treat(treatment: Treatment, value: Uint8Array): string | null {
  switch (treatment) {
    case 'card_number':
      return maskCardNumberDigits(value);
    case 'track_1':
      return maskTrack1(value);
    case 'erase':
      value.fill(blank);
      return null;
    case 'text':
      maskText(value);
      return null;
    case 'plain':
      return null;
    case 'application_id':
      if ((value[0] ?? 0) < 0xa0) maskUnknown(value);
      return null;
    case 'unknown':
      maskUnknown(value);
      return null;
  }
}

/**
 * Masks a BCD card number up to its padding F or separator D, and everything behind the separator. Digits that the
 * terminal masked stay masked. Gives it with `*` for each masked digit, or null when it is too short or long for one.
 */
function maskCardNumberDigits(value: Uint8Array): string | null {
  const nibbles = hex(value);
  const [number = ''] = /^[^df]*/.exec(nibbles) ?? [];
  const shown = maskedDigits(number);
  writeNibbles(value, shown + nibbles.slice(number.length).replace(/[^df]/g, maskedNibble));
  if (!/^[\de]*$/.test(shown) || shown.length < keptLastDigits * 2 || shown.length > maxCardDigits)
    return null;
  return shown.replaceAll(maskedNibble, '*');
}

function maskedDigits(number: string): string {
  const first = number.length >= minCardDigits ? keptFirstDigits : 0;
  const last = number.length >= keptLastDigits * 2 ? keptLastDigits : 0;
  const hidden = number.length - first - last;
  return number.slice(0, first) + maskedNibble.repeat(hidden) + number.slice(number.length - last);
}

function writeNibbles(value: Uint8Array, nibbles: string): void {
  for (let index = 0; index < value.length; index += 1) {
    value[index] = Number.parseInt(nibbles.slice(index * 2, index * 2 + 2), 16);
  }
}

/** Erases track 1 (`B` number `^` name `^` ...; ISO/IEC 7813). Gives the masked number if it is there. */
function maskTrack1(value: Uint8Array): string | null {
  const [, number] = /^%?[A-Z]?(\d{8,19})\^/.exec(Buffer.from(value).toString('latin1')) ?? [];
  value.fill(star);
  return number === undefined ? null : maskedDigits(number).replaceAll(maskedNibble, '*');
}

/**
 * Masks card numbers in a text: digits of ASCII, which every character set here has, and those of other scripts in UTF-8.
 * A digit of several bytes becomes as many `*`.
 */
export function maskText(value: Uint8Array): void {
  let digits = 0;
  let others = 0;
  for (const byte of value) {
    if (byte >= 0x80) others += 1;
    else if (byte >= 0x30 && byte <= 0x39) digits += 1;
  }
  // Most texts have fewer digits in them, also if each two of the other bytes were one.
  if (digits + others / 2 < minCardDigits) return;
  maskAscii(value, others > 0);
  // The bytes of a tag or a length may stand between those of characters.
  if (others > 0) maskCharacters(value, latin1(value).match(utf8Characters) ?? []);
}

const utf8Characters = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|[^]/g;

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

function maskAscii(value: Uint8Array, hasOthers: boolean): void {
  const bytes = hasOthers ? value.map((byte) => (byte < 0x80 ? byte : otherByte)) : value;
  const text = latin1(bytes);
  const masked = maskCardNumbers(text);
  if (masked === text) return;
  for (let at = 0; at < value.length; at += 1) {
    if (masked.charCodeAt(at) !== text.charCodeAt(at)) value[at] = star;
  }
}

/** What a byte of another character is, which differs between the sets: something between digits. */
const otherByte = 0x3f;

/** `characters` are the bytes of `value`, in latin1, those of one character together. */
function maskCharacters(value: Uint8Array, characters: readonly string[]): void {
  const texts = characters.map((bytes) =>
    bytes.length === 1 ? asciiOnly(bytes) : Buffer.from(bytes, 'latin1').toString(),
  );
  const text = texts.join('');
  const masked = maskCardNumbers(text);
  if (masked === text) return;
  let unit = 0;
  let byte = 0;
  for (const [at, { length }] of characters.entries()) {
    const shown = texts[at] ?? '';
    if (masked.slice(unit, unit + shown.length) !== shown) value.fill(star, byte, byte + length);
    unit += shown.length;
    byte += length;
  }
}

function asciiOnly(byte: string): string {
  return byte < '\x80' ? byte : String.fromCharCode(otherByte);
}

/** Masks what could be a card number in bytes of unknown meaning: as text, and as BCD wherever it begins. */
export function maskUnknown(value: Uint8Array): void {
  if (value.length * 2 < minCardDigits) return;
  maskText(value);
  const nibbles = hex(value);
  const masked = nibbles.replace(/\d{13,}/g, maskDigitRun);
  if (masked !== nibbles) writeNibbles(value, masked);
}

/** Masks every part of 13 to 19 digits that passes the Luhn check and does not begin with 0. */
function maskDigitRun(run: string): string {
  const digits = run.split('');
  const passesLuhn = luhnOf(Array.from(run, Number));
  for (let first = 0; first + minCardDigits <= run.length; first += 1) {
    if (run[first] === '0') continue;
    const longest = Math.min(maxCardDigits, run.length - first);
    for (let length = minCardDigits; length <= longest; length += 1) {
      if (!passesLuhn(first, length)) continue;
      digits.fill(maskedNibble, first + keptFirstDigits, first + length - keptLastDigits);
    }
  }
  return digits.join('');
}
