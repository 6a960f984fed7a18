import { describe, expect, it } from 'vitest';
import { emptyRecord, terminalRecordSchema, type TerminalRecord } from '../../../../src/contract/terminal.ts';
import {
  hex,
  decodeMessage,
  encodeMessage,
  type MessageParts,
} from '../../../../src/bridge/terminals/zvt/wire/index.ts';
import { toTerminalRecord } from '../../../../src/bridge/terminals/zvt/record.ts';
import { apduOf, vectors } from '../../../wire/vectors.ts';

const recordOf = (parts: Omit<MessageParts, 'ctrl'>): TerminalRecord =>
  toTerminalRecord(decodeMessage(encodeMessage({ ctrl: '040f', ...parts })), parts.encoding);
const recordOfVector = (id: string) => {
  const vector = vectors.find((each) => each.id === id);
  if (vector === undefined) throw new Error(`no vector ${id}`);
  return toTerminalRecord(
    decodeMessage(apduOf(vector), { encoding: vector.textEncoding }),
    vector.textEncoding,
  );
};
const text = (value: string) => hex(new TextEncoder().encode(value));

describe('toTerminalRecord', () => {
  it('takes everything from an approved payment', () => {
    expect(recordOfVector('zvt-cap-cc-status-payment-20-40')).toStrictEqual({
      ...emptyRecord(),
      kind: 'payment',
      approved: true,
      resultCode: '00',
      resultText: 'OK',
      amountMinor: 2040,
      currency: 'EUR',
      terminalId: '28004869',
      merchantId: '100461763',
      traceNumber: '000470',
      receiptNumber: '0470',
      turnoverNumber: '000470',
      approvalCode: '611804',
      maskedCardNumber: '************4771',
      cardScheme: 'Debit Mastercard',
      schemeGroup: 'mastercard',
      signatureRequired: false,
      hostResponseText: 'GEN.NR.:611804',
      terminalDate: '1006',
      terminalTime: '223953',
    });
  });

  it('takes everything from an end of day, with the classes that count nothing', () => {
    expect(recordOfVector('zvt-cap-feig-status-end-of-day')).toStrictEqual({
      ...emptyRecord(),
      kind: 'batch_close',
      approved: true,
      resultCode: '00',
      resultText: 'OK',
      amountMinor: 958,
      traceNumber: '000982',
      terminalDate: '0406',
      terminalTime: '081706',
      receiptFrom: '0233',
      receiptTo: '0234',
      totals: [
        { scheme: 'girocard', count: 0, totalMinor: 0 },
        { scheme: 'jcb', count: 0, totalMinor: 0 },
        { scheme: 'mastercard', count: 2, totalMinor: 958 },
        { scheme: 'amex', count: 0, totalMinor: 0 },
        { scheme: 'visa', count: 0, totalMinor: 0 },
        { scheme: 'diners', count: 0, totalMinor: 0 },
        { scheme: 'other', count: 0, totalMinor: 0 },
      ],
    });
  });

  it('tells a cancelled payment in the terminal’s words as well', () => {
    expect(recordOfVector('zvt-cap-cc-status-cancelled-by-customer')).toMatchObject({
      approved: false,
      resultCode: '6c',
      resultText: 'Aborted by timeout or cancel key',
      hostResponseText: 'Abbruch durch Kunde',
      hostResponseCode: null,
      signatureRequired: null,
    });
  });

  it('is a record by its schema for every status information of the vectors', () => {
    const all = vectors.filter(({ decoded }) => decoded.ctrl === '040f');
    expect(all.length).toBeGreaterThan(5);
    for (const vector of all) terminalRecordSchema.parse(toTerminalRecord(decodeMessage(apduOf(vector))));
    expect(terminalRecordSchema.parse(recordOf({}))).toMatchObject({
      kind: 'payment',
      approved: false,
      resultCode: null,
    });
  });

  it('is a reversal with BMP 37, and no status information at all is something else', () => {
    expect(
      recordOf({
        bitmaps: [
          ['27', '00'],
          ['37', '000471'],
        ],
      }),
    ).toMatchObject({
      kind: 'reversal',
      approved: true,
      originalTraceNumber: '000471',
    });
    expect(
      toTerminalRecord(decodeMessage(encodeMessage({ ctrl: '061e', positional: { resultCode: 0x6c } }))).kind,
    ).toBe('other');
  });

  it('prefers the host’s own text for the host’s codes only', () => {
    const host = (code: string, more: [string, string][]) => recordOf({ bitmaps: [['27', code], ...more] });
    expect(host('05', [['3c', text(' ABGELEHNT\0')]])).toMatchObject({
      resultText: 'ABGELEHNT',
      hostResponseCode: '05',
    });
    expect(host('05', [])).toMatchObject({
      resultText: 'Declined by the bank: code 05',
      hostResponseText: null,
    });
    expect(host('63', [['3c', text('X')]]).resultText).toBe('X');
    expect(host('64', [['3c', text('X')]])).toMatchObject({
      resultText: 'Card unreadable',
      hostResponseCode: null,
    });
    expect(host('6c', [['a0', '05']]).hostResponseCode).toBe('05');
    const tlv = [
      {
        tag: '24',
        children: [
          { tag: '07', hex: text('Bitte') },
          { tag: '07', hex: text('Bank\nanrufen') },
        ],
      },
    ];
    expect(recordOf({ bitmaps: [['27', '02']], tlv })).toMatchObject({
      resultText: 'Bitte Bank anrufen',
      hostResponseText: 'Bitte Bank anrufen',
    });
  });

  it.each([
    [[['0b', '000470']], undefined, '000470'],
    [[['0b', '000000']], '01234567', '01234567'],
    [[['0b', '000470']], '01234567', '000470'],
    [[], '01234567', '01234567'],
    [[['0b', '000000']], undefined, '000000'],
    [[], undefined, null],
  ] as const)('takes the trace number from %o or 1F2B %s', (bitmaps, long, traceNumber) => {
    const tlv = long === undefined ? undefined : [{ tag: '1f2b', hex: long }];
    expect(recordOf({ bitmaps, tlv }).traceNumber).toBe(traceNumber);
  });

  it.each([
    ['ffff', null],
    ['eeee', null],
    ['0000', '0000'],
    ['9999', '9999'],
  ])('takes %s for the receipt number %s', (sent, receiptNumber) => {
    expect(recordOf({ bitmaps: [['87', sent]] }).receiptNumber).toBe(receiptNumber);
  });

  it.each([
    ['00', 'magnetic_stripe'],
    ['01', 'chip'],
    ['02', 'contactless'],
    ['03', null],
  ])('takes card technology %s for %s', (value, entryMode) => {
    expect(recordOf({ tlv: [{ tag: '2f', children: [{ tag: '1f12', hex: value }] }] }).entryMode).toBe(
      entryMode,
    );
  });

  it.each([
    // [BMP 19, tag 1F10, signature]
    ['40', undefined, true],
    ['60', undefined, true],
    ['70', undefined, false],
    ['50', undefined, false],
    [undefined, undefined, null],
    ['70', '01', true],
    ['60', '00', false],
    ['60', '02', false],
    ['60', '04', false],
    ['70', '05', true],
    ['70', '07', true],
    ['60', 'ff', true],
    ['70', 'ff', false],
    [undefined, '01', true],
  ])('with result type %s and cardholder check %s: signature %s', (type, check, signatureRequired) => {
    const bitmaps: [string, string][] = [
      ['27', '00'],
      ...(type === undefined ? [] : [['19', type] as [string, string]]),
    ];
    const tlv = check === undefined ? undefined : [{ tag: '2f', children: [{ tag: '1f10', hex: check }] }];
    expect(recordOf({ bitmaps, tlv }).signatureRequired).toBe(signatureRequired);
    expect(recordOf({ bitmaps: [['27', '05'], ...bitmaps.slice(1)], tlv }).signatureRequired).toBeNull();
  });

  it.each([
    ['05', undefined, 'girocard', 'girocard'],
    ['0a', undefined, 'Visa', 'visa'],
    ['ff', '0104', 'BlueCode', 'other'],
    [undefined, '05', 'girocard', 'girocard'],
    ['ff', undefined, null, 'other'],
    ['dd', undefined, null, 'other'],
    [undefined, undefined, null, null],
  ])('with card type %s and tag 41 %s: %s, counted as %s', (type, tag41, cardScheme, schemeGroup) => {
    const bitmaps: [string, string][] = type === undefined ? [] : [['8a', type]];
    const tlv = tag41 === undefined ? undefined : [{ tag: '41', hex: tag41 }];
    expect(recordOf({ bitmaps, tlv })).toMatchObject({ cardScheme, schemeGroup });
    const named = recordOf({ bitmaps: [...bitmaps, ['8b', text('My Card \0')]], tlv });
    expect(named).toMatchObject({ cardScheme: 'My Card', schemeGroup });
  });

  it('leaves out what is padding, unreadable or not in our lists', () => {
    const bitmaps = [
      ['04', '00000000204e'],
      ['49', '0999'],
      ['29', 'ffffffff'],
      ['2a', text(' '.repeat(15))],
      ['3b', '0000000000000000'],
      ['8b', '00'],
      ['3c', '2020'],
      ['60', '0233'],
      ['aa', '260131'],
    ] as const;
    expect(recordOf({ bitmaps })).toStrictEqual({
      ...emptyRecord(),
      kind: 'batch_close',
      resultText: 'The terminal gave no result code',
      terminalDate: '260131',
    });
  });

  it('knows no amount of a currency that is not in our list', () => {
    const of = (currency: string) =>
      recordOf({
        bitmaps: [
          ['04', '000000001200'],
          ['49', currency],
        ],
      });
    expect(of('0978')).toMatchObject({ amountMinor: 1_200, currency: 'EUR' });
    expect(of('0968')).toMatchObject({ amountMinor: null, currency: null });
  });

  it('reads texts in the character set in force', () => {
    const bitmaps = [
      ['27', '05'],
      ['3c', 'dc42'],
    ] as const;
    expect(recordOf({ bitmaps, encoding: 'latin1' }).resultText).toBe('ÜB');
    expect(recordOf({ bitmaps }).resultText).toBe('▄B');
  });
});
