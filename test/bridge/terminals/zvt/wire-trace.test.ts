/** The wire trace: readable bytes and words of each frame, and no card data in any of them. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskLine } from '../../../../src/log/mask-line.ts';
import type { LogFields } from '../../../../src/log/log.ts';
import { createNotingLog } from '../../../support/noting-log.ts';
import {
  buildApdu,
  buildBitmap,
  fromHex,
  hex,
  buildTlv,
  type TlvParts,
} from '../../../../src/bridge/terminals/zvt/wire/index.ts';
import { createWireTrace } from '../../../../src/bridge/terminals/zvt/wire-trace.ts';

/** What the trace hands to the log for these bytes. */
function traceOf(apdu: Uint8Array): { message: string; fields: LogFields } {
  const lines: { message: string; fields: LogFields }[] = [];
  const log = createNotingLog((_level, message, fields) => void lines.push({ message, fields }));
  createWireTrace(log, 'cp437', 'EUR')('from_terminal', apdu);
  const [line] = lines;
  if (line === undefined) throw new Error('nothing was logged');
  return line;
}

const fieldsOf = (ctrl: string, data: string) =>
  traceOf(buildApdu(ctrl, fromHex(data.replaceAll(' ', '')))).fields;
const bytesOf = (ctrl: string, data: string) => hexOf(fieldsOf(ctrl, data));

/** Names and values alone. */
function wordsOf({ fields }: LogFields): unknown[] {
  return (fields as unknown[][]).map(([name, value]) => [name, value]);
}

/** Empty when there is none. */
function hexOf({ hex: bytes }: LogFields): string {
  return typeof bytes === 'string' ? bytes : '';
}

const ascii = (text: string) => hex(new TextEncoder().encode(text));
const bmp = (tag: string, valueHex: string) => hex(buildBitmap(tag, fromHex(valueHex)));
const tlv = (...objects: TlvParts[]) => bmp('06', hex(buildTlv(objects)));

