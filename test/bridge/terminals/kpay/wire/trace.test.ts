import { describe, expect, it } from 'vitest';
import {
  kpayDecoder,
  requestName,
  tracedHex,
  traceFields,
} from '../../../../../src/bridge/terminals/kpay/wire/index.ts';
import { kpayKeys } from '../kpay-keys.ts';

const bodyOf = (value: unknown) => Buffer.from(JSON.stringify(value));
const sale = bodyOf({
  outTradeNo: 'TB000001',
  payAmount: '000000012345',
  payCurrency: '702',
  remark: 'Order "1" 枱3\nx',
});
const result = bodyOf({
  code: 10_000,
  data: { payResult: 2, transactionType: 1, payMethod: 1, cardNo: '4111111111111111', other: 'a' },
});

describe('a body in the wire trace', () => {
  it('is told field by field, with the bytes in which each stands', () => {
    const fields = traceFields(sale, 'HKD');
    expect(fields.map(([name, value]) => [name, value])).toStrictEqual([
      ['transaction number', 'TB000001'],
      ['amount', '123.45'],
      ['currency', 'SGD'],
      ['remark', 'Order "1" 枱3 x'],
    ]);
    expect(fields.map(([, , place]) => sale.subarray(place?.from, place?.to).toString())).toStrictEqual([
      '"outTradeNo":"TB000001"',
      '"payAmount":"000000012345"',
      '"payCurrency":"702"',
      String.raw`"remark":"Order \"1\" 枱3\nx"`,
    ]);
  });

  it('has codes with their words, and the end of a card number only', () => {
    expect(traceFields(result, 'HKD').map(([name, value]) => [name, value])).toStrictEqual([
      ['answer code', '10000: Accepted'],
      ['result', '2: Successful'],
      ['kind of transaction', '1: sale'],
      ['paid with', '1: Visa'],
      ['card number', '************1111'],
    ]);
  });

  it('takes nothing for a field that stands in a text', () => {
    const body = bodyOf({ remark: '"code":5,', code: 1 });
    expect(traceFields(body, 'HKD').map(([name]) => name)).toStrictEqual(['remark', 'answer code']);
  });

  it('is bounded', () => {
    const body = bodyOf(Array.from({ length: 300 }, () => ({ remark: 'x'.repeat(1_000) })));
    const fields = traceFields(body, 'HKD');
    expect(fields.length).toBeLessThanOrEqual(100);
    expect(fields.at(-1)?.[0]).toBe('left out');
    expect(fields.map(([, value]) => value).join('').length).toBeLessThan(8_500);
    expect(tracedHex(body).split(':')).toHaveLength(2_048);
  });

  it('has neither a key nor a secret nor a card number in its bytes', () => {
    const secrets = {
      appSecret: 'not-to-be-seen',
      appPrivateKey: 'MIIEvwIBADAN',
      platformPublicKey: 'MIIBIjANBgkq',
      managerPassword: 'c2VjcmV0',
    };
    for (const [name, value] of Object.entries(secrets)) {
      const body = bodyOf({ appId: '1', data: { [name]: value } });
      expect(traceFields(body, 'HKD')).toStrictEqual([]);
      expect(textOf(tracedHex(body))).toBe(
        body.toString().replace(`"${value}"`, '#'.repeat(value.length + 2)),
      );
      const cut = body.subarray(0, body.indexOf(value) + 5);
      expect(textOf(tracedHex(cut))).not.toContain(value.slice(0, 5));
    }
    expect(textOf(tracedHex(result))).toBe(
      result.toString().replace('4111111111111111', '############1111').replace('"####', '#####'),
    );
    const long = bodyOf({ a: 'x'.repeat(1_990), appPrivateKey: 'K'.repeat(70_000) });
    expect(textOf(tracedHex(long))).not.toContain('KK');
    const remark = bodyOf({ remark: 'paid by 4111111111111111' });
    expect(textOf(tracedHex(remark))).toContain('411111######1111');
    expect(JSON.stringify(traceFields(remark, 'HKD'))).toContain('411111******1111');
  });

  it('has a name for each command', () => {
    expect(requestName('POST', '/v2/pos/sales/cancel')).toBe('void');
    expect(requestName('GET', '/v2/pos/query?outTradeNo=A')).toBe('query');
    expect(requestName('POST', '/v2/pos/print')).toBe('unknown');
  });
});

describe('a decoded message', () => {
  const decode = (body: Uint8Array) => {
    const head = 'POST /v2/pos/sales HTTP/1.1\r\ntimestamp: 1774832410000\r\nnonceStr: a\r\n';
    const message = Buffer.concat([Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n`), body]);
    return JSON.stringify(kpayDecoder.decode(message, { framing: 'http' }));
  };

  it('has no card number, wherever it stood', () => {
    const number = '4111111111111111';
    const shown = decode(
      bodyOf({ cardNo: number, remark: `x ${number}`, data: [{ reason: number }], other: Number(number) }),
    );
    expect(shown).toContain('"cardNo":"************1111"');
    expect(shown).not.toContain('1111111');
  });

  it('is read also where it is nested deeper than a stack', () => {
    expect(decode(Buffer.from('['.repeat(50_000) + ']'.repeat(50_000)))).toContain('"ok":true');
  });

  it('is told from keys that must be kept', () => {
    const der = (base64: string) => kpayDecoder.decode(Buffer.from(base64, 'base64'), { framing: 'der' });
    expect(der(kpayKeys.appPrivateKey)).toStrictEqual({
      ok: true,
      decoded: { kind: 'private key', format: 'PKCS#8 DER' },
    });
    expect(der(kpayKeys.platformPublicKey).ok).toBe(false);
  });

  it('cannot be checked with a file that has no key', () => {
    const read = kpayDecoder.decode(bodyOf({}), { framing: 'http', keys: 'no key' });
    expect(read).toStrictEqual({ ok: false, error: 'the file with keys has none that can be used' });
  });
});

/** The text of traced bytes, with `#` for a hidden one. */
function textOf(hex: string): string {
  return hex
    .split(':')
    .map((two) => (two === '**' ? '#' : String.fromCharCode(Number.parseInt(two, 16))))
    .join('');
}
