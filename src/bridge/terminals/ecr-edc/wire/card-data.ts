/**
 * Card data in the fields of a message. Everything here changes the bytes that it is given, in place and without
 * changing their number, so that nothing that is made of them later holds a card number. By field and not by pattern:
 * the digits of header and lengths pass for a card number, and some terminals send the number unmasked.
 */
import { maskCardNumbers } from '../../../../log/index.ts';
import { hex, latin1 } from '../../framing/index.ts';
import { kindOfField, type Treatment } from './fields.ts';

const star = 0x2a;
const keptLastDigits = 4;

/** Masks the value of one field of type `type`. */
export function maskField(type: string, value: Uint8Array): void {
  const { treatment, maxLength } = kindOfField(type);
  treat(treatment === 'plain' && value.length > (maxLength ?? 0) ? 'unknown' : treatment, value);
}

function treat(treatment: Treatment, value: Uint8Array): void {
  switch (treatment) {
    case 'card_number':
      return keepLastFour(value);
    case 'erase':
      return void value.fill(star);
    case 'text':
      return maskText(value);
    case 'unknown':
      if (isText(value)) maskText(value);
      else maskBinary(value);
      return;
    case 'plain':
  }
}

/** Also of a number with the rest of a track behind it, and of one filled up with blanks or NULs. */
function keepLastFour(value: Uint8Array): void {
  const [number = ''] = /^[\dXx*#. -]*/.exec(latin1(value)) ?? [];
  const end = number.trimEnd().length;
  const kept = /\d{4}$/.test(number.slice(0, end)) ? keptLastDigits : 0;
  value.fill(star, 0, end - kept);
  value.fill(star, end);
}

function maskText(value: Uint8Array): void {
  const text = latin1(value);
  const masked = maskCardNumbers(text);
  if (masked === text) return;
  if (masked.length === text.length) value.set(Buffer.from(masked, 'latin1'));
  else value.fill(star);
}

/** Bytes that are no text, with a card number in BCD or in digits among them: nothing of them stays. */
function maskBinary(value: Uint8Array): void {
  maskText(value);
  const digits = hex(value);
  if (maskCardNumbers(digits) !== digits) value.fill(star);
}

/** Printable, but for the NULs that some terminals fill texts up with. */
function isText(value: Uint8Array): boolean {
  return value.every((byte) => byte === 0 || (byte >= 0x20 && byte <= 0x7e));
}
