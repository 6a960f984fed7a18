import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeMessage,
  describeMessage,
  encodeMessage,
  endsTicket,
  layouts,
  maxAmountMinor,
  paymentRequest,
  paymentResultOf,
  plainRequest,
  printOnTillRequest,
  progressText,
  readinessOf,
  reversalRequest,
  statusRequest,
  statusText,
  totalsOf,
  traceFields,
  tracedHex,
  type Encoding,
  type MessageParts,
} from '../../../../../src/bridge/terminals/ecr17/wire/index.ts';

const ascii = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const textOf = (encoded: Encoding) =>
  encoded.ok ? Buffer.from(encoded.data).toString('latin1') : encoded.error;
const to = { terminalId: '12345678', cashRegisterId: '1' };

function answerOf(parts: Omit<MessageParts, 'direction' | 'terminalId'>) {
  const encoded = encodeMessage({ direction: 'from_terminal', terminalId: '12345678', ...parts });
  if (!encoded.ok) throw new Error(encoded.error);
  return decodeMessage(encoded.data, 'from_terminal');
}

describe('messages', () => {
  it.each(layouts)('$direction $code of $length ($name): what is in its fields comes back', (layout) => {
    const { code, direction, fields, length } = layout;
    for (const [when, result] of [
      ['done', '00'],
      ['not_done', '01'],
    ] as const) {
      const shown = fields.filter((field) => field.name !== 'result' && (field.when ?? when) === when);
      const value = (longest: number) => fc.stringMatching(new RegExp(`^[1-9]{${longest}}$`));
      const values = fc.tuple(...shown.map((field) => value(Math.min(field.length ?? 8, 4))));
      fc.assert(
        fc.property(values, (all) => {
          const given = Object.fromEntries(shown.map(({ name }, index) => [name, all[index] ?? '']));
          const withResult = fields.some(({ name }) => name === 'result') ? { ...given, result } : given;
          const encoded = encodeMessage({
            code,
            direction,
            length,
            terminalId: '12345678',
            values: withResult,
          });
          expect(encoded.ok).toBe(true);
          if (!encoded.ok) return;
          const read = decodeMessage(encoded.data, direction);
          expect(read).toMatchObject({ code, direction, complete: true, name: layout.name });
          for (const [name, sent] of Object.entries(withResult))
            expect((read.values as Record<string, string>)[name]?.replace(/^0+(?=.)/, '')).toBe(
              sent.replace(/^0+(?=.)/, ''),
            );
        }),
        { numRuns: 20 },
      );
    }
  });

  it.each([
    [{ code: 'Z' }, 'there is no message "Z"'],
    [{ code: 's', terminalId: '1' }, 'a terminal id has 8 digits'],
    [{ code: 's', values: { amount: '1' } }, 'status has no field amount'],
    [{ code: 'P', values: { amount: '123456789' } }, 'amount is longer than 8'],
    [{ code: 'P', values: { text: '\u0003' } }, 'text has a character that cannot be sent'],
  ])('cannot be made of %j', (parts, error) => {
    expect(encodeMessage({ direction: 'to_terminal', terminalId: '12345678', ...parts })).toStrictEqual({
      ok: false,
      error,
    });
  });

  it('tell a reversal from a part of a ticket, and know no fields of other codes', () => {
    const head = '123456780S';
    expect(decodeMessage(ascii(`${head}0000000100012300`)).direction).toBe('to_terminal');
    expect(decodeMessage(ascii(`${head}TOTALE    12,5O}`)).direction).toBe('from_terminal');
    expect(decodeMessage(ascii('123456780K<a/>'))).toMatchObject({ code: 'K', name: null, complete: false });
    expect(decodeMessage(ascii('1234'))).toMatchObject({ code: '', name: null, complete: false, values: {} });
  });
});

