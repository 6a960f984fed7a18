/**
 * Card numbers in text. The log, the wire trace and everything else that ends up on disk or on a screen goes through
 * `maskCardNumbers`. It errs on the safe side: a number that is masked by mistake costs little, a leaked one much.
 * Bytes and hex are masked by the protocol that knows what they mean.
 */

/** Lengths of a primary account number, in digits (ISO/IEC 7812-1). */
const minCardDigits = 13;
const maxCardDigits = 19;
/** What may stay readable of a card number, in digits (PCI DSS 3.4.1). */
const keptFirstDigits = 6;
const keptLastDigits = 4;

/** At least 13 digits with at most one separator (blank, tab, no-break space, dot, underscore, dash) between two. */
const digitRunPattern = /\d(?:[ \t\u00a0._-]?\d){12,}/g;

/**
 * Never part of a card number, however the digits add up: a real UUID (version and variant in place; one without any
 * letter is taken for digits) and an ISO 8601 time.
 */
const sparedPattern =
  /(?<![0-9A-Za-z])(?:[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|(?:19|20)\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d(?::[0-6]\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?)(?![0-9A-Za-z])/gi;

/** What follows a masked number on a magnetic stripe (ISO/IEC 7813): track 2 `=YYMM…`, track 1 `^NAME^YYMM…`. */
const trackTailPattern = /(\*(?:[ \t\u00a0._-]?\d){4})(?:([=Dd])([\d*]+)|(\^[^^?]{0,40}\^)([^?"\s]{1,60}))/g;

/**
 * `text` with every card number in it reduced to its first six and last four digits, the rest `*`. A card number is:
 * a run of 13 to 19 digits that passes the Luhn check; a part of such a run that does and has an issuer; any part of a
 * longer run that does. Single separators between the digits hide nothing, and in track data the expiry and the
 * discretionary data are masked as a whole. The length of the text stays the same; masking it again changes nothing.
 */
export function maskCardNumbers(text: string): string {
  if (!hasDigits(text, minCardDigits)) return text;
  let masked = '';
  let from = 0;
  for (const spared of text.matchAll(sparedPattern)) {
    if (!/[a-z]/i.test(spared[0])) continue;
    masked += maskStretch(text.slice(from, spared.index)) + spared[0];
    from = spared.index + spared[0].length;
  }
  return masked + maskStretch(text.slice(from));
}

/** Whether there are so many digits in it at all: most texts have not, and need no closer look. */
function hasDigits(text: string, count: number): boolean {
  let found = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x30 || code > 0x39) continue;
    found += 1;
    if (found >= count) return true;
  }
  return false;
}

function maskStretch(text: string): string {
  const masked = text.replace(digitRunPattern, maskRun);
  if (masked === text) return text;
  return masked.replace(
    trackTailPattern,
    (_whole, card: string, mark = '', tail2 = '', name = '', tail1 = '') =>
      card + mark + '*'.repeat(tail2.length) + name + tail1.replace(/\d/g, '*'),
  );
}

/** Masks the middle of every part that is a card number; parts overlap, and each one counts. */
function maskRun(run: string): string {
  const characters = run.split('');
  const places = characters.flatMap((character, place) => (isDigit(character) ? [place] : []));
  const digits = places.map((place) => Number(characters[place]));
  const anyPart = digits.length > maxCardDigits;
  for (let first = 0; first + minCardDigits <= digits.length; first += 1) {
    for (
      let length = minCardDigits;
      length <= maxCardDigits && first + length <= digits.length;
      length += 1
    ) {
      if (!passesLuhn(digits, first, length)) continue;
      if (!anyPart && length < digits.length && !hasIssuer(digits.slice(first, first + length).join('')))
        continue;
      for (let index = first + keptFirstDigits; index < first + length - keptLastDigits; index += 1) {
        const place = places[index];
        if (place !== undefined) characters[place] = '*';
      }
    }
  }
  return characters.join('');
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

/** The check digit of ISO/IEC 7812-1, annex B, over `length` digits from `first`. A row of zeros does not count. */
function passesLuhn(digits: readonly number[], first: number, length: number): boolean {
  let sum = 0;
  for (let back = 0; back < length; back += 1) {
    const digit = digits[first + length - 1 - back] ?? 0;
    const weighted = back % 2 === 0 ? digit : digit * 2;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum > 0 && sum % 10 === 0;
}

/** Issuer ranges (ISO/IEC 7812 prefixes as the schemes publish them) with the lengths that are issued. */
const issuerRanges: readonly { from: string; to: string; minDigits: number; maxDigits: number }[] = [
  { from: '4', to: '4', minDigits: 13, maxDigits: 19 }, // Visa: 13, 16, 19; see below
  { from: '51', to: '55', minDigits: 16, maxDigits: 16 }, // Mastercard
  { from: '2221', to: '2720', minDigits: 16, maxDigits: 16 },
  { from: '34', to: '34', minDigits: 15, maxDigits: 15 }, // American Express
  { from: '37', to: '37', minDigits: 15, maxDigits: 15 },
  { from: '6011', to: '6011', minDigits: 16, maxDigits: 19 }, // Discover
  { from: '644', to: '649', minDigits: 16, maxDigits: 19 },
  { from: '65', to: '65', minDigits: 16, maxDigits: 19 },
  { from: '3528', to: '3589', minDigits: 16, maxDigits: 19 }, // JCB
  { from: '30', to: '30', minDigits: 14, maxDigits: 19 }, // Diners Club
  { from: '36', to: '36', minDigits: 14, maxDigits: 19 },
  { from: '38', to: '39', minDigits: 14, maxDigits: 19 },
  { from: '62', to: '62', minDigits: 16, maxDigits: 19 }, // UnionPay
  { from: '81', to: '81', minDigits: 16, maxDigits: 19 },
  { from: '50', to: '50', minDigits: 13, maxDigits: 19 }, // Maestro and girocard
  { from: '56', to: '69', minDigits: 13, maxDigits: 19 },
];

const visaLengths = [13, 16, 19];

/**
 * Whether `text` as a whole is a plausible card number: 13 to 19 digits with a good check digit, of a known issuer and
 * a length that this issuer uses; `-`, `.`, `_` and blanks between the digits do not hide it. Used to refuse payment
 * references that are card numbers, so it is stricter than the mask.
 */
export function looksLikeCardNumber(text: string): boolean {
  const number = text.replace(/[-._ ]/g, '');
  if (!/^\d{13,19}$/.test(number)) return false;
  return passesLuhn(Array.from(number, Number), 0, number.length) && hasIssuer(number);
}

/** Whether `text` is, or has in it as a run of digits of its own, a plausible card number ("INV4111111111111111"). */
export function holdsCardNumber(text: string): boolean {
  return looksLikeCardNumber(text) || (text.match(/\d+(?:[-._ ]\d+)*/g) ?? []).some(runHoldsCardNumber);
}

function runHoldsCardNumber(run: string): boolean {
  return looksLikeCardNumber(run) || (run.match(/\d+/g) ?? []).some(looksLikeCardNumber);
}

/** `number` has a prefix that a scheme uses, and a length that it issues with it. */
function hasIssuer(number: string): boolean {
  return issuerRanges.some(({ from, to, minDigits, maxDigits }) => {
    const prefix = number.slice(0, from.length);
    if (prefix < from || prefix > to) return false;
    if (from === '4') return visaLengths.includes(number.length);
    return number.length >= minDigits && number.length <= maxDigits;
  });
}
