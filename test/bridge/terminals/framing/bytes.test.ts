import { describe, expect, it } from 'vitest';
import { fromHex, readHex, xorLrc } from '../../../../src/bridge/terminals/framing/index.ts';

describe('hex that a person pastes', () => {
  it('may have blanks, colons and capitals', () => {
    expect(readHex(' 0A:ff\n10 ')).toStrictEqual({ ok: true, bytes: fromHex('0aff10') });
  });

  it.each([
    ['', 'there are no digits'],
    ['0a0', '3 digits are no whole bytes'],
    ['0x0a', '"x" is no hex digit'],
  ])('is refused with a sentence: %j', (text, words) => {
    const read = readHex(text);
    expect(read.ok ? '' : read.error).toContain(words);
  });
});

describe('the check byte of old serial protocols', () => {
  it('is the XOR of all bytes, from a start value on', () => {
    expect(xorLrc(fromHex('3031303003'))).toBe(0x02);
    expect(xorLrc(fromHex('4103'), 0x7f)).toBe(0x3d);
    expect(xorLrc(new Uint8Array())).toBe(0);
    expect(xorLrc(fromHex('0003'), xorLrc(fromHex('31303130')))).toBe(xorLrc(fromHex('313031300003')));
  });
});
