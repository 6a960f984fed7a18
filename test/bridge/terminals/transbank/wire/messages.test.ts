import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  allForms,
  decodeMessage,
  describeMessage,
  detailRequest,
  encodeMessage,
  endsDetail,
  maxAmount,
  needsClose,
  plainRequest,
  progressStep,
  progressText,
  refundRequest,
  resultText,
  saleRequest,
  saleResultOf,
  totalsOf,
  traceFields,
  tracedHex,
  verdictOf,
  type Encoding,
} from '../../../../../src/bridge/terminals/transbank/wire/index.ts';

const ascii = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const textOf = (encoded: Encoding) =>
  encoded.ok ? Buffer.from(encoded.data).toString('latin1') : encoded.error;

const approved =
  '0210|00|597029414300|75001089|ABC123|181278|2500|0||6590|000064|CR|||VI|14052019|111555||| |';

describe('messages', () => {
  it.each(allForms)(
    '$command $direction: whatever is in its fields comes back',
    ({ command, direction, fields }) => {
      const value = fc.stringMatching(/^[ -{}~]{0,12}$/);
      const ofMessage = fields.filter(
        (field) => field !== null && field !== 'accountNumber' && field !== 'last4',
      );
      fc.assert(
        fc.property(fc.array(value, { minLength: fields.length, maxLength: fields.length }), (all) => {
          const values = Object.fromEntries(ofMessage.map((field, index) => [field, all[index] ?? '']));
          for (const trailingSeparator of [false, true]) {
            const encoded = encodeMessage({ command, direction, values, trailingSeparator });
            expect(encoded.ok).toBe(true);
            if (!encoded.ok) return;
            const { accountNumber: _, last4: __, ...read } = decodeMessage(encoded.data, direction).values;
            expect(read).toStrictEqual(values);
          }
        }),
        { numRuns: 20 },
      );
    },
  );

  it.each([
    [{ command: '0201' }, 'there is no command "0201"'],
    [{ command: 'toString' }, 'there is no command "toString"'],
    [{ command: '0100', values: { amount: '1' } }, 'command 0100 has no field amount'],
    [{ command: '0200', values: { ticket: 'A|1' } }, 'ticket has a character that cannot be sent'],
    [{ command: '0200', values: { ticket: 'A\u0003' } }, 'ticket has a character that cannot be sent'],
  ])('cannot be made of %j', (parts, error) => {
    expect(encodeMessage({ direction: 'to_terminal', ...parts })).toStrictEqual({ ok: false, error });
  });

  it('tells the request 0260 from the answer 0260', () => {
    for (const text of ['0260|1|', '0260|0|', '0260||', '0260|1'])
      expect(decodeMessage(ascii(text)).direction).toBe('to_terminal');
    for (const text of ['0260|11', `0260${approved.slice(4)}`])
      expect(decodeMessage(ascii(text)).direction).toBe('from_terminal');
  });

  it('has no more of an unknown command than its parts', () => {
    const message = decodeMessage(ascii('9999|a|4111111111111111'));
    expect(describeMessage(message)).toStrictEqual({
      command: '9999',
      partCount: 3,
      parts: ['9999', 'a', '411111******1111'],
    });
    expect(message.name).toBeNull();
  });
});

describe('card data', () => {
  const text = '0210|00|5|7|T1|1|9|||4111111111111111|1|DB||6012345678901234567|DB|||||4000000000000002|';
  const message = decodeMessage(ascii(text));

  it('is dropped but for the last four digits', () => {
    const made = JSON.stringify([
      describeMessage(message),
      traceFields(message),
      saleResultOf(message),
      message,
    ]);
    expect(made).toContain('1111');
    for (const digits of ['11111', '60123', '34567', '000000000000002']) expect(made).not.toContain(digits);
  });

  it('is masked in the bytes of the trace', () => {
    const shown = tracedHex(ascii(text), message).replace(/[0-9a-f]{2}:?/g, (byte) =>
      String.fromCharCode(Number.parseInt(byte, 16)),
    );
    expect(shown.replaceAll('**:', '*')).toBe(
      '0210|00|5|7|T1|1|9|||************1111|1|DB||*******************|DB|||||400000******0002|',
    );
  });
});

