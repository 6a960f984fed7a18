import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCardNumber } from '../../src/log/card-issuers.ts';
import { maskCardNumbers } from '../../src/log/index.ts';
import { publishedCards } from '../support/disguised-cards.ts';

const published = [
  ...publishedCards,
  '371449635398431',
  '38520000023237',
  '6200000000000005',
  '4000000000000000006',
];

/** Digits with a good check digit, 13 to 19 in all. */
const cardNumber = fc
  .array(fc.integer({ min: 0, max: 9 }), { minLength: 12, maxLength: 18 })
  .filter((digits) => digits.some((digit) => digit > 0))
  .map((digits) => digits.join('') + checkDigit(digits));

function checkDigit(digits: readonly number[]): string {
  const sum = digits.toReversed().reduce((total, digit, index) => {
    const weighted = index % 2 === 0 ? digit * 2 : digit;
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}

function expectedMask(number: string): string {
  return number.slice(0, 6) + '*'.repeat(number.length - 10) + number.slice(-4);
}

/** `number` with `separator` between groups whose lengths are `groups`; the last group takes the rest. */
function grouped(number: string, groups: readonly number[], separator: string): string {
  const parts: string[] = [];
  let from = 0;
  for (const group of groups) {
    if (from >= number.length) break;
    parts.push(number.slice(from, from + group));
    from += group;
  }
  parts.push(number.slice(from));
  return parts.filter((part) => part !== '').join(separator);
}

describe('maskCardNumbers', () => {
  it.each(published)('keeps the first six and last four digits of %s', (number) => {
    expect(maskCardNumbers(number).slice(0, 6)).toBe(number.slice(0, 6));
    expect(maskCardNumbers(number).slice(-4)).toBe(number.slice(-4));
    expect(maskCardNumbers(number).slice(6, -4)).toBe('*'.repeat(number.length - 10));
  });

  it.each([
    ['a sentence', 'card 4111111111111111 was read', 'card 411111******1111 was read'],
    ['JSON text', '{"pan":"4111111111111111"}', '{"pan":"411111******1111"}'],
    ['a JSON number', '{"pan":4111111111111111,"a":1}', '{"pan":411111******1111,"a":1}'],
    ['letters around it', 'X4111111111111111Y', 'X411111******1111Y'],
    ['blanks', '4111 1111 1111 1111', '4111 11** **** 1111'],
    ['dashes', '4111-1111-1111-1111', '4111-11**-****-1111'],
    ['dots', '4111.1111.1111.1111', '4111.11**.****.1111'],
    ['underscores', '4111_1111_1111_1111', '4111_11**_****_1111'],
    ['American Express groups', '3782 822463 10005', '3782 82**** *0005'],
    ['a path', '/cards/4111111111111111?x=1', '/cards/411111******1111?x=1'],
    ['track 2', ';4111111111111111=25121011234567890?', ';411111******1111=*****************?'],
    ['track 2 with D', '4111111111111111D25121011234567890', '411111******1111D*****************'],
    [
      'track 1',
      '%B4111111111111111^DOE/JOHN^25121011234567890?',
      '%B411111******1111^DOE/JOHN^*****************?',
    ],
    [
      'a UUID of digits alone',
      '41111111-1111-1111-1111-111111111112',
      '411111**-****-1111-1111-111111111112',
    ],
    ['leading zeros', '0004111111111111111', '000411*********1111'],
  ])('masks it in %s', (_where, text, expected) => {
    const masked = maskCardNumbers(text);
    expect(masked).toBe(expected);
    expect(masked).toHaveLength(text.length);
  });

  it.each([
    ['ISO time', '2025-11-21T02:03:04.123Z'],
    ['ISO time after a number', 'port 20007 2025-11-21T02:03:04.123+01:00'],
    ['UUID v7', '0190a1b2-1234-7123-8456-123456789012'],
    ['UUID v4, many digits', 'id 12345678-9012-4345-8678-90123456789a end'],
    ['short number', 'trace 123456789012'],
    ['already masked', '411111******1111'],
    ['wrong check digit', '4111111111111112'],
    ['amounts and counts', '12.00 EUR, receipt 0042, trace 000123'],
    ['address', 'tcp:192.168.100.200:20007'],
    ['zeros', '0000000000000000'],
  ])('leaves alone: %s', (_what, text) => {
    expect(maskCardNumbers(text)).toBe(text);
  });

  it('masks any card number that stands alone', () => {
    fc.assert(
      fc.property(cardNumber, fc.constantFrom('', ' ', '"', 'x', ':', '\n', '%B', ';'), (number, around) => {
        const masked = maskCardNumbers(`${around}${number}${around}`);
        for (let place = 6; place < number.length - 4; place += 1) {
          expect(masked[around.length + place]).toBe('*');
        }
      }),
    );
  });

  it('masks any card number that is cut into groups', () => {
    fc.assert(
      fc.property(
        cardNumber,
        fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 18 }),
        fc.constantFrom(' ', '-', '.', '_', '\u00a0'),
        (number, groups, separator) => {
          const masked = maskCardNumbers(`a ${grouped(number, groups, separator)} z`);
          const readable = masked.replace(/[^0-9*]/g, '');
          expect(readable.slice(6, -4)).toBe('*'.repeat(number.length - 10));
        },
      ),
    );
  });

  it('masks the card number of an issuer inside longer digits', () => {
    const other = fc.stringMatching(/^\d{0,30}$/);
    fc.assert(
      fc.property(fc.constantFrom(...published), other, other, (number, before, after) => {
        const masked = maskCardNumbers(before + number + after);
        for (let place = before.length + 6; place < before.length + number.length - 4; place += 1) {
          expect(masked[place]).toBe('*');
        }
      }),
    );
  });

  it.each([
    ['glued to an expiry date', '41111111111111111227', '411111******11111227'],
    ['glued to an expiry date and a code', '41111111111111111227123', '411111******11111227123'],
    ['behind an expiry date', '12274111111111111111', '1227411111******1111'],
    ['letters between', '4111a1111b1111c1111', '4111a11**b****c1111'],
    ['three letters between each two digits', Array.from('4111111111111111').join('abc'), null],
    ['doubled dashes', '4111--1111--1111--1111', '4111--11**--****--1111'],
    ['two kinds of separators', '4111 - 1111 / 1111 _ 1111', '4111 - 11** / **** _ 1111'],
    ['separators at odd places', '41:1111::11111-1111:11', '41:1111::*****-*111:11'],
    ['colons', '41:11:11:11:11:11:11:11', '41:11:11:**:**:**:11:11'],
    ['commas', '4,111,111,111,111,111', '4,111,11*,***,**1,111'],
    ['line ends', '4111\r\n1111\r\n1111\r\n1111', '4111\r\n11**\r\n****\r\n1111'],
    ['line ends in JSON', '"4111\\r\\n1111\\r\\n1111\\r\\n1111"', '"4111\\r\\n11**\\r\\n****\\r\\n1111"'],
    [
      'controls in JSON',
      '"4111\\u00001111\\u00001111\\u00001111"',
      '"4111\\u000011**\\u0000****\\u00001111"',
    ],
    [
      'escaped digits in JSON',
      '"\\u0034111\\u0031111 \\u00311111111"',
      '"\\u0034111\\u00311** \\u002a***1111"',
    ],
    ['full-width digits', '４１１１１１１１１１１１１１１１', '４１１１１１******１１１１'],
    ['Arabic digits', '٤١١١١١١١١١١١١١١١', '٤١١١١١******١١١١'],
    ['digits of mathematics', '𝟒𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏', '𝟒𝟏𝟏𝟏𝟏𝟏************𝟏𝟏𝟏𝟏'],
    ['superscripts', '⁴¹¹¹¹¹¹¹¹¹¹¹¹¹¹¹', '⁴¹¹¹¹¹******¹¹¹¹'],
    ['zero width', '4111\u200b1111\u200d1111\ufeff1111', '4111\u200b11**\u200d****\ufeff1111'],
    [
      'many of zero width',
      `4111${'\u200b'.repeat(9)}1111\u00ad11111111`,
      `4111${'\u200b'.repeat(9)}11**\u00ad****1111`,
    ],
    ['marks over the digits', '4\u03361\u03361\u03361\u0336111111111111', null],
    ['keycaps', Array.from('4111111111111111').join('\ufe0f\u20e3'), null],
  ])('masks it with %s', (_what, text, expected) => {
    const masked = maskCardNumbers(text);
    if (expected !== null) expect(masked).toBe(expected);
    expect(masked).toHaveLength(text.length);
    expect(masked).toContain('*');
  });

  it('has time for long texts', () => {
    // Not measured: squared or worse, this would take minutes.
    for (const unit of ['4', '0', '41 ', '4x1', '４', '\u200b4', '4\\u0031', '41111111111111112026-11-21T'])
      expect(maskCardNumbers(unit.repeat(5_000)).length).toBe(unit.length * 5_000);
  });

  it('leaves any UUID with a letter and any ISO time as it is', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        fc.pre(/[a-f]/.test(uuid));
        expect(maskCardNumbers(`"operation_id":"${uuid}",`)).toBe(`"operation_id":"${uuid}",`);
      }),
    );
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('2099-12-31'), noInvalidDate: true }), (date) => {
        expect(maskCardNumbers(`sale 1234567890 ${date.toISOString()}`)).toBe(
          `sale 1234567890 ${date.toISOString()}`,
        );
      }),
    );
  });

  it('changes nothing but digits, keeps the length, and changes nothing when it runs again', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom('1', '4', '5', '0', '9', ' ', '-', '=', 'D', '^', '?', 'a') }),
      fc.string({ unit: fc.constantFrom('4', '1', '5', '0', '='), minLength: 20, maxLength: 60 }),
    );
    fc.assert(
      fc.property(text, (input) => {
        const masked = maskCardNumbers(input);
        expect(masked).toHaveLength(input.length);
        expect(
          masked.split('').every((character, place) => character === input[place] || character === '*'),
        ).toBe(true);
        expect(maskCardNumbers(masked)).toBe(masked);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('isCardNumber', () => {
  it.each(published)('%s', (number) => {
    expect(isCardNumber(number)).toBe(true);
    expect(expectedMask(number)).toBe(maskCardNumbers(number));
  });

  it.each([
    ['a plain reference', 'A-1001'],
    ['twelve digits', '202511210042'],
    ['wrong check digit', '4111111111111112'],
    ['no issuer', '1234567812345670'],
    ['Visa of 15 digits', '411111111111116'],
    ['American Express of 16 digits', '3782822463100054'],
    ['Mastercard of 13 digits', '5555555555557'],
    ['letters in it', 'A4111111111111111'],
    ['twenty digits', '41111111111111111111'],
    ['nothing', ''],
  ])('not: %s', (_what, text) => {
    expect(isCardNumber(text)).toBe(false);
  });
});
