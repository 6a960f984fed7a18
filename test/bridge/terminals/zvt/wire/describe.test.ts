import { describe, expect, it } from 'vitest';
import { fromHex, hex } from '../../../../../src/bridge/terminals/zvt/wire/bytes.ts';
import { decodeHex, describeMessage } from '../../../../../src/bridge/terminals/zvt/wire/describe.ts';
import { encodeSerialFrame } from '../../../../../src/bridge/terminals/zvt/wire/serial-frames.ts';
import {
  decodeMessage,
  encodeMessage,
  type MessageParts,
} from '../../../../../src/bridge/terminals/zvt/wire/apdu-messages.ts';

const described = (parts: MessageParts) =>
  describeMessage(decodeMessage(encodeMessage(parts)), parts.encoding);
const fieldsOf = (parts: MessageParts) => described(parts)['fields'];

describe('describeMessage', () => {
  it('names numbers and digits of BMPs', () => {
    const bitmaps = [
      ['27', '6c'],
      ['a0', '05'],
      ['8a', 'ff'],
      ['8c', '01'],
      ['02', '0a'],
      ['01', '1e'],
      ['05', '07'],
      ['f0', '00'],
      ['37', '000471'],
      ['aa', '260131'],
      ['fc', '01'],
      ['87', 'ffff'],
    ] as const;
    expect(fieldsOf({ ctrl: '040f', bitmaps })).toStrictEqual({
      resultCode: 0x6c,
      resultCodeAS: 5,
      cardType: 255,
      networkCardType: 1,
      maxStatusInfos: 10,
      timeoutS: 30,
      pump: 7,
      displayDurationS: 0,
      originalTrace: '000471',
      dateYYMMDD: '260131',
      dialogControl: '01',
      receiptNo: 'ffff',
    });
  });

  it.each([
    ['0600', 'statusByte'],
    ['060f', 'statusByte'],
    ['06c0', 'cardTypeSelect'],
    ['0601', 'paymentType'],
    ['040f', 'paymentType'],
  ])('calls BMP 19 in %s %s', (ctrl, name) => {
    const positional = ctrl === '0600' ? { password: '000000', configByte: '08', currency: '0978' } : {};
    const parts = ctrl === '06c0' ? { timeoutS: 5 } : positional;
    expect(fieldsOf({ ctrl, positional: parts, bitmaps: [['19', '40']] })).toStrictEqual({ [name]: '40' });
  });

  it('cuts padding from names, and nothing from texts', () => {
    const text = (value: string) => hex(new TextEncoder().encode(value));
    const bitmaps = [
      ['2a', text('100461763      ')],
      ['3b', text('611804\0\0')],
      ['8b', text('VISA \0rest')],
      ['3c', text(' two ')],
      ['f1', text(' one ')],
      ['f8', text('')],
    ] as const;
    expect(fieldsOf({ ctrl: '040f', bitmaps })).toStrictEqual({
      vuNumber: '100461763',
      aid: '611804',
      cardName: 'VISA',
      additionalText: ' two ',
      line1: ' one ',
      line8: '',
    });
  });

  it('names what it finds in TLV, at any depth', () => {
    const tlv = [
      {
        tag: '2f',
        children: [
          { tag: '1f10', hex: '02' },
          { tag: '1f12', hex: '02' },
        ],
      },
      { tag: '60', children: [{ tag: '43', hex: 'a0000000041010' }] },
      { tag: '43', hex: 'a0000000031010' },
      { tag: '1f2b', hex: '00012345' },
      { tag: '1f37', hex: '03' },
      { tag: '1f16', hex: '0102' },
      { tag: '1f17', hex: hex(new TextEncoder().encode(' aborted ')) },
      { tag: '26', children: [{ tag: '0a', hex: '06d3' }] },
    ];
    expect(fieldsOf({ ctrl: '040f', tlv })).toStrictEqual({
      cardholderAuth: 2,
      cardTechnology: 2,
      applicationId: 'a0000000041010',
      traceLong: '00012345',
      receiptInfo: '03',
      extendedErrorCode: '0102',
      extendedErrorText: ' aborted ',
      permittedCommands: ['06d3'],
    });
  });

  it.each([
    ['81', true],
    ['8f', true],
    ['fe', true],
    ['80', false],
    ['ff', false],
    ['40', false],
  ])('tells whether a block ends with an end attribute: %s', (attribute, endOfReceipt) => {
    const children = [
      { tag: '07', hex: '53414c45' },
      { tag: '09', hex: attribute },
    ];
    expect(fieldsOf({ ctrl: '06d3', tlv: [{ tag: '25', children }] })).toStrictEqual({
      lines: ['SALE'],
      attributes: [attribute],
      endOfReceipt,
      lineCount: 1,
    });
  });

  it('takes an end attribute only as the last object', () => {
    const children = [{ tag: '09', hex: '81' }, { tag: '07' }];
    expect(fieldsOf({ ctrl: '06d3', tlv: [{ tag: '25', children }] })).toMatchObject({
      endOfReceipt: false,
      lines: [''],
    });
  });

  it('leaves a long TLV container out, but not what stands in it', () => {
    const children = Array.from({ length: 30 }, (_, line) => ({
      tag: '07',
      hex: `4c${30 + (line % 10)}${'20'.repeat(20)}`,
    }));
    const long = described({ ctrl: '06d3', tlv: [{ tag: '25', children }] });
    expect(long).not.toHaveProperty('tlv');
    expect(long).toMatchObject({ bmps: [['06', null]], fields: { lineCount: 30 } });
    expect(described({ ctrl: '06d3', tlv: [{ tag: '25', children: children.slice(0, 5) }] })).toHaveProperty(
      'tlv',
    );
  });

  it('shows what could not be read', () => {
    expect(describeMessage(decodeMessage(fromHex('040f04270055ff')))).toMatchObject({
      bmpTags: ['27'],
      problems: ['BMP 55: unknown; 2 bytes not read'],
    });
  });
});

