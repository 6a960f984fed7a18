/**
 * The bytes of a message for the wire trace, with a colon between two: `06:01:0a:04:00:00`. Their digits often look like
 * more than they are, so the mask of the log leaves a field `hex` of this form alone. What is not to be seen is masked
 * here, byte by byte, as `**`:
 *
 * - what `decodeMessage` has masked: card data in the fields that carry it, card numbers in texts and unknown fields;
 * - bytes in a text that are no words, but a card number in BCD;
 * - the terminal's password, and the expiry date of a card.
 */
import { isCardNumber, luhnOf } from '../../../../log/index.ts';
import {
  hidePlace,
  maskedBytes,
  maxTracedBytes,
  tracedBytes,
  type MaskedBytes,
} from '../../framing/index.ts';
import { hex } from './bytes.ts';
import type { ZvtMessage } from './apdu-messages.ts';
import type { TlvObject } from './tlv.ts';

/** Two of them, as terminals mask themselves. */
const maskedDigits = 0xee;
const passwordBytes = 3;
/** BMPs that are hidden as a whole: expiry date, password. */
const hiddenBitmaps = new Set(['0e', '3d']);
/** Counts and amounts, see `single-totals.ts`. */
const singleTotalsBytes = 53;
const minCardDigits = 13;
const maxCardDigits = 19;
const keptFirstDigits = 6;
const keptLastDigits = 4;

/** `apdu` is what `message` was read from. At most `maxTracedBytes`. */
export function tracedHex(apdu: Uint8Array, message: ZvtMessage): string {
  return tracedBytes(maskedApdu(apdu, message, maxTracedBytes));
}

/** `apdu` is what `message` was read from. Behind the first `wanted` bytes card numbers in BCD are not looked for in texts. */
export function maskedApdu(apdu: Uint8Array, message: ZvtMessage, wanted = apdu.length): MaskedBytes {
  const masked = maskedBytes(apdu, message.maskedApdu);
  const hide = (from: number, to: number) => hidePlace(masked, { from, to }, maskedDigits);
  const placeOf = (value: Uint8Array) => value.byteOffset - message.maskedApdu.byteOffset;
  const hideBcd = (value: Uint8Array) => {
    const place = placeOf(value);
    if (place >= wanted) return;
    for (const [from, to] of cardNumbersInBcd(value.subarray(0, wanted - place)))
      hide(place + from, place + to);
  };
  const hideBcdInObjects = (objects: readonly TlvObject[]) => {
    for (const { value, children } of objects) {
      if (children === undefined) hideBcd(value);
      else hideBcdInObjects(children);
    }
  };

  const dataAt = message.extendedLength ? 5 : 3;
  if ('password' in message.positional) hide(dataAt, dataAt + passwordBytes);
  // Commands with a text at a fixed place; the other fixed parts are too short for a card number.
  if ('text' in message.positional || 'swVersion' in message.positional)
    hideBcd(message.maskedApdu.subarray(dataAt));
  for (const { tag, value } of message.bitmaps) {
    if (hiddenBitmaps.has(tag)) hide(placeOf(value), placeOf(value) + value.length);
    else if (mayHoldBcd(tag, value)) hideBcd(value);
  }
  hideBcdInObjects(message.tlv);
  return masked;
}

/** TLV containers are looked at object by object. An approval code that is filled up with NULs is a text all the same. */
function mayHoldBcd(tag: string, value: Uint8Array): boolean {
  if (tag === '3b') return !isPlainText(value.subarray(0, value.findLastIndex((byte) => byte !== 0) + 1));
  return tag !== '06' && !(tag === '60' && value.length === singleTotalsBytes);
}

/** Where card numbers begin and end in the bytes of `value`, without the digits that may be seen. */
function cardNumbersInBcd(value: Uint8Array): [from: number, to: number][] {
  const found: [number, number][] = [];
  if (value.length * 2 < minCardDigits) return found;
  const nibbles = hex(value);
  for (const { 0: run, index: runAt } of nibbles.matchAll(/\d{13,}/g)) {
    const passesLuhn = luhnOf(Array.from(run, Number));
    for (let first = 0; first + minCardDigits <= run.length; first += 1) {
      const at = runAt + first;
      // On the border of a byte, or behind the zero that fills up an odd number of digits.
      if (at % 2 === 1 && nibbles[at - 1] !== '0') continue;
      // Most are, and what is holds of each part of it.
      if (isPlainText(value.subarray(at >> 1, (at + maxCardDigits + 1) >> 1))) continue;
      for (let length = minCardDigits; length <= maxCardDigits; length += 1) {
        const end = at + length;
        if (first + length > run.length) break;
        const filled = nibbles[end] === 'f' || nibbles[end] === 'd';
        if (end % 2 === 1 && !filled) continue;
        if (!passesLuhn(first, length) || !isCardNumber(nibbles.slice(at, end))) continue;
        if (isPlainText(value.subarray(at >> 1, (end + 1) >> 1))) continue;
        // Behind a D comes the rest of a track.
        const [track = ''] = nibbles[end] === 'd' ? (/^d\d*/.exec(nibbles.slice(end)) ?? []) : [];
        found.push([(at + keptFirstDigits) >> 1, (end - keptLastDigits + 1) >> 1]);
        if (track !== '') found.push([(end + 1) >> 1, (end + track.length + 1) >> 1]);
      }
    }
  }
  return found;
}

/** Bytes that are read as a text and as nothing else: figures with blanks and signs, or words. */
function isPlainText(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes).toString('latin1');
  return /^[ -9]*$/.test(text) || (/^[A-Za-z ]*$/.test(text) && !/([A-Za-z])\1{3}/.test(text));
}
