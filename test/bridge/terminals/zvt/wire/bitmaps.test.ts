import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildBitmap, parseBitmaps } from '../../../../../src/bridge/terminals/zvt/wire/bitmaps.ts';
import { concatBytes, fromHex, hex } from '../../../../../src/bridge/terminals/zvt/wire/bytes.ts';

const read = (text: string) => {
  const { bitmaps, problem, rest } = parseBitmaps(fromHex(text.replaceAll(' ', '')));
  return { bitmaps: bitmaps.map(({ tag, value }) => [tag, hex(value)]), problem, rest: hex(rest) };
};

describe('BMPs', () => {
  it('stand in any order; F1 is a BMP and a length byte', () => {
    expect(read('49 0978 f1 f0f2 4142 04 000000001000 3c f0f0f1 f1 06 02 0700')).toStrictEqual({
      bitmaps: [
        ['49', '0978'],
        ['f1', '4142'],
        ['04', '000000001000'],
        ['3c', 'f1'],
        ['06', '0700'],
      ],
      problem: null,
      rest: '',
    });
  });

  it.each([
    ['an unknown one', '55 0102', 'BMP 55: unknown; 3 bytes not read'],
    ['one that is cut', '04 0000', 'BMP 04: 4 bytes are missing; 3 bytes not read'],
    ['a text that is cut', '8b f0f3 4142', 'BMP 8b: 1 bytes are missing; 5 bytes not read'],
    [
      'an LLVAR length of other bytes',
      '22 1002 41',
      'BMP 22: the length is not 2 bytes F0..F9; 4 bytes not read',
    ],
    [
      'an LLLVAR length of digits above 9',
      '3c f0f0fa',
      'BMP 3c: the length is not 3 bytes F0..F9; 4 bytes not read',
    ],
    ['a missing LLVAR length', '8b', 'BMP 8b: the length is not 2 bytes F0..F9; 1 bytes not read'],
    [
      'a TLV length of invalid form',
      '06 80',
      'BMP 06: the TLV length is missing or invalid; 2 bytes not read',
    ],
  ])('before %s stay', (_what, bytes, problem) => {
    const reading = read(`27 00 ${bytes}`);
    expect(reading.bitmaps).toStrictEqual([['27', '00']]);
    expect(reading.problem).toBe(problem);
    expect(reading.rest).toBe(bytes.replaceAll(' ', ''));
  });

  it('are read back as they were put together', () => {
    const some = fc.oneof(
      fc.tuple(fc.constantFrom('22', '8b', 'f1', 'e8', '2d'), fc.uint8Array({ maxLength: 99 })),
      fc.tuple(fc.constantFrom('3c', '60', '24'), fc.uint8Array({ maxLength: 999 })),
      fc.tuple(fc.constant('06'), fc.uint8Array({ maxLength: 600, size: 'max' })),
      fc.tuple(fc.constant('04'), fc.uint8Array({ minLength: 6, maxLength: 6 })),
      fc.tuple(fc.constant('2a'), fc.uint8Array({ minLength: 15, maxLength: 15 })),
    );
    fc.assert(
      fc.property(fc.array(some), (list) => {
        const { bitmaps, problem } = parseBitmaps(
          concatBytes(...list.map(([tag, value]) => buildBitmap(tag, value))),
        );
        expect(problem).toBeNull();
        expect(bitmaps.map(({ tag, value }) => [tag, hex(value)])).toStrictEqual(
          list.map(([tag, value]) => [tag, hex(value)]),
        );
      }),
    );
  });

  it('are not built with a wrong length or an unknown number', () => {
    expect(() => buildBitmap('04', fromHex('1000'))).toThrow(/BMP 04 has 6 bytes, not 2/);
    expect(() => buildBitmap('8b', new Uint8Array(100))).toThrow(/2 digits/);
    expect(() => buildBitmap('55', fromHex('00'))).toThrow(/BMP 55/);
  });
});