describe('requests', () => {
  const payment = { ...to, amountMinor: 650, extendedAnswer: true };

  it.each([
    [statusRequest('00000000'), '000000000s'],
    [plainRequest('lastResult', to), '123456780G000000010000'],
    [plainRequest('totals', to), '123456780T0000000100000000'],
    [plainRequest('close', to), '123456780C0000000100000000'],
    [reversalRequest({ ...to, stan: '000123' }), '123456780S0000000100012300'],
    [printOnTillRequest('12345678', true), '123456780E1'],
    [paymentRequest(payment), `123456780X000000010000000000650${' '.repeat(128)}00000000`],
    [
      paymentRequest({ ...payment, extendedAnswer: false, paymentType: 'credit', text: 'A 1' }),
      `123456780P000000010000200000650${' '.repeat(125)}A 100000000`,
    ],
  ])('%#: %s', (encoded, text) => {
    expect(textOf(encoded)).toBe(text);
  });

  it.each([
    paymentRequest({ ...payment, amountMinor: 0 }),
    paymentRequest({ ...payment, amountMinor: 6.5 }),
    paymentRequest({ ...payment, amountMinor: maxAmountMinor + 1 }),
    paymentRequest({ ...payment, text: 'è' }),
    paymentRequest({ ...payment, text: 'x'.repeat(129) }),
    paymentRequest({ ...payment, cashRegisterId: '' }),
    paymentRequest({ ...payment, terminalId: '1234567' }),
    reversalRequest({ ...to, stan: '000000' }),
    reversalRequest({ ...to, stan: '12345' }),
  ])('%#: what the terminal could read otherwise is refused', (encoded) => {
    expect(encoded.ok).toBe(false);
  });
});

describe('answers', () => {
  it('to an extended payment name the amount of the host', () => {
    const message = answerOf({
      code: 'E',
      length: 92,
      values: { result: '00', hostAmount: '1250', entry: 'CLI', stan: '124' },
    });
    expect(paymentResultOf(message)).toMatchObject({
      outcome: 'approved',
      hostAmountMinor: 1_250,
      entryMode: 'contactless',
      stan: '000124',
    });
  });

  it.each([
    ['CARTA RIFIUTATA', 'declined'],
    ['OPERAZIONE ANNULLATA', 'cancelled'],
    ['PREMUTO TASTO STOP', 'cancelled'],
    ['', 'declined'],
  ])('with result 01 and %j: %s', (description, outcome) => {
    expect(paymentResultOf(answerOf({ code: 'E', values: { result: '01', description } }))?.outcome).toBe(
      outcome,
    );
  });

  it.each([
    ['05', 'failed'],
    ['09', 'failed'],
    ['02', 'unknown'],
    ['10', 'unknown'],
  ])('with result %s: %s', (result, outcome) => {
    expect(paymentResultOf(answerOf({ code: 'E', values: { result } }))?.outcome).toBe(outcome);
  });

  it('that lack something are unknown, whatever result they name', () => {
    const encoded = encodeMessage({
      code: 'E',
      direction: 'from_terminal',
      terminalId: '12345678',
      values: { result: '00' },
    });
    const whole = encoded.ok ? encoded.data : new Uint8Array();
    expect(whole).toHaveLength(71);
    for (let length = 10; length < 71; length += 1)
      expect(paymentResultOf(decodeMessage(whole.subarray(0, length), 'from_terminal'))?.outcome).toBe(
        'unknown',
      );
    expect(paymentResultOf(decodeMessage(whole))?.outcome).toBe('approved');
  });

  it.each([
    [71, { actionCode: null, hostAmountMinor: null }],
    [84, { actionCode: '100', hostAmountMinor: null }],
    [85, { actionCode: '100', hostAmountMinor: 1_250 }],
    [92, { actionCode: '100', hostAmountMinor: 1_250 }],
    [95, { actionCode: '100', hostAmountMinor: 1_250 }],
  ])('of %d characters have the fields of that length', (length, fields) => {
    const text = `123456780E00${'0'.repeat(59)}10000001250${'0'.repeat(20)}`.slice(0, length);
    expect(paymentResultOf(decodeMessage(ascii(text)))).toMatchObject(fields);
  });

  it('tell totals and a close that was not done', () => {
    expect(
      totalsOf(answerOf({ code: 'T', length: 44, values: { result: '00', posTotal: '5', hostTotal: '7' } })),
    ).toEqual({
      result: '00',
      posTotalMinor: 5,
      hostTotalMinor: 7,
      description: null,
    });
    const undone = '123456780C01SBILANCIO          100';
    expect(totalsOf(decodeMessage(ascii(undone)))).toMatchObject({
      description: 'SBILANCIO',
      posTotalMinor: null,
    });
    expect(decodeMessage(ascii(undone)).complete).toBe(true);
    expect(decodeMessage(ascii(`123456780C00${'0'.repeat(30)}`)).complete).toBe(false);
  });

  it('end a ticket with six new lines and ESC', () => {
    const part = (text: string) => decodeMessage(ascii(`123456780S${text}`), 'from_terminal');
    expect(endsTicket(part('FINE}}}}}}\u001b'))).toBe(true);
    expect(endsTicket(part('FINE}}}}}\u001b'))).toBe(false);
    expect(endsTicket(part('FINE}}}}}}'))).toBe(false);
    expect(part('  TOTALE ').values.text).toBe('  TOTALE ');
  });
});

