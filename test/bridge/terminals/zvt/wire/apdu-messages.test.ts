import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildApdu } from '../../../../../src/bridge/terminals/zvt/wire/apdu.ts';
import { fromHex, hex } from '../../../../../src/bridge/terminals/zvt/wire/bytes.ts';
import { describeMessage } from '../../../../../src/bridge/terminals/zvt/wire/describe.ts';
import {
  maskedHex,
  bitmap,
  characterSetOf,
  decodeMessage,
  encodeMessage,
  type DecodeOptions,
} from '../../../../../src/bridge/terminals/zvt/wire/apdu-messages.ts';
import { toTerminalRecord } from '../../../../../src/bridge/terminals/zvt/record.ts';

const apdu = (ctrl: string, dataHex: string) => buildApdu(ctrl, fromHex(dataHex.replaceAll(' ', '')));
const decode = (ctrl: string, dataHex: string, options?: DecodeOptions) =>
  decodeMessage(apdu(ctrl, dataHex), options);

describe('parameters at fixed places', () => {
  it.each([
    // 06 0F after a status enquiry: [version] status [TLV].
    ['060f', '00', { terminalStatus: '00' }],
    ['060f', 'dc', { terminalStatus: 'dc' }],
    ['060f', 'f0f0f4 322e3134 9c', { swVersion: '2.14', terminalStatus: '9c' }],
    ['060f', 'f0f0f0 00', { swVersion: '', terminalStatus: '00' }],
    ['060f', '9c 06031f0700', { terminalStatus: '9c' }],
    ['060f', 'f0 06031f0700', { terminalStatus: 'f0' }],
    // After other commands: BMPs.
    ['060f', '19 00 29 65000028 49 0978', {}],
    ['060f', '27 00', {}],
    ['060f', '06 00', {}],
    ['060f', '', {}],
    ['04ff', '0a', { status: '0a' }],
    ['04ff', '17 03', { status: '17', timeoutMin: '03' }],
    ['04ff', '0a 01 06 04 24020700', { status: '0a', timeoutMin: '01' }],
    ['04ff', '0a 06 04 24020700', { status: '0a' }],
    ['04ff', '0a 06 06 04 24020700', { status: '0a', timeoutMin: '06' }],
    ['04ff', '0a 06', { status: '0a', timeoutMin: '06' }],
    ['061e', '', {}],
    ['061e', '6c', { resultCode: 0x6c }],
    ['061e', '6f 0978', { resultCode: 0x6f, currency: '0978' }],
    ['061e', '6f 0643', { resultCode: 0x6f, currency: '0643' }],
    ['061e', '6f 06 04 1f16 0105', { resultCode: 0x6f }],
    ['061e', 'b8 87 0231', { resultCode: 0xb8 }],
    ['841e', '6f', { resultCode: 0x6f }],
    ['06c0', '1e 19 01', { timeoutS: 30 }],
    ['0501', '123456 03 02', { password: '123456' }],
    ['0501', '03 02', {}],
    ['0501', '', {}],
    ['0612', '123456 0001 0005', { password: '123456', receiptFrom: '0001', receiptTo: '0005' }],
    ['06d1', '', {}],
    ['06d1', '40', { attribute: '40', text: '' }],
    ['06d1', 'ff03', { attribute: 'ff', lineFeeds: 3, text: '' }],
    ['06d1', '40 53414c45 06041f070102', { attribute: '40', text: 'SALE', trailingTlv: true }],
    ['0840', '07', { baudRate: '07' }],
  ] as const)('%s %s', (ctrl, data, positional) => {
    const message = decode(ctrl, data);
    expect(message.positional).toStrictEqual(positional);
    expect(message.problems).toStrictEqual([]);
  });

  it('of 06 0F depend on what it answers, where that is known', () => {
    // 27 and 19 are no status that the documents list.
    expect(decode('060f', '2700', { answerTo: '0501' }).positional).toStrictEqual({ terminalStatus: '27' });
    expect(decode('060f', '2700', { answerTo: '0601' }).bitmaps.map(({ tag }) => tag)).toStrictEqual(['27']);
    expect(decode('060f', 'f0f0f100', { answerTo: '0600' }).positional).toStrictEqual({});
    expect(decode('060f', '', { answerTo: '0501' }).positional).toStrictEqual({});
  });

  it('are read as far as they go when they are cut', () => {
    const message = decode('0600', '123456 ba 09');
    expect(message.positional).toStrictEqual({ password: '123456', configByte: 'ba' });
    expect(message.problems).toStrictEqual(['currency is cut: 1 of 2 bytes']);
    expect(decode('0620', '1234').problems).toStrictEqual(['password is cut: 2 of 3 bytes']);
  });

  it.each([
    ['060f', { terminalStatus: '9c' }],
    ['060f', { swVersion: '2.14.15', terminalStatus: '00' }],
    ['061e', { resultCode: 0x6f, currency: '0978' }],
    ['04ff', { status: '0a', timeoutMin: '01' }],
    ['06c0', { timeoutS: 30 }],
    ['06d1', { attribute: '40', text: 'Grüße' }],
    ['06d1', { attribute: 'ff', lineFeeds: 3, text: '' }],
    ['0501', { password: '123456' }],
  ])('of %s %o are written as they are read', (ctrl, positional) => {
    expect(decodeMessage(encodeMessage({ ctrl, positional })).positional).toStrictEqual(positional);
  });

  it('are written back with the container behind a line of text', () => {
    const line = apdu('06d1', '40 53414c45 06041f070102');
    const message = decodeMessage(line);
    expect(message.tlv.map(({ tag, value }) => [tag, hex(value)])).toStrictEqual([['1f07', '02']]);
    expect(message.bitmaps).toStrictEqual([]);
    expect(describeMessage(message)).toMatchObject({ positional: { text: 'SALE', trailingTlv: true } });
    const tlv = [{ tag: '1f07', hex: '02' }];
    expect(hex(encodeMessage({ ctrl: '06d1', positional: message.positional, tlv }))).toBe(hex(line));
  });

  it('that a command does not have are a mistake of the caller', () => {
    expect(() => encodeMessage({ ctrl: '0601', positional: { password: '123456' } })).toThrow(
      /no parameter "password"/,
    );
    expect(() => encodeMessage({ ctrl: '0600', positional: { password: '1234' } })).toThrow(/3 bytes, not 2/);
    expect(() => encodeMessage({ ctrl: '0601', bitmaps: [['22', null]] })).toThrow(/BMP 22 needs a value/);
  });
});

