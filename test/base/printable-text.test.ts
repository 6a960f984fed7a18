/** Texts from outside, as people get to see them. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  maxLineCharacters,
  printableJson,
  printableLine,
  printableLines,
} from '../../src/base/printable-text.ts';

describe('one line', () => {
  it.each([
    ['plain words', 'Bitte Karte einstecken', 'Bitte Karte einstecken'],
    ['letters of the world', 'Größe € 12,50 – Ελλάδα 東京 שלום', 'Größe € 12,50 – Ελλάδα 東京 שלום'],
    ['a sign of two units', 'paid 😀', 'paid 😀'],
    ['a letter put together', 'e\u0301a\u0302\u0323', 'e\u0301a\u0302\u0323'],
    ['colours', 'a\u001b[31mb', 'a\\u001b[31mb'],
    ['the title of the window', '\u001b]0;root\u0007', '\\u001b]0;root\\u0007'],
    ['CSI in one character', '\u009b2J', '\\u009b2J'],
    ['a bell, a backspace, a delete', '\u0007\u0008\u007f', '\\u0007\\u0008\\u007f'],
    ['nothing', '\u0000', '\\u0000'],
    ['a line feed', 'a\nb', 'a ⏎ b'],
    ['a carriage return', 'a\rb', 'a ⏎ b'],
    ['both', 'a\r\nb', 'a ⏎ b'],
    ['next line', 'a\u0085b', 'a ⏎ b'],
    ['line and paragraph separators', 'a\u2028b\u2029c', 'a ⏎ b ⏎ c'],
    ['vertical tab and form feed', 'a\u000bb\u000cc', 'a ⏎ b ⏎ c'],
    ['a tab', 'a\tb', 'a b'],
    ['blanks of other widths', 'a\u00a0b\u3000c\u2003d', 'a b c d'],
    ['blanks up to the edge of a window', `ok${' '.repeat(78)}paid`, 'ok        paid'],
    ['an override', '\u202egpj.exe', '\\u202egpj.exe'],
    ['isolates', '\u2066a\u2069', '\\u2066a\\u2069'],
    ['marks of direction', '\u200ea\u200f\u061c', '\\u200ea\\u200f\\u061c'],
    ['zero width', 'a\u200bb\u200cc\u200dd\ufeffe\u2060', 'a\\u200bb\\u200cc\\u200dd\\ufeffe\\u2060'],
    ['a soft hyphen', 'a\u00adb', 'a\\u00adb'],
    ['letters that are drawn as nothing', 'a\u3164\u115f\u034fb', 'a\\u3164\\u115f\\u034fb'],
    ['letters of tags', 'a\u{e0041}', 'a\\udb40\\udc41'],
    ['half surrogates', 'a\ud800b\udc00', 'a\\ud800b\\udc00'],
    ['no character at all', 'a\ufffe', 'a\\ufffe'],
    ['a tower of marks', `e${'\u0301'.repeat(50)}!`, `e${'\u0301'.repeat(4)}!`],
  ])('%s', (_what, text, expected) => {
    expect(printableLine(text)).toBe(expected);
  });

  it('is bounded, says that it was cut, and never ends with half a character', () => {
    expect(printableLine('x'.repeat(maxLineCharacters))).toBe('x'.repeat(maxLineCharacters));
    expect(printableLine('x'.repeat(maxLineCharacters + 1))).toBe(`${'x'.repeat(maxLineCharacters - 1)}…`);
    expect(printableLine('abcdef', 4)).toBe('abc…');
    expect(printableLine('ab😀def', 4)).toBe('ab…');
    expect(printableLine('\u001b'.repeat(100_000))).toHaveLength(maxLineCharacters);
  });

  it('has nothing in it that is not printed, whatever comes, and stays as it is the second time', () => {
    const nasty = fc.string({ unit: 'binary', maxLength: 80 });
    fc.assert(
      fc.property(nasty, (text) => {
        const line = printableLine(text);
        expect(line).not.toMatch(/[\p{C}\p{Zl}\p{Zp}\u034f]/u);
        expect(line.length).toBeLessThanOrEqual(maxLineCharacters);
        expect(printableLine(line)).toBe(line);
      }),
    );
  });
});

describe('lines of an exit', () => {
  it('keep their own line breaks and blanks and nothing else of the kind', () => {
    expect(printableLines('a\n\n  b         c')).toBe('a\n\n  b         c');
    expect(printableLines('a\r\u001b[1Ab\u2028c\u202e\td')).toBe('a\\u000d\\u001b[1Ab\\u2028c\\u202e d');
    expect(printableLines('abcdef\nabc', 4)).toBe('abc…\nabc');
  });
});

describe('JSON', () => {
  it('says the same, without what a window would act on', () => {
    const value = { text: 'a\u009b2J\u202e\u2028\u007f\u{e0041} \u001b\n😀', list: ['\ufeff'] };
    for (const json of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
      const printed = printableJson(json);
      expect(printed).not.toMatch(/[^\P{C}\n]|[\u2028\u2029]/u);
      expect(JSON.parse(printed)).toEqual(value);
    }
    const long = JSON.stringify('x'.repeat(100_000));
    expect(printableJson(long)).toBe(long);
  });
});