describe('card data', () => {
  const card = '4111111111111111';
  const shownText = (bytes: Uint8Array) =>
    tracedHex(bytes, decodeMessage(bytes))
      .split(':')
      .map((byte) => (byte === '**' ? '*' : String.fromCharCode(Number.parseInt(byte, 16))))
      .join('');

  it.each([
    ['in its place', `123456780E00000${card}ICC${'0'.repeat(36)}`],
    ['in the place of a reason', `123456780E05000${card}ICC${'0'.repeat(36)}`],
    ['on a ticket', `123456780SCARTA ${card}}`],
    ['as the text of a payment', `123456780P000000010000000000650${card.padStart(128)}00000000`],
  ])('%s is cut down to its last four digits', (_, text) => {
    const message = decodeMessage(ascii(text));
    const made = JSON.stringify([
      message,
      describeMessage(message),
      traceFields(message),
      shownText(ascii(text)),
    ]);
    expect(made).toContain('1111');
    expect(made).not.toContain('11111111');
  });

  it('of a masked number has its last four digits, or nothing', () => {
    const last4 = (pan: string) =>
      decodeMessage(ascii(`123456780E00${pan}${'0'.repeat(40)}`)).values.panLast4;
    expect(last4('000************4771')).toBe('4771');
    expect(last4('*******************')).toBeUndefined();
  });

  it('is masked in progress', () => {
    expect(progressText(ascii(` ${card} `))).toBe('411111******1111');
  });
});

describe('the state of the terminal', () => {
  it('is ready, or needs somebody', () => {
    expect(['0', '1', '2', '3', '4', '5', '6', '7'].map(readinessOf).join(' ')).toBe(
      'service service ready operator service warning warning service',
    );
    expect(statusText('2')).toBe('Ready');
    expect(statusText('x')).toBe('Unknown terminal status x');
  });
});

describe('a total', () => {
  it('is no card number, also where its digits add up to one', () => {
    const message = decodeMessage(ascii('123456780T004111111111111111000000'));
    expect(message.values.posTotal).toBe('4111111111111111');
    expect(traceFields(answerOf({ code: 'T', values: { posTotal: '4192' } }))).toContainEqual([
      'total of the terminal',
      '41.92',
      { from: 12, to: 28 },
    ]);
  });
});

describe('the wire trace', () => {
  it('has names, words and places', () => {
    const status = ascii('371050510s000000000031072621222SYSEMV  204');
    expect(traceFields(decodeMessage(status))).toStrictEqual([
      ['date and time', '2026-07-31 21:22', { from: 20, to: 30 }],
      ['terminal status', '2: Ready', { from: 30, to: 31 }],
      ['software version', 'SYSEMV  204', { from: 31, to: 42 }],
    ]);
  });
});