describe('a message', () => {
  it('keeps what stood before an unknown BMP', () => {
    const message = decode('040f', '27 00 04 000000001000 55 0102');
    expect(message.bitmaps.map(({ tag }) => tag)).toStrictEqual(['27', '04']);
    expect(hex(bitmap(message, '04') ?? new Uint8Array(0))).toBe('000000001000');
    expect(bitmap(message, '49')).toBeNull();
    expect(message.problems).toStrictEqual(['BMP 55: unknown; 3 bytes not read']);
    expect(toTerminalRecord(message)).toMatchObject({ approved: true, amountMinor: 1000 });
  });

  it('with a broken TLV object keeps the objects before it', () => {
    const message = decode('06d3', '06 08 25 06 07 01 41 07 09 09');
    expect(message.tlv[0]?.children?.map(({ tag }) => tag)).toStrictEqual(['07']);
    expect(message.problems).toStrictEqual(['TLV tag 07 announces 8 bytes more than there are']);
  });

  it('may hold more than one TLV container', () => {
    const message = decode('040f', '06 03 410105 06 04 1f120102');
    expect(message.tlv.map(({ tag }) => tag)).toStrictEqual(['41', '1f12']);
  });

  it('that is no APDU is named as such', () => {
    for (const text of ['', '06', '060105', '06010100ff']) {
      const message = decodeMessage(fromHex(text));
      expect(message.problems).toHaveLength(1);
      expect(message).toMatchObject({ dataLength: 0, bitmaps: [], tlv: [], positional: {} });
    }
  });

  it('with an unknown control field is read only if all of it are BMPs', () => {
    expect(decode('0fa1', '04 000000001000')).toMatchObject({ name: 'unknown', problems: [] });
    expect(decode('0fa1', '04 000000001000').bitmaps).toHaveLength(1);
    const other = decode('0fa1', '04 000000001000 55');
    expect(other.bitmaps).toHaveLength(0);
    expect(other.problems).toStrictEqual(['the form of the data is not known']);
    // The answer to 06 E1 is a key.
    expect(decode('8000', '0d')).toMatchObject({ name: 'positive-ack', bitmaps: [], problems: [] });
  });

  it.each([
    ['8000', 'positive-ack'],
    ['8400', 'positive-ack'],
    ['849c', 'repeat-status'],
    ['849d', 'partial-issue'],
    ['8483', 'negative-ack'],
    ['06e0', 'display-text'],
    ['06d8', 'unknown'],
  ])('with control field %s is called %s', (ctrl, name) => {
    expect(decode(ctrl, '').name).toBe(name);
  });

  it('takes its TLV at the place that the BMPs name, or at the end', () => {
    const tlv = [{ tag: '1f73', hex: '000001' }];
    const bitmaps = [['04', '000000001000']] as const;
    const container = '06061f7303000001';
    expect(hex(encodeMessage({ ctrl: '0601', bitmaps, tlv }))).toBe(`06010f04000000001000${container}`);
    expect(hex(encodeMessage({ ctrl: '0601', bitmaps: [['06', null], ...bitmaps], tlv }))).toBe(
      `06010f${container}04000000001000`,
    );
    expect(hex(encodeMessage({ ctrl: '0600', bitmaps: [['06', null]] }))).toBe('0600020600');
    expect(hex(encodeMessage({ ctrl: '8000' }))).toBe('800000');
  });

  it('leaves the bytes that it was made of as they are', () => {
    const bytes = apdu('040f', '27 00 22 f0f8 4111111111111111');
    const before = hex(bytes);
    decodeMessage(bytes);
    expect(hex(bytes)).toBe(before);
  });
});

