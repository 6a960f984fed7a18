import { describe, expect, it } from 'vitest';
import { fromHex, hex } from '../../../../../src/bridge/terminals/zvt/wire/bytes.ts';
import {
  characterSetOfTag14,
  decodeText,
  encodeText,
} from '../../../../../src/bridge/terminals/zvt/wire/character-sets.ts';

describe('texts', () => {
  it.each([
    ['cp437', '84949a e1'],
    ['latin1', 'e4f6dc df'],
    ['utf8', 'c3a4c3b6c39c c39f'],
  ] as const)('are read and written in %s', (encoding, bytes) => {
    const wire = bytes.replace(' ', '');
    expect(decodeText(fromHex(wire), encoding)).toBe('äöÜß');
    expect(hex(encodeText('äöÜß', encoding))).toBe(wire);
  });

  it('are CP437 unless said otherwise', () => {
    expect(decodeText(fromHex('84'))).toBe('ä');
    expect(hex(encodeText('ä'))).toBe('84');
  });

  it('have ASCII in the same place in every set, controls and all', () => {
    const ascii = Uint8Array.from({ length: 128 }, (_, code) => code);
    const sets = Array.from({ length: 256 }, (_, code) => characterSetOfTag14(Uint8Array.of(code)));
    for (const set of sets.filter((each) => each !== null)) {
      const text = String.fromCharCode(...ascii);
      expect(decodeText(ascii, set)).toBe(text);
      // With a byte of its own the set itself reads it.
      expect(decodeText(Uint8Array.of(...ascii, 0xff), set).slice(0, 128)).toBe(text);
    }
  });

  it('never fail on bytes or characters that the set does not have', () => {
    expect(decodeText(fromHex('41e4'), 'ascii')).toBe('A\u{fffd}');
    expect(decodeText(fromHex('41e4'), 'utf8')).toBe('A\u{fffd}');
    expect(hex(encodeText('A€', 'latin1'))).toBe('413f');
  });
});

describe('tag 14', () => {
  it.each([
    ['00', 'ascii'],
    ['01', 'latin1'],
    ['02', 'iso8859-2'],
    ['0f', 'iso8859-15'],
    ['10', 'iso8859-16'],
    ['fe', 'utf8'],
    ['ff', 'cp437'],
    ['0c', null],
    ['11', null],
    ['', null],
    ['0101', null],
  ])('%s names %s', (value, set) => {
    expect(characterSetOfTag14(fromHex(value))).toBe(set);
  });

  it('names only sets that texts can be read in', () => {
    const sets = Array.from({ length: 256 }, (_, code) => characterSetOfTag14(Uint8Array.of(code)));
    const known = sets.filter((set) => set !== null);
    // The last byte is none of ASCII, so that the set itself has to be there.
    expect(known.map((set) => decodeText(fromHex('4142ff'), set).slice(0, 2))).toStrictEqual(
      known.map(() => 'AB'),
    );
    expect(known).toHaveLength(18);
  });
});
