import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeMessage,
  describeMessage,
  encodeMessage,
  fieldText,
  lastFourOf,
  type EdcMessage,
  type MessageParts,
} from '../../../../../src/bridge/terminals/ecr-edc/wire/index.ts';
import { concatBytes, fromHex, hex } from '../../../../../src/bridge/terminals/framing/index.ts';

const response = (fields: MessageParts['fields'] = []) =>
  encodeMessage({ requestResponse: '1', txCode: '20', fields });
const read = (fields: MessageParts['fields']) => decodeMessage(response(fields));
const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));
/** Everything that a message could show. */
const seen = (message: EdcMessage) =>
  JSON.stringify(describeMessage(message)) + Buffer.from(message.maskedMessage).toString('latin1');

describe('messages of ECR-EDC', () => {
  const character = fc.constantFrom('0', '1', '2', '9', 'A', 'D', 'R');
  const two = fc.tuple(character, character).map((pair) => pair.join(''));
  const short = fc.uint8Array({ maxLength: 12 });

  it('round trip for every message, with separators and 03 in values', () => {
    fc.assert(
      fc.property(
        fc.record({
          txCode: two,
          responseCode: fc.oneof(two, fc.constant('\0\0')),
          requestResponse: fc.constantFrom('0', '1', '2'),
          more: fc.constantFrom('0', '1'),
          formatVersion: fc.constantFrom(0x31, 0x01),
          transport: fc.constantFrom('6000000000', '0000000000', '6000000012'),
          fields: fc.array(fc.tuple(fc.constantFrom('01', '40', '65', 'HN', 'D4', 'D3'), short), {
            maxLength: 6,
          }),
        }),
        (parts) => {
          // Short values of fields with a documented form come back as they are.
          const fields = parts.fields.map(
            ([type, value]) => [type, value.slice(0, type === 'D4' ? 2 : type === 'HN' ? 3 : 6)] as const,
          );
          const message = decodeMessage(encodeMessage({ ...parts, fields }));
          expect(message.problems).toStrictEqual([]);
          expect(message).toMatchObject({
            txCode: parts.txCode,
            responseCode: parts.responseCode,
            requestResponse: parts.requestResponse,
            more: parts.more,
            formatVersion: parts.formatVersion,
            transport: parts.transport,
          });
          expect(message.fields.map(({ type, value }) => [type, hex(value)])).toStrictEqual(
            fields.map(([type, value]) => [type, hex(value)]),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it('tell where each field stands, with type and length', () => {
    const message = read([
      ['65', '000092'],
      ['Q9', ''],
    ]);
    expect(message.fields.map(({ place }) => place)).toStrictEqual([
      { from: 18, to: 28 },
      { from: 29, to: 33 },
    ]);
  });

  it('take a length of two ASCII digits only where BCD does not fit', () => {
    const head = response();
    const inAscii = decodeMessage(concatBytes(head, bytes('6506000092\x1c')));
    expect(inAscii.problems).toStrictEqual([]);
    expect(fieldText(inAscii, '65')).toBe('000092');
    // The bytes 30 30 are the length 3030, though a separator stands where a field without a value would end.
    const long = new Uint8Array(3_030).fill(0x41);
    long[0] = 0x1c;
    expect(read([['02', long]]).fields).toMatchObject([{ type: '02', length: 3_030 }]);
  });

  it.each([
    ['no separator', bytes('600000000010200000')],
    ['too short', bytes('6000')],
    ['nothing', new Uint8Array()],
  ])('with a fixed part that is none have a problem and nothing to show: %s', (_what, given) => {
    const message = decodeMessage(given);
    expect(message.problems).toHaveLength(1);
    expect(message.fields).toStrictEqual([]);
    expect([...message.maskedMessage].every((byte) => byte === 0x2a)).toBe(true);
  });

  it('keep what was read before a field that does not fit, and mask the rest', () => {
    const rest = bytes('30\x00\x994761739001010010');
    const message = decodeMessage(concatBytes(response([['65', '000092']]), rest));
    expect(fieldText(message, '65')).toBe('000092');
    expect(message.problems).toStrictEqual(['the field at byte 29 does not fit the message']);
    expect(seen(message)).not.toContain('47617');
    expect(seen(message)).not.toContain('0010');
  });

  it('read two NULs as another response code than the text 00', () => {
    const message = decodeMessage(
      encodeMessage({ requestResponse: '1', txCode: '20', responseCode: '\0\0' }),
    );
    expect(message.responseCode).toBe('\0\0');
    expect(describeMessage(message)['responseCode']).toBe('\0\0');
  });

  it('show a value with bytes that do not print in hex', () => {
    expect(describeMessage(read([['D3', bytes('2042\0\0')]]))['fields']).toStrictEqual([
      { type: 'D3', length: 6, hex: '323034320000' },
    ]);
    expect(fieldText(read([['02', bytes('APPROVED \0\0\x1c')]]), '02')).toBe('APPROVED');
    expect(fieldText(read([['02', bytes('  \0')]]), '02')).toBeNull();
  });

  it('are encoded only from what has a form in them', () => {
    expect(() => encodeMessage({ requestResponse: '0', txCode: '2' })).toThrow('2 characters');
    expect(() => encodeMessage({ requestResponse: '0', txCode: '20', fields: [['D0', 'Café']] })).toThrow(
      'ASCII',
    );
    const long = new Uint8Array(10_000);
    expect(() => encodeMessage({ requestResponse: '0', txCode: '20', fields: [['D0', long]] })).toThrow(
      'length',
    );
  });
});

describe('card data', () => {
  const card = '4761739001010010';
  const track = `${card}=25122011000012345678`;

  it.each([
    ['in its own field', [['30', card]], '0010'],
    ['filled up', [['30', `${card}        `]], '0010'],
    ['filled up with NULs', [['30', bytes(`${card}\0\0\0`)]], '0010'],
    ['masked by the terminal', [['30', '476173******0010']], '0010'],
    ['with the rest of its track', [['30', track]], '0010'],
    ['in the text', [['02', `CARD ${card}`]], null],
    ['in a field that is unknown', [['Z1', card]], null],
    ['in BCD in a field that is unknown', [['Z1', fromHex(`01${card}ff`)]], null],
    ['in a field that is longer than it should be', [['65', card]], null],
    ['in the merchant’s address', [['D0', `SHOP ${card.replace(/(.{4})/g, '$1 ')}`]], null],
  ] as const)('is not to be seen: %s', (_where, fields, lastFour) => {
    const message = read(fields);
    const text = seen(message);
    expect(text).not.toContain('47617390');
    expect(text).not.toContain('01010010');
    expect(text).not.toContain('9001');
    expect(text.replaceAll(' ', '')).not.toContain(card.slice(0, 12));
    expect(lastFourOf(message)).toBe(lastFour);
    expect(message.length).toBe(response(fields).length);
  });

  it('of the card’s number nothing but its last four digits is kept, and of expiry and name nothing', () => {
    const message = read([
      ['30', '550989******1885'],
      ['31', '2512'],
      ['D5', 'DOE/JANE  '],
    ]);
    expect(message.fields.map(({ value }) => Buffer.from(value).toString())).toStrictEqual([
      '************1885',
      '****',
      '**********',
    ]);
    expect(describeMessage(message)['fields']).toStrictEqual([
      { type: '30', length: 16 },
      { type: '31', length: 4 },
      { type: 'D5', length: 10 },
    ]);
  });

  it('is masked in a copy: the bytes that were given stay', () => {
    const given = response([['30', card]]);
    decodeMessage(given);
    expect(Buffer.from(given).toString('latin1')).toContain(card);
  });

  it('is not suspected in header, amount and merchant id', () => {
    const fields = [
      ['40', '000000000100'],
      ['D1', '000001930400007'],
      ['16', '56402334'],
    ] as const;
    const given = response(fields);
    expect(hex(decodeMessage(given).maskedMessage)).toBe(hex(given));
  });
});