describe('the character set', () => {
  const block = (tag14: string) =>
    encodeMessage({
      ctrl: '06d3',
      tlv: [
        { tag: '14', hex: tag14 },
        { tag: '25', children: [{ tag: '07', hex: 'e4' }] },
      ],
    });

  it('is the one that the message names itself', () => {
    expect(characterSetOf(decodeMessage(block('01')), 'cp437')).toBe('latin1');
    expect(describeMessage(decodeMessage(block('01')), 'cp437')).toMatchObject({ fields: { lines: ['ä'] } });
  });

  it('is the one in force when the message names none, or one that is not known', () => {
    expect(describeMessage(decodeMessage(block('77')), 'latin1')).toMatchObject({ fields: { lines: ['ä'] } });
    expect(describeMessage(decodeMessage(block('77')))).toMatchObject({ fields: { lines: ['Σ'] } });
  });
});

describe('random bytes', () => {
  const control = fc.constantFrom(
    '040f',
    '04ff',
    '0501',
    '0600',
    '060f',
    '061e',
    '06c0',
    '06d1',
    '06d3',
    '06e0',
    '8000',
    '841e',
    '849d',
    '0fa1',
  );
  // BMP numbers and length bytes that lead deep into the reading.
  const likely = fc.constantFrom(
    0x04,
    0x06,
    0x19,
    0x22,
    0x24,
    0x25,
    0x27,
    0x3c,
    0x60,
    0x81,
    0x82,
    0x8b,
    0xf0,
    0xf1,
    0xff,
    0x00,
    0x07,
    0x1f,
  );
  const data = fc.array(fc.oneof(likely, fc.integer({ min: 0, max: 255 })), { maxLength: 300, size: 'max' });

  it('never make reading, describing or recording throw, and all of them are kept track of', () => {
    fc.assert(
      fc.property(
        control,
        data,
        fc.constantFrom('cp437', 'latin1', 'utf8', 'ascii'),
        (ctrl, bytes, encoding) => {
          const message = decodeMessage(buildApdu(ctrl, Uint8Array.from(bytes)), { encoding });
          expect(message.dataLength).toBe(bytes.length);
          expect(JSON.stringify(describeMessage(message, encoding))).toContain(ctrl);
          expect(maskedHex(message)).toHaveLength((bytes.length + (bytes.length > 254 ? 5 : 3)) * 2);
          expect(toTerminalRecord(message, encoding).totals?.length ?? 7).toBe(7);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('without any form never make it throw either', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(decodeMessage(bytes).maskedApdu).toHaveLength(bytes.length);
      }),
    );
  });
});
