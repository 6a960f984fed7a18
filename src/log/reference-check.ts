/** Whether a short text that has to be stored as it is, such as a payment's reference, is a card number in disguise. */
import { cardNumbersIn, forEachRun, isExpiry, type CardNumber, type DigitRun } from './card-numbers.ts';
import { maskCardNumbers, sparedIn } from './mask.ts';

/** Card number, expiry date and three more of a stripe or four of a code are 23 digits at most. */
const maxGluedDigits = 23;
/** An expiry date, alone or with a code of three or four digits. */
const tailLengths = [4, 7, 8];
const maxTailDigits = 8;

const year = '20[2-4]\\d';
/** Years of two digits up to those that begin as an American Express does. */
const shortYear = '(?:2[5-9]|3[0-3])';
const month = '(?:0[1-9]|1[0-2])';
const day = '(?:0[1-9]|[12]\\d|3[01])';
const hour = '(?:[01]\\d|2[0-3])';
const sixty = '[0-5]\\d';

/**
 * What tills number their sales with, however the digits add up: UUIDs, ULIDs, ObjectIds and hashes, days and times in the orders in
 * which they are written, and the ticks of .NET (18 digits).
 */
const ordinary = new RegExp(
  [
    '(?<![0-9a-f])[0-9a-f]{8}(?<s0>[-_.])[0-9a-f]{4}\\k<s0>[1-8][0-9a-f]{3}\\k<s0>[89ab][0-9a-f]{3}\\k<s0>[0-9a-f]{12}(?![0-9a-f])',
    // SHA-1, a UUID without dashes, and the ObjectId of a document database, which begins with a time since 2012.
    '(?<![0-9a-f])(?:[0-9a-f]{40}|[0-9a-f]{32}|(?:4f|[5-7][0-9a-f]|8[0-3])[0-9a-f]{22})(?![0-9a-f])',
    '(?<![0-9A-Za-z])01[0-9A-HJKMNP-TV-Z]{24}(?![0-9A-Za-z])',
    `${year}${month}${day}${hour}${sixty}${sixty}`,
    `(?<!\\d)${year}(?<s1>[-._]?)${month}\\k<s1>${day}`,
    `(?<!\\d)${day}(?<s2>[-._]?)${month}\\k<s2>${year}`,
    `(?<!\\d)${shortYear}(?<s3>[-._]?)${month}\\k<s3>${day}[-._T]?${hour}[-._]?${sixty}`,
    `(?<!\\d)6(?:3[7-9]|4[0-4])\\d{15}(?!\\d)`,
  ].join('|'),
  'gi',
);

/** Visa, Mastercard and American Express, whose numbers have one length nearly always. */
const oneLength = /^(?:(?:4|5[1-5]|2[2-7])\d{14,15}|3[47]\d{13})$/;

/**
 * True where `text` has in it a number of 13 to 19 digits with the prefix and the length of an issuer and a good check
 * digit, up to three characters of any kind between two of them, that
 * - begins where digits begin, behind zeros, or behind an expiry date, and
 * - ends where digits end, or is followed by an expiry date and the code that stands beside it on a card; or, of an
 *   issuer whose numbers have one length, by any digits, up to 23 in all.
 *
 * Days, times, UUIDs, ULIDs, ObjectIds and hashes are spared.
 */
export function holdsCardNumber(text: string): boolean {
  const isOrdinary = sparedIn(text, ordinary);
  let found = false;
  forEachRun(text, (run) => {
    found ||= cardNumbersIn(run).some(
      (number) => number.issued && standsLikeOne(run, number) && !isOrdinary(run, number),
    );
  });
  return found;
}

function standsLikeOne({ digits, gaps }: DigitRun, { first, length, beginsGroup }: CardNumber): boolean {
  if (!beginsGroup) return false;
  let end = first + length;
  while (end < digits.length && end - first - length <= maxTailDigits && gaps[end] === 0) end += 1;
  const tail = digits.slice(first + length, end);
  if (tail.length === 0 || (tailLengths.includes(tail.length) && isExpiry(tail))) return true;
  const number = digits.slice(first, first + length).join('');
  return oneLength.test(number) && end - first <= maxGluedDigits;
}

/** A reference that somebody asks for, in an answer to him: it may be of no payment, and so never have been checked. */
export function shownReference(reference: string): string {
  return holdsCardNumber(reference) ? maskCardNumbers(reference) : reference;
}