describe('decodeHex', () => {
  const frame = hex(encodeSerialFrame(fromHex('06010704000000001000')));

  it('takes blanks, colons, line breaks and capitals', () => {
    const spaced = frame.toUpperCase().replace(/(..)(?=.)/g, '$1 ');
    const expected = decodeHex(frame, { framing: 'serial' });
    expect(expected).toMatchObject({ ok: true, decoded: { ctrl: '0601', fields: { amountMinor: 1000 } } });
    expect(decodeHex(`${spaced}\n`, { framing: 'serial' })).toStrictEqual(expected);
    expect(decodeHex(spaced.replaceAll(' ', ':'), { framing: 'serial' })).toStrictEqual(expected);
  });

  it.each([
    ['not hex', 'hello', 'not hex: "h" is no hex digit'],
    ['0x before it', `0x${frame}`, 'not hex: "x" is no hex digit'],
    ['half a byte', frame.slice(1), `not hex: ${frame.length - 1} digits are no whole bytes`],
    ['nothing', ' ', 'not hex: there are no digits'],
    ['an ACK', '06', '06 is a transport answer (ACK), not a frame'],
    ['a NAK', '15', '15 is a transport answer (NAK), not a frame'],
    [
      'a bare APDU',
      '060100',
      'a serial frame begins with 10 02 (a bare APDU is read as such only when asked for)',
    ],
    [
      'a bad CRC',
      `${frame.slice(0, -4)}0000`,
      `bad CRC: expected ${frame.slice(-4)}, found 0000 (low byte first)`,
    ],
    ['a frame without its CRC', frame.slice(0, -4), 'truncated frame: 2 CRC bytes are missing'],
    ['half a CRC', frame.slice(0, -2), 'truncated frame: 1 CRC bytes are missing'],
    ['a cut frame', frame.slice(0, 20), 'truncated frame: 10 bytes without the end mark 10 03'],
    ['one byte', '10', 'truncated frame: 1 bytes without the end mark 10 03'],
    [
      'something behind the frame',
      `${frame}06`,
      'length mismatch: 1 bytes follow after the end of the frame',
    ],
    [
      'a single 10',
      '1002061041',
      'damaged frame: byte 3 is a single 10 that is neither doubled nor the end mark 10 03',
    ],
    [
      'a length that does not agree',
      hex(encodeSerialFrame(fromHex('06010804000000001000'))),
      'length mismatch: the length field announces 11 bytes of APDU, found 10',
    ],
  ])('says what is wrong with a serial frame: %s', (_what, text, error) => {
    expect(decodeHex(text, { framing: 'serial' })).toStrictEqual({ ok: false, error });
  });

  it.each([
    ['cut', '060107040000', 'truncated APDU: the length field announces 10 bytes in all, found 6'],
    ['cut in its head', '0601ff', 'truncated APDU: 3 bytes are no control field with a length'],
    ['too long', '06010000', 'length mismatch: the length field announces 3 bytes in all, found 4'],
    ['a serial frame', frame, 'length mismatch: the length field announces 9 bytes in all, found 17'],
  ])('says what is wrong with a bare APDU: %s', (_what, text, error) => {
    expect(decodeHex(text, { framing: 'apdu' })).toStrictEqual({ ok: false, error });
  });
});
