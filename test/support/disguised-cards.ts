/** Card numbers as they may slip into a text: kinds of disguise × numbers, from one seed. And who finds them again. */
import { createRandom, type Random } from './random.ts';

/** Test numbers that the schemes publish. */
export const publishedCards = [
  '4111111111111111',
  '4012888888881881',
  '4222222222222',
  '5555555555554444',
  '2223003122003222',
  '378282246310005',
  '6011111111111117',
  '3530111333300000',
  '30569309025904',
  '6759649826438453',
];

/** First digits of issuers, and how many digits their numbers have. */
const issuers: [start: string, length: number][] = [
  ['4', 16],
  ['51', 16],
  ['54', 16],
  ['2221', 16],
  ['34', 15],
  ['37', 15],
  ['6011', 16],
  ['3530', 16],
  ['36', 14],
  ['67', 18],
];

type Kind = (number: string, random: Random) => string;

const spread =
  (between: string, group: number): Kind =>
  (number) =>
    (number.match(new RegExp(`.{1,${group}}`, 'g')) ?? []).join(between);

/** One to three of `signs` at three places. */
const scattered =
  (signs: string): Kind =>
  (number, random) => {
    const digits = number.split('');
    for (const at of [2, 6, 11])
      digits[at] += Array.from(
        { length: random.integer(1, 3) },
        () => signs[random.integer(0, signs.length - 1)],
      ).join('');
    return digits.join('');
  };

const inScript =
  (zero: number): Kind =>
  (number) =>
    number.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));

const disguises: Record<string, Kind> = {
  'as it is': (number) => number,
  'behind letters': (number) => `INV${number}`,
  'between letters': (number) => `a-${number}-b`,
  'glued to an expiry date': (number) => `${number}1227`,
  'glued to a date the other way': (number) => `${number}2712`,
  'glued to a date and a code': (number) => `${number}1227123`,
  'behind an expiry date': (number) => `1227${number}`,
  'behind zeros': (number) => `000${number}`,
  'letters in groups': spread('x', 4),
  'three letters in groups': spread('abc', 4),
  'letters anywhere': scattered('abcdefghxyzABCXYZ'),
  'doubled dashes': spread('--', 4),
  'three dots': spread('...', 4),
  'a dash after each digit': spread('-', 1),
  'signs anywhere': scattered('._-'),
  'other signs anywhere': scattered(' :;/,#+|'),
  'colons in pairs': spread(':', 2),
  'blanks in groups': spread(' ', 4),
  'no-break spaces': spread('\u00a0', 4),
  'line ends': spread('\r\n', 4),
  'zero width': spread('\u200b', 3),
  'many of zero width': spread('\u200b\ufeff\u2060\u00ad\u200d', 4),
  'full-width digits': inScript(0xff10),
  'Arabic digits': inScript(0x0660),
  'digits of mathematics, with dashes': (number, random) =>
    inScript(0x1d7ce)(spread('-', 4)(number, random), random),
};

export interface Disguised {
  kind: string;
  number: string;
  text: string;
}

/** 500 of them: each of 25 kinds with 20 numbers, ten published ones and ten that only have to be right. */
export function disguisedCards(seed = 1): Disguised[] {
  const random = createRandom(seed);
  const numbers = [...publishedCards, ...issuers.map((issuer) => madeNumber(issuer, random))];
  return Object.entries(disguises).flatMap(([kind, disguise]) =>
    numbers.map((number) => ({ kind, number, text: disguise(number, random) })),
  );
}

function madeNumber([start, length]: [string, number], random: Random): string {
  const body = start + Array.from({ length: length - start.length - 1 }, () => random.integer(0, 9)).join('');
  const sum = body
    .split('')
    .toReversed()
    .reduce((total, digit, place) => {
      const weighted = place % 2 === 0 ? Number(digit) * 2 : Number(digit);
      return total + (weighted > 9 ? weighted - 9 : weighted);
    }, 0);
  return body + String((10 - (sum % 10)) % 10);
}

/**
 * Which of `numbers` stand in these bytes, in a way of its own: escapes are read, other digits made plain, what is not
 * seen is left out, and up to three characters between two digits are passed over; bytes in hex are read as text, too.
 */
export function findNumbers(bytes: Buffer | string, numbers: Iterable<string>): string[] {
  const text = typeof bytes === 'string' ? bytes : bytes.toString('utf8');
  const traced = (text.match(/(?:[0-9a-f*]{2}[: ]){8,}/g) ?? []).map((hex) =>
    Buffer.from(hex.replaceAll('**', '2a').replaceAll(/[: ]/g, ''), 'hex').toString('utf8'),
  );
  const views = [text, ...traced].map(plainly);
  const bcd = typeof bytes === 'string' ? '' : bytes.toString('hex');
  return [...new Set(numbers)].filter((number) => {
    const pattern = new RegExp(number.split('').join('[^0-9]{0,3}'));
    return views.some((view) => pattern.test(view)) || bcd.includes(number);
  });
}

function plainly(text: string): string {
  return text
    .replace(/\\u([0-9a-f]{4})/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\[nrt]/g, ' ')
    .normalize('NFKC')
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x0660))
    .replace(/[\u00ad\u200b-\u200f\u2060-\u2064\ufeff\p{M}]/gu, '');
}