describe('requests', () => {
  const sale = { amount: 2_500, ticket: 'ABC123', progress: false };

  it.each([
    [saleRequest(sale), '0200|000002500|ABC123|||0'],
    [saleRequest({ ...sale, progress: true, ticket: 'z' }), '0200|000002500|z|||1'],
    [saleRequest({ ...sale, providerCommerceCode: '0' }), '0270|000002500|ABC123|||0|0'],
    [saleRequest({ ...sale, amount: maxAmount }), '0200|999999999|ABC123|||0'],
    [refundRequest('64'), '1200|64|'],
    [detailRequest(true), '0260|1|'],
    [detailRequest(false), '0260|0|'],
    [plainRequest('poll'), '0100'],
    [plainRequest('lastSale'), '0250|'],
    [plainRequest('close'), '0500||'],
    [plainRequest('totals'), '0700||'],
    [plainRequest('loadKeys'), '0800'],
  ])('%#: %s', (encoded, text) => {
    expect(textOf(encoded)).toBe(text);
  });

  it.each([
    saleRequest({ ...sale, amount: 0 }),
    saleRequest({ ...sale, amount: -1 }),
    saleRequest({ ...sale, amount: 25.5 }),
    saleRequest({ ...sale, amount: Number.NaN }),
    saleRequest({ ...sale, amount: maxAmount + 1 }),
    saleRequest({ ...sale, ticket: '' }),
    saleRequest({ ...sale, ticket: 'ABC1234' }),
    saleRequest({ ...sale, ticket: 'A|B' }),
    saleRequest({ ...sale, ticket: 'ñ' }),
    saleRequest({ ...sale, providerCommerceCode: '' }),
    refundRequest(''),
    refundRequest('1|'),
  ])('%#: what the terminal could read otherwise is refused', (encoded) => {
    expect(encoded.ok).toBe(false);
  });
});

