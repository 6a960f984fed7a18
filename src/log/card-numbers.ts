/**
 * The one detector of card numbers in text. It reads as a person does who looks for one: digits of every script are
 * digits, what is drawn as nothing does not count, and up to three characters of any kind between two digits do not end
 * a number.
 *
 *     card ４111--1111 x1111-1111/1227, receipt 42
 *          ╰────── a run of 20 digits ──────╯  (", receipt " is too long)
 *          ╰─ 16 of them a card number ─╯
 *
 * Its time is linear to the length of the text.
 */
import { hasIssuer, luhnOf, maxCardDigits, minCardDigits } from './card-issuers.ts';

/** What a character is here: a digit (0 to 9), nothing that is seen, or something between digits. */
type CharacterKind = number;
/** Zero width, or a mark over or around the character before. */
const ignorable = 10;
const separator = 11;

const unknown = -1;
/** What is known of each character of one unit; filled as they come. */
const known = new Int8Array(0x1_0000).fill(unknown);

/** Characters of any kind between two digits of one number. */
const maxGap = 3;
/** So many stars are a number that is masked already; what follows them is no part of it. */
const maskStars = 3;

/** ISO 8601: never part of a card number, and in every line of the log. */
const isoTime =
  /(?:19|20)\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d(?::[0-6]\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?(?![0-9A-Za-z])/y;

/** Digits of a text that may belong together, in its order. */
export interface DigitRun {
  digits: number[];
  /** Where each stands in the text, in UTF-16 units: `text.slice(from, to)`. Some have two units; `\u0034` has six. */
  from: number[];
  to: number[];
  /** How many characters stand between the digit before and this one; 0 for the first. */
  gaps: number[];
  /** Between the digit before and this one is nothing or one blank, dot, dash or underscore, as people write numbers. */
  close: boolean[];
}

/** Calls with each run of at least 13 digits, in the order of the text; times are no part of any. */
export function forEachRun(text: string, act: (run: DigitRun) => void): void {
  let digits = 0;
  let gap = 0;
  let stars = 0;
  let start = 0;
  for (let at = 0; at < text.length;) {
    const here = at;
    let code = text.charCodeAt(at);
    at += 1;
    // ASCII that is no digit and no escape: nearly everything.
    if (code < 0x80 && code !== 0x5c && (code < 0x30 || code > 0x39)) {
      if (digits === 0) continue;
      gap += 1;
      stars = code === 0x2a ? stars + 1 : 0;
    } else {
      let kind = code - 0x30;
      if (code === 0x5c || code >= 0x80) {
        ({ code, at } = readCharacter(text, here));
        kind = kindOfCode(code);
      }
      if (kind === ignorable) continue;
      if (kind !== separator) {
        if (digits === 0 || gap > 0) {
          const end = endOfTime(text, here);
          if (end > 0) {
            if (digits >= minCardDigits) act(readRun(text, start, here));
            digits = 0;
            at = end;
            continue;
          }
        }
        if (digits === 0) start = here;
        digits += 1;
        gap = 0;
        stars = 0;
        continue;
      }
      if (digits === 0) continue;
      gap += 1;
      stars = 0;
    }
    if (gap <= maxGap && stars < maskStars) continue;
    if (digits >= minCardDigits) act(readRun(text, start, at));
    digits = 0;
  }
  if (digits >= minCardDigits) act(readRun(text, start, text.length));
}

/** Where the time ends that begins at `at`, or 0. */
function endOfTime(text: string, at: number): number {
  if (text.charCodeAt(at + 4) !== 0x2d || text.charCodeAt(at + 10) !== 0x54) return 0;
  if (at > 0 && /[0-9A-Za-z]/.test(text.charAt(at - 1))) return 0;
  isoTime.lastIndex = at;
  return isoTime.test(text) ? isoTime.lastIndex : 0;
}

/** One character at `at`, and where the next begins. An escape of JSON is the character that it stands for. */
function readCharacter(text: string, at: number): { code: number; at: number } {
  const code = text.codePointAt(at) ?? 0;
  if (code !== 0x5c) return { code, at: at + (code > 0xffff ? 2 : 1) };
  const escape = /^u([0-9a-fA-F]{4})/.exec(text.slice(at + 1, at + 6));
  if (escape !== null) return { code: Number.parseInt(escape[1] ?? '', 16), at: at + 6 };
  // `\n` and its like; a backslash before a digit hides nothing.
  return { code, at: at + (/^["\\/bfnrt]/.test(text.slice(at + 1, at + 2)) ? 2 : 1) };
}

function kindOfCode(code: number): number {
  if (code >= 0x80) return kindOf(code);
  return code >= 0x30 && code <= 0x39 ? code - 0x30 : separator;
}

function readRun(text: string, start: number, end: number): DigitRun {
  const run: DigitRun = { digits: [], from: [], to: [], gaps: [], close: [] };
  let gap = 0;
  let asWritten = true;
  for (let at = start; at < end;) {
    const here = at;
    let code = text.charCodeAt(at);
    at += 1;
    if (code === 0x5c || code >= 0x80) ({ code, at } = readCharacter(text, here));
    const kind = kindOfCode(code);
    if (kind === ignorable) continue;
    if (kind === separator) {
      gap += 1;
      asWritten = gap === 1 && isWrittenBetween(code);
      continue;
    }
    run.digits.push(kind);
    run.from.push(here);
    run.to.push(at);
    run.gaps.push(gap);
    run.close.push(asWritten);
    gap = 0;
    asWritten = true;
  }
  return run;
}

/** Blank, tab, no-break space, dot, dash, underscore. */
function isWrittenBetween(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0xa0 || code === 0x2e || code === 0x2d || code === 0x5f;
}

export interface CardNumber {
  /** Its first digit in the run, and how many it has: 13 to 19 with a good check digit. */
  first: number;
  length: number;
  /** It begins as numbers of an issuer do and has a length that this issuer uses. */
  issued: boolean;
  /** It begins where a group of digits begins, or behind the zeros or the expiry date that one begins with. */
  beginsGroup: boolean;
  /** As people write numbers, from its first digit to its last. */
  close: boolean;
  /** So written, it is all there is: no digit stands close before or behind it. */
  alone: boolean;
}

const expiryDigits = 4;

/** Whether the first four of `digits` are month and year, or year and month, from 2020 to 2049. */
export function isExpiry(digits: readonly number[]): boolean {
  return /^(?:(?:0[1-9]|1[0-2])[2-4]\d|[2-4]\d(?:0[1-9]|1[0-2]))/.test(
    digits.slice(0, expiryDigits).join(''),
  );
}

/** Everything in a run that can be a card number; they overlap. */
export function cardNumbersIn({ digits, gaps, close }: DigitRun): CardNumber[] {
  const found: CardNumber[] = [];
  const passesLuhn = luhnOf(digits);
  /** Where the close stretch ends that a digit is in, by its first digit. */
  let stretchFrom = 0;
  let stretchTo = 0;
  let group = 0;
  let zeros = true;
  for (let first = 0; first + minCardDigits <= digits.length; first += 1) {
    if (gaps[first] !== 0) group = first;
    zeros = first === group || (zeros && digits[first - 1] === 0);
    const beginsGroup = zeros || (first - group === expiryDigits && isExpiry(digits.slice(group, first)));
    if (first >= stretchTo) {
      stretchFrom = first;
      stretchTo = first + 1;
      while (stretchTo < digits.length && close[stretchTo] === true) stretchTo += 1;
    }
    const longest = Math.min(maxCardDigits, digits.length - first);
    for (let length = minCardDigits; length <= longest; length += 1) {
      if (!passesLuhn(first, length)) continue;
      found.push({
        first,
        length,
        issued: hasIssuer(digits, first, length),
        beginsGroup,
        close: first + length <= stretchTo,
        alone: first === stretchFrom && first + length === stretchTo,
      });
    }
  }
  return found;
}

/** The kind of a character that is not ASCII. */
function kindOf(codePoint: number): CharacterKind {
  if (codePoint >= known.length) return lookUp(codePoint);
  const kind = known[codePoint] ?? unknown;
  if (kind !== unknown) return kind;
  const found = lookUp(codePoint);
  known[codePoint] = found;
  return found;
}

function lookUp(codePoint: number): CharacterKind {
  const character = String.fromCodePoint(codePoint);
  if (/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(character)) return ignorable;
  if (/\p{Nd}/u.test(character)) return decimalOf(codePoint);
  // ４ ④ ⁴ ₄ ⒋ ⑷ 𝟒
  const digits = character.normalize('NFKC').replace(/[^\p{Nd}]/gu, '');
  return /^[0-9]$/.test(digits) ? Number(digits) : separator;
}

/** The decimal digits of a script stand in a row from 0 to 9. */
function decimalOf(codePoint: number): number {
  let first = codePoint;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return (codePoint - first) % 10;
}