describe('a frame in the trace', () => {
  it('has its bytes in a form that the mask of the log leaves alone', () => {
    const { message, fields } = traceOf(buildApdu('0601', fromHex('040000000012004909781940')));
    expect(message).toBe('from terminal: authorisation');
    expect(fields).toStrictEqual({
      direction: 'from_terminal',
      frame: 'authorisation',
      ctrl: '0601',
      length: 15,
      hex: '06:01:0c:04:00:00:00:00:12:00:49:09:78:19:40',
      fields: [
        ['amount', '12.00', { from: 3, to: 10 }],
        ['currency', 'EUR', { from: 10, to: 13 }],
        ['payment type', '40: the card decides', { from: 13, to: 15 }],
      ],
    });
    // Digits that would pass for a card number in any other field.
    for (const digits of ['04111111111111111149', '040000411111111111111111']) {
      const line = JSON.stringify({ hex: digits.match(/../g)?.join(':') });
      expect(maskLine(line)).toBe(line);
    }
  });

  it.each([
    [
      'status information',
      '040f',
      `27 00 04 000000001234 49 0978 0b 000471 0c 225558 0d 0405 ${bmp('22', '4111111111111111')} 87 0231 29 28004869 ` +
        `8a 0a ${bmp('3b', ascii('750071\0\0'))} ${bmp('3c', ascii('OK\r\nThank you'))} ${bmp('8b', ascii('Visa\0'))}`,
      [
        ['result', '00: OK'],
        ['amount', '12.34'],
        ['currency', 'EUR'],
        ['trace number', '000471'],
        ['time', '22:55:58'],
        ['date, month and day', '04-05'],
        ['receipt number', '0231'],
        ['terminal id', '28004869'],
        ['card type', 'Visa'],
        ['approval code', '750071'],
        ['text', 'OK Thank you'],
        ['card name', 'Visa'],
        ['card number', '411111******1111'],
      ],
    ],
    [
      'a refusal',
      '040f',
      `27 6c ${bmp('22', 'eeeeeeeeeeeeeeee')}`,
      [
        ['result', '6C: Aborted by timeout or cancel key'],
        ['card number', '****************'],
      ],
    ],
    [
      'an amount in a currency without cents',
      '0601',
      '04 000000001200 49 0392',
      [
        ['amount', '1200.00'],
        ['currency', 'JPY'],
      ],
    ],
    ['an amount without a currency', '0601', '04 000000001200', [['amount', '12.00']]],
    [
      'an abort',
      '061e',
      '6f 0978',
      [
        ['result', '6F: Wrong currency'],
        ['currency', 'EUR'],
      ],
    ],
    ['a negative answer', '8483', '', [['result', '83: Function not possible']]],
    ['a plain answer', '8000', '', []],
    [
      'an intermediate status',
      '04ff',
      `0a 01 ${tlv({
        tag: '24',
        children: [
          { tag: '07', hex: ascii('Insert') },
          { tag: '07', hex: ascii('card') },
        ],
      })}`,
      [
        ['status', '0A: Insert card'],
        ['time limit, minutes', '01'],
        ['display', 'Insert'],
        ['display', 'card'],
      ],
    ],
    ['a terminal status', '060f', '9c', [['terminal status', '9C: Busy, please wait']]],
    [
      'a line to print',
      '06d1',
      `40 ${ascii('TOTAL\u001b[2J')}`,
      [
        ['print attribute', '40'],
        ['text', 'TOTAL·[2J'],
      ],
    ],
    [
      'totals',
      '040f',
      `27 00 ${bmp('60', `02330234${'00000000000000'.repeat(2)}02000000000958${'00'.repeat(28)}`)}`,
      [
        ['result', '00: OK'],
        ['first receipt', '0233'],
        ['last receipt', '0234'],
        ['total eurocard', '2 × 9.58'],
      ],
    ],
  ])('says in words what %s says', (_what, ctrl, data, words) => {
    expect(wordsOf(fieldsOf(ctrl, data))).toStrictEqual(words);
  });

  it.each([
    ['061e', '6c', ['result', '6C']],
    ['8483', '', ['result', '83']],
    ['04ff', '0a01', ['status', '0a'], ['time limit, minutes', '01']],
    ['060f', 'f0f0f5312e322e3300', ['software version', 'f0f0f5312e322e33'], ['terminal status', '00']],
    ['06d1', `81${ascii('TOTAL')}06041f070102`, ['print attribute', '81'], ['text', ascii('TOTAL')]],
    [
      '0600',
      '123456ba09780301',
      ['configuration byte', 'ba'],
      ['currency', '0978'],
      ['service byte', '0301'],
    ],
    ['040f', '270022f0f84111111111111111', ['result', '2700'], ['card number', '22f0f84111111111111111']],
    [
      '040f',
      `${bmp('8b', ascii('Visa'))}${tlv({ tag: '1f10', hex: '02' }, { tag: '24', children: [{ tag: '07', hex: ascii('A') }] })}`,
      ['card name', `8bf0f4${ascii('Visa')}`],
      ['cardholder check', '1f100102'],
      ['display', `0701${ascii('A')}`],
    ],
    // With the long length field.
    [
      '06d3',
      tlv({ tag: '25', children: [{ tag: '07', hex: '41'.repeat(300) }] }),
      ['line', `07820 12c${'41'.repeat(300)}`],
    ],
  ])('says in which bytes of %s %s each value stands', (ctrl, data, ...wanted) => {
    const apdu = hex(buildApdu(ctrl, fromHex(data)));
    const found = fieldsOf(ctrl, data)['fields'] as [string, string, { from: number; to: number }][];
    expect(
      found.slice(0, wanted.length).map(([name, , { from, to }]) => [name, apdu.slice(2 * from, 2 * to)]),
    ).toEqual(wanted.map(([name, bytes = '']) => [name, bytes.replaceAll(' ', '').toLowerCase()]));
  });

  it.each([
    ['0601', '19 46', 'payment type', '46: the card decides · the card that was read before · printer ready'],
    ['0601', '19 f0', 'payment type', 'F0'],
    ['040f', '19 70', 'payment type', '70: with PIN'],
    [
      '0600',
      '123456 8a',
      'configuration byte',
      '8A: the POS prints payment receipts · with intermediate status · receipts as lines to print',
    ],
    ['0620', '123456 03 03', 'service byte', '03: send the status information · do not print'],
    ['060f', '19 03', 'status byte', '03: initialisation needed · diagnosis needed'],
    [
      '0600',
      `123456 08 0978 ${tlv({ tag: '26', children: [{ tag: '0a', hex: '06d3' }] })}`,
      'commands that it may send',
      '06D3: print-text-block',
    ],
  ])('tells each bit of a byte in %s %s', (ctrl, data, name, value) => {
    expect(wordsOf(fieldsOf(ctrl, data))).toContainEqual([name, value]);
  });

  it('shows stars for what is masked, and everything else', () => {
    expect(bytesOf('040f', `27 00 22 f0f8 4111111111111111 0e 2512 29 28004869`)).toBe(
      '04:0f:15:27:00:22:f0:f8:41:11:11:**:**:**:11:11:0e:**:**:29:28:00:48:69',
    );
    expect(bytesOf('06d1', `00 ${ascii('4111111111111111 ok')}`)).toBe(
      `06:d1:14:00:34:31:31:31:31:31:${'**:'.repeat(6)}31:31:31:31:20:6f:6b`,
    );
    expect(bytesOf('0600', '123456 ba 0978 03 00')).toBe('06:00:08:**:**:**:ba:09:78:03:00');
    expect(JSON.stringify(fieldsOf('0600', '123456 ba 0978'))).not.toContain('123456');
  });

  it.each([
    ['words', 'Bitte Beleg aufbewahren, Debit Mastercard'],
    ['numbers', 'TID 28004869 TA-Nr 000470 10:12 Uhr, VU 100461763'],
  ])('shows a text of %s whole', (_what, text) => {
    expect(bytesOf('06d1', `00 ${ascii(text)}`)).not.toContain('*');
  });

  it('has neither bytes nor words when it cannot be read in full', () => {
    const unreadable = traceOf(buildApdu('040f', fromHex('2700ff22f0f84111111111111111')));
    expect(unreadable.message).toBe('from terminal: status-information (not fully readable)');
    expect(unreadable.fields).toStrictEqual({
      direction: 'from_terminal',
      frame: 'status-information',
      ctrl: '040f',
      length: 17,
      problems: ['BMP ff: unknown; 12 bytes not read'],
    });
  });

  it('is bounded in bytes and words', () => {
    const lines = Array.from({ length: 400 }, () => ({ tag: '07', hex: ascii('x'.repeat(20)) }));
    const {
      length,
      hex: bytes,
      hex_bytes_left_out: leftOut,
      fields,
    } = fieldsOf('06d3', tlv({ tag: '25', children: lines }));
    expect(String(bytes).split(':')).toHaveLength(2_048);
    expect(leftOut).toBe(Number(length) - 2_048);
    expect(fields).toHaveLength(100);
    expect(Array.isArray(fields) ? fields.at(-1) : null).toStrictEqual(['left out', '301 more']);
  });
});