describe('answers', () => {
  it('are trimmed, and numbers are numbers', () => {
    expect(saleResultOf(decodeMessage(ascii(approved)))).toStrictEqual({
      responseCode: '00',
      commerceCode: '597029414300',
      terminalId: '75001089',
      ticket: 'ABC123',
      authorizationCode: '181278',
      amount: 2_500,
      added: 0,
      last4: '6590',
      operationNumber: '000064',
      cardType: 'CR',
      cardBrand: 'VI',
      date: '14052019',
      time: '111555',
    });
  });

  it.each(['01', '07', '22', '0', '', '000', 'OK', '0O'])('with %j are not approved', (code) => {
    expect(verdictOf(decodeMessage(ascii(`0210|${code}|5|7|T|1|2500`)))).not.toBe('approved');
  });

  it.each([
    ['0210|00|5|7|T|123456|2500', 'approved'],
    ['0210|01|5|7|T||2500', 'refused'],
    ['0210|99|5|7|T||2500', 'refused'],
    ['0210|22|5|7|T||2500', 'unsure'],
    ['0210', 'unreadable'],
    ['0210||5|7|T|123456|2500', 'unreadable'],
    ['0210|OK|5|7|T', 'unreadable'],
    ['0210|24|5|7|T|123456|2500', 'contradictory'],
    ['0260|22|5|7|T|123456|2500', 'contradictory'],
    ['0210|24|5|7|T||2500|||6590|000064', 'contradictory'],
    ['0210|24|5|7|T|000000|2500|||6590|000000', 'refused'],
    ['1210|05|5|7||000064', 'refused'],
    ['1210|05|5|7|123456|000064', 'contradictory'],
    ['0510|', 'unreadable'],
  ])('%s is %s', (text, verdict) => {
    expect(verdictOf(decodeMessage(ascii(text)))).toBe(verdict);
  });

  it.each(['0210', '0210|', '0210|00'])('may be as short as %s', (text) => {
    expect(saleResultOf(decodeMessage(ascii(text)))).toMatchObject({ ticket: null, amount: null });
  });

  it('have no amount where it is no number', () => {
    for (const amount of ['', '-1', '1.5', '1e9', '1234567890'])
      expect(saleResultOf(decodeMessage(ascii(`0210|00|5|7|T|1|${amount}`)))?.amount).toBeNull();
  });

  it('have a tip and change added, which are nothing where they are not told', () => {
    const addedBy = (tip: string, change: string) =>
      saleResultOf(decodeMessage(ascii(`0210|00|5|7|T|1|2500||||||||||||${tip}||${change}`)))?.added;
    expect([addedBy('0 ', ''), addedBy('', '00000'), addedBy('250', '5000')]).toStrictEqual([0, 0, 5_250]);
    expect([addedBy('2.50', ''), addedBy('', '-1')]).toStrictEqual([null, null]);
  });

  it('end a series of sales with a line that names none', () => {
    expect(endsDetail(decodeMessage(ascii('0261|00|597029414300|75001089||||||||||||||')))).toBe(true);
    expect(endsDetail(decodeMessage(ascii('0261|11')))).toBe(true);
    expect(endsDetail(decodeMessage(ascii('0261|00|5|7|      |      |  |    |      |')))).toBe(true);
    expect(endsDetail(decodeMessage(ascii('0261|00|5|7|T|123456|1200')))).toBe(false);
    expect(endsDetail(decodeMessage(ascii('0261|00|5|7|T|      |1200')))).toBe(false);
    expect(endsDetail(decodeMessage(ascii('0261|00|5|7|||1200|3331|000072')))).toBe(false);
    expect(endsDetail(decodeMessage(ascii('0210|01|5|7|T||1200')))).toBe(false);
  });

  it('have other places in the detail', () => {
    const line = '0261|00|5|7|T1|123456|1200|3331|000072|DB|000000|331|P|16032026|120653||10|20|03|';
    expect(saleResultOf(decodeMessage(ascii(line)))).toMatchObject({
      last4: '3331',
      operationNumber: '000072',
      added: 10,
      date: '16032026',
    });
    expect(decodeMessage(ascii(line)).values).toMatchObject({ instalmentAmount: '20', instalments: '03' });
  });

  it('tell totals', () => {
    expect(totalsOf(decodeMessage(ascii('0710|00|1|2000')))).toStrictEqual({
      responseCode: '00',
      count: 1,
      total: 2_000,
    });
    expect(totalsOf(decodeMessage(ascii('0510|00')))).toBeNull();
    expect(saleResultOf(decodeMessage(ascii('0260|1|')))).toBeNull();
  });
});

describe('codes', () => {
  it('have a sentence, known or not', () => {
    expect(resultText('07')).toBe('Cancelled at the terminal');
    expect(resultText('99')).toBe('Unknown result code 99');
    expect(resultText('constructor')).toBe('Unknown result code constructor');
  });

  it('that leave open what the host has decided are told apart, and those that ask for a close', () => {
    const codes = Array.from({ length: 100 }, (_, code) => String(code).padStart(2, '0'));
    const isUnsure = (code: string) => verdictOf(decodeMessage(ascii(`0210|${code}`))) === 'unsure';
    expect(codes.filter(isUnsure)).toStrictEqual(['02', '03', '16', '22', '65', '94']);
    expect(codes.filter(needsClose)).toStrictEqual(['13', '67', '74', '76', '77']);
  });

  it('of progress are steps', () => {
    expect([progressStep('81'), progressText('81')]).toStrictEqual(['enter_pin', 'Enter PIN']);
    expect([progressStep('zz'), progressText('zz')]).toStrictEqual(['please_wait', 'Please wait']);
    expect(progressStep('toString')).toBe('please_wait');
  });
});

describe('the wire trace', () => {
  it('has names, words and places', () => {
    expect(traceFields(decodeMessage(ascii('0900|81|')))).toStrictEqual([
      ['status', '81: Enter PIN', { from: 5, to: 7 }],
    ]);
    expect(traceFields(decodeMessage(ascii(approved)))).toContainEqual([
      'card number',
      '•••• 6590',
      { from: 52, to: 56 },
    ]);
    expect(approved.slice(52, 56)).toBe('6590');
  });
});
