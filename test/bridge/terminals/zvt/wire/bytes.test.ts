import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  amountToBcd,
  bcdDigits,
  bcdNumber,
  fromHex,
  hex,
  llvar,
  lllvar,
  maxAmountMinor,
  readDigitLength,
} from '../../../../../src/bridge/terminals/zvt/wire/bytes.ts';

describe('BCD', () => {
  it('writes amounts as six bytes of minor units', () => {
    expect(hex(amountToBcd(1250))).toBe('000000001250');
    expect(hex(amountToBcd(0))).toBe('000000000000');
    expect(hex(amountToBcd(maxAmountMinor))).toBe('999999999999');
  });

  it('gives back every amount that it wrote', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: maxAmountMinor }), (amountMinor) => {
        const bytes = amountToBcd(amountMinor);
        expect(bytes).toHaveLength(6);
        expect(bcdNumber(bytes)).toBe(amountMinor);
        expect(bcdDigits(bytes)).toBe(amountMinor.toString().padStart(12, '0'));
      }),
    );
  });

  it.each([-1, 1.5, maxAmountMinor + 1, Number.NaN])('refuses %d as an amount', (amount) => {
    expect(() => amountToBcd(amount)).toThrow(/no amount/);
  });

  it('reads no number where a nibble is no digit', () => {
    expect(bcdNumber(fromHex('00000000125f'))).toBeNull();
    expect(bcdNumber(new Uint8Array(0))).toBeNull();
    expect(bcdDigits(fromHex('ee12'))).toBe('ee12');
  });
});

describe('LLVAR and LLLVAR', () => {
  it('put F-coded decimal digits before the value', () => {
    expect(hex(llvar(fromHex('aabb')))).toBe('f0f2aabb');
    expect(hex(llvar(new Uint8Array(12))).slice(0, 4)).toBe('f1f2');
    expect(hex(lllvar(new Uint8Array(105))).slice(0, 6)).toBe('f1f0f5');
  });

  it('say how long they are', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999 }), (length) => {
        expect(readDigitLength(lllvar(new Uint8Array(length)), 0, 3)).toBe(length);
        const short = length % 100;
        expect(readDigitLength(llvar(new Uint8Array(short)), 0, 2)).toBe(short);
      }),
    );
  });

  it('refuse what does not fit', () => {
    expect(() => llvar(new Uint8Array(100))).toThrow(/2 digits/);
    expect(() => lllvar(new Uint8Array(1000))).toThrow(/3 digits/);
  });

  it('are not read from other bytes', () => {
    expect(readDigitLength(fromHex('f0fa'), 0, 2)).toBeNull();
    expect(readDigitLength(fromHex('f0'), 0, 2)).toBeNull();
    expect(readDigitLength(fromHex('e0f1'), 0, 2)).toBeNull();
  });
});

describe('hex', () => {
  it('round trips', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect([...fromHex(hex(bytes))]).toStrictEqual([...bytes]);
      }),
    );
  });

  it.each(['0', 'zz', '0 1', '0x10'])('refuses "%s"', (text) => {
    expect(() => fromHex(text)).toThrow(/hex/);
  });
});
