/**
 * Card numbers in text. The log, the wire trace and everything else that ends up on disk or on a screen goes through
 * `maskCardNumbers`. It errs on the safe side: a number that is masked by mistake costs little, a leaked one much.
 * Bytes and hex are masked by the protocol that knows what they mean.
 */
import { minCardDigits } from './card-issuers.ts';
import { cardNumbersIn, forEachRun, type CardNumber, type DigitRun } from './card-numbers.ts';

/** What may stay readable of a card number, in digits (PCI DSS 3.4.1). */
const keptFirstDigits = 6;
const keptLastDigits = 4;
/** No text has been seen that needs more than three. */
const maxPasses = 8;

/**
 * Never part of a card number, however the digits add up: a real UUID (version and variant in place), and a hash (32, 40
 * or 64 hex digits). One without any letter is taken for digits.
 */
const sparedPattern =
  /(?<![0-9A-Za-z])(?:[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32})(?![0-9A-Za-z])/gi;

/** A UUID or a hash with less than this is none, and must have a letter: digits alone may be anything. */
const minHexCharacters = 24;

/** What follows a masked number on a magnetic stripe (ISO/IEC 7813): track 2 `=YYMM…`, track 1 `^NAME^YYMM…`. */
const trackTailPattern = /(\*(?:[ \t\u00a0._-]?\d){4})(?:([=Dd])([\d*]+)|(\^[^^?]{0,40}\^)([^?"\s]{1,60}))/g;

/**
 * `text` with every card number in it reduced to its first six and last four digits, the rest `*`. A card number is
 * what has 13 to 19 digits, a good check digit, and
 * - the prefix and the length of an issuer: anywhere among digits that are written close to each other, or from the
 *   beginning of a group of digits, with up to three characters of any kind between two;
 * - or stands alone, whatever its prefix.
 *
 * In track data the expiry and the discretionary data are masked as a whole. The length of the text stays the same;
 * masking it again changes nothing.
 */
export function maskCardNumbers(text: string): string {
  if (!mayHoldNumber(text)) return text;
  let masked = text;
  // What is left between stars may look like a number of its own.
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const again = maskOnce(masked);
    if (again === masked) break;
    masked = again;
  }
  return masked;
}

function maskOnce(text: string): string {
  const isSpared = sparedIn(text, sparedPattern);
  /** Where a digit becomes stars, in UTF-16 units. */
  const hidden: [from: number, to: number][] = [];
  forEachRun(text, (run) => {
    for (const number of cardNumbersIn(run)) {
      if (!isHit(number) || isSpared(run, number)) continue;
      const last = number.first + number.length - keptLastDigits;
      for (let digit = number.first + keptFirstDigits; digit < last; digit += 1)
        hidden.push([run.from[digit] ?? 0, run.to[digit] ?? 0]);
    }
  });
  if (hidden.length === 0) return text;
  const units = text.split('');
  for (const [from, to] of hidden) {
    if (units[from] === '\\') units.splice(from, to - from, ...Array.from('\\u002a'));
    else units.fill('*', from, to);
  }
  return units
    .join('')
    .replace(
      trackTailPattern,
      (_whole, card: string, mark = '', tail2 = '', name = '', tail1 = '') =>
        card + mark + '*'.repeat(tail2.length) + name + tail1.replace(/\d/g, '*'),
    );
}

function isHit({ issued, close, beginsGroup, alone }: CardNumber): boolean {
  return issued ? close || beginsGroup : alone;
}

/** Whether there are so many digits in it at all: most texts have not, and need no closer look. */
function mayHoldNumber(text: string): boolean {
  let found = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if ((code < 0x30 || code > 0x39) && code < 0x80) continue;
    found += 1;
    if (found >= minCardDigits) return true;
  }
  return false;
}

/** Tells whether a digit of a number is in a part of `text` that `pattern` spares. Looks for them when first asked. */
export function sparedIn(text: string, pattern: RegExp): (run: DigitRun, number: CardNumber) => boolean {
  let spared: Uint8Array | null = null;
  return ({ from }, { first, length }) => {
    if (spared === null) {
      spared = new Uint8Array(text.length);
      for (const { 0: part, index } of text.matchAll(pattern))
        if (part.length < minHexCharacters || /[a-z]/i.test(part)) spared.fill(1, index, index + part.length);
    }
    for (let digit = first; digit < first + length; digit += 1)
      if (spared[from[digit] ?? 0] === 1) return true;
    return false;
  };
}