const issued: readonly [prefix: string, digits: number][] = [
  ['4', 13],
  ['4', 16],
  ['4', 19],
  ['51', 16],
  ['2221', 16],
  ['34', 15],
  ['36', 14],
  ['6011', 16],
  ['62', 17],
  ['50', 19],
];

function withCheckDigit(digits: string): string {
  const sum = Array.from(digits).reduceRight((total, digit, index) => {
    const weighted = (digits.length - index) % 2 === 1 ? Number(digit) * 2 : Number(digit);
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

const cardNumber = fc
  .tuple(fc.constantFrom(...issued), fc.stringMatching(/^[0-9]{19}$/))
  .map(([[prefix, digits], random]) => withCheckDigit((prefix + random).slice(0, digits - 1)))
  // In BCD these are the bytes of a word or of a row of figures, and nobody could tell.
  .filter((number) => !/^(?:[A-Za-z ]+|[ -9]+)$/.test(fromHex(bcd(number)).reduce(asText, '')));

function asText(text: string, byte: number): string {
  return text + String.fromCharCode(byte);
}

/** Filled up behind, as on the wire. */
function bcd(number: string): string {
  return number.length % 2 === 0 ? number : `${number}f`;
}

/** The number as it may stand in a field. */
const forms: readonly ((number: string) => string)[] = [
  bcd,
  (number) => (number.length % 2 === 0 ? number : `0${number}`),
  (number) => `${number}d2512${number.length % 2 === 0 ? '101' : '10'}`,
  ascii,
  (number) => ascii(`Card ${number}.`),
  (number) => ascii(number.replace(/(.{4})(?=.)/g, '$1 ')),
  (number) => ascii(number.replace(/(.{4})(?=.)/g, '$1-')),
  (number) => `${ascii('Card ')}${bcd(number)}${ascii(' ok')}`,
];

/** Every field that can hold so many bytes, in a whole message. */
const carriers: readonly ((valueHex: string) => [ctrl: string, data: string])[] = [
  ...['22', '23', '24', '2d', '2e', '3c', '4c', '8b', '92', '9a', 'a7', 'af', 'd1'].map(
    (tag) =>
      (value: string): [string, string] => ['040f', `2700${bmp(tag, value)}490978`],
  ),
  ...['e1', 'e8', 'f1', 'f8'].map((tag) => (value: string): [string, string] => [
    '06e0',
    `${bmp(tag, value)}f000`,
  ]),
  ...[
    '07',
    '0b',
    '13',
    '42',
    '44',
    '46',
    '5a',
    '57',
    '5e',
    '1f08',
    '1f09',
    '1f0a',
    '1f17',
    '1f2b',
    '1f37',
    '1f7a',
  ].map((tag) => (value: string): [string, string] => ['040f', `2700${tlv({ tag, hex: value })}`]),
  (value) => ['040f', `2700${tlv({ tag: 'e5', children: [{ tag: 'c1', hex: value }] })}`],
  (value) => ['04ff', `ff01${tlv({ tag: '24', children: [{ tag: '07', hex: value }] })}`],
  (value) => [
    '06d3',
    tlv({
      tag: '25',
      children: [
        { tag: '07', hex: value },
        { tag: '09', hex: '81' },
      ],
    }),
  ],
  (value) => ['06d1', `00${value}`],
  (value) => ['06d1', `00${value}06041f070102`],
  (value) => ['060f', `f0f${Math.trunc(value.length / 20)}f${(value.length / 2) % 10}${value}00`],
  (value) => ['0fa1', value],
  (value) => ['8000', value],
];

/** Known fields around it, which stay as they are. */
const neighbours = fc
  .tuple(fc.stringMatching(/^\d{12}$/), fc.stringMatching(/^\d{6}$/), fc.stringMatching(/^\d{8}$/))
  .map(([amount, trace, terminal]) => `04${amount}0b${trace}29${terminal}`);

/** In any form in which the fields of a log line could show it. More than its ends is too much. */
function shows(fields: LogFields, number: string): boolean {
  const inner = number.slice(4, -2);
  const bytes = hexOf(fields).split(':');
  const text = bytes
    .map((byte) => (byte === '**' ? '*' : String.fromCharCode(Number.parseInt(byte, 16))))
    .join('');
  return [bytes.join(''), text, JSON.stringify(fields)].some((place) => {
    // With stars as they are, and without anything that is no digit.
    const joined = place.replace(/(?<=\d)[^\d*]+(?=\d)/g, '');
    return joined.includes(inner) || place.replace(/\D/g, '').includes(number);
  });
}

describe('a card number', () => {
  it('in whatever field, in BCD or as text, shows neither in the bytes nor in the words', () => {
    fc.assert(
      fc.property(
        cardNumber,
        neighbours,
        fc.constantFrom(...forms),
        fc.constantFrom(...carriers),
        (number, around, form, carrier) => {
          const [ctrl, data] = carrier(form(number));
          const whole = ctrl === '040f' ? `${data}${around}` : data;
          expect(shows(traceOf(buildApdu(ctrl, fromHex(whole))).fields, number)).toBe(false);
        },
      ),
      // The seed is fixed: random digits would hit others of the message now and then.
      { numRuns: 4_000, seed: 23 },
    );
  });

  it('in each field and each form is masked, and the other fields stay', () => {
    for (const number of ['5555555555554444', '4242424242424242', '4012888888881881', '378282246310005']) {
      for (const [index, form] of forms.entries()) {
        for (const [place, carrier] of carriers.entries()) {
          const [ctrl, data] = carrier(form(number));
          const { fields } = traceOf(buildApdu(ctrl, fromHex(data)));
          const traced = hexOf(fields);
          const where = `${number}, form ${index} in carrier ${place}: ${traced}`;
          expect(traced.replaceAll(':', ''), where).not.toContain(number);
          expect(traced.replaceAll(':', ''), where).not.toContain(ascii(number));
          expect(JSON.stringify(fields['fields'] ?? []), where).not.toContain(number);
        }
      }
    }
    const around = '0400000000120049097829280048690b000471';
    expect(bytesOf('040f', `${bmp('22', '4111111111111111')}${around}`).replaceAll(':', '')).toContain(
      around,
    );
  });

  it('stands in one field as a whole: no place cuts what is masked, so none tells more than the mask', () => {
    let cards = 0;
    for (const number of ['5555555555554444', '378282246310005', '4111111111111']) {
      // Behind a track more is masked than is card data, into the next field.
      for (const form of forms.filter((each) => !each(number).includes('d2512'))) {
        for (const carrier of carriers) {
          const [ctrl, data] = carrier(form(number));
          const { fields } = traceOf(buildApdu(ctrl, fromHex(data)));
          const masked = hexOf(fields).split(':');
          for (const [name, , place] of (fields['fields'] ?? []) as [
            string,
            string,
            { from: number; to: number }?,
          ][]) {
            if (place === undefined) continue;
            if (name === 'card number') cards += 1;
            expect(place.from).toBeLessThan(place.to);
            expect(place.to).toBeLessThanOrEqual(Number(fields['length']));
            for (const edge of [place.from, place.to])
              expect([masked[edge - 1], masked[edge]], `${name} in ${data}`).not.toEqual(['**', '**']);
          }
        }
      }
    }
    expect(cards).toBeGreaterThan(10);
  });

  it('would be found by this test', () => {
    const traced = (digits: string) => ({ hex: digits.match(/../g)?.join(':') ?? '' });
    expect(shows(traced('22f0f84012888888881881'), '4012888888881881')).toBe(true);
    expect(shows(traced(ascii('4012 8888 8888 1881')), '4012888888881881')).toBe(true);
    expect(shows(traced('22f0f8401288888888**81'), '4012888888881881')).toBe(false);
    expect(shows({ fields: [['text', '4012-8888-8888-1881']] }, '4012888888881881')).toBe(true);
    expect(shows(traced('22f0f8401288******1881'), '4012888888881881')).toBe(false);
  });
});
