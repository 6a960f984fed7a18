import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildApdu, maxDataLength, parseApdu } from '../../../../../src/bridge/terminals/zvt/wire/apdu.ts';
import { fromHex, hex } from '../../../../../src/bridge/terminals/zvt/wire/bytes.ts';

describe('APDU', () => {
  it.each([
    [0, '060100'],
    [254, '0601fe'],
    [255, '0601ffff00'],
    [0x0461, '0601ff6104'],
    [maxDataLength, '0601ffffff'],
  ])('tells a length of %d in the right form', (length, head) => {
    const apdu = buildApdu('0601', new Uint8Array(length));
    expect(hex(apdu).slice(0, head.length)).toBe(head);
    expect(parseApdu(apdu)).toMatchObject({ ctrl: '0601', extendedLength: length > 254 });
    expect(parseApdu(apdu)?.data).toHaveLength(length);
  });

  it('is read back as it was put together', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 2, maxLength: 2 }),
        fc.uint8Array({ maxLength: 600 }),
        (ctrl, data) => {
          const parsed = parseApdu(buildApdu(hex(ctrl), data));
          expect(parsed?.ctrl).toBe(hex(ctrl));
          expect(hex(parsed?.data ?? new Uint8Array(0))).toBe(hex(data));
        },
      ),
    );
  });

  it('reads the long form also where the short one would do', () => {
    expect(parseApdu(fromHex('0601ff0000'))).toStrictEqual({
      ctrl: '0601',
      data: new Uint8Array(0),
      extendedLength: true,
    });
  });

  it.each(['', '06', '0601', '060101', '06010000', '0601ff', '0601ff01', '0601ff0100', '0601ff010000ff'])(
    'does not read "%s"',
    (text) => {
      expect(parseApdu(fromHex(text))).toBeNull();
    },
  );

  it('refuses what it cannot tell', () => {
    expect(() => buildApdu('06', new Uint8Array(0))).toThrow(/two bytes/);
    expect(() => buildApdu('0601', new Uint8Array(maxDataLength + 1))).toThrow(/do not fit/);
  });
});
