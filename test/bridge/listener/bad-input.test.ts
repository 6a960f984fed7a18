import { Agent } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { failureResponseSchema } from '../../../src/contract/http-commands.ts';
import { errorStatus } from '../../../src/contract/errors.ts';
import type { ErrorCode } from '../../../src/contract/errors.ts';
import { post, raw, rawPost, send } from './http.ts';
import type { HttpAnswer, HttpCall } from './http.ts';
import { startListener } from './set-up.ts';

const sale = { amount: '12.00', retrieval_reference_number: 'A-1' };
const mebibyte = 'x'.repeat(1024 * 1024);

const agents: Agent[] = [];
afterEach(() => agents.splice(0).forEach((agent) => agent.destroy()));

function expectFailure(answer: HttpAnswer, code: ErrorCode) {
  const failure = failureResponseSchema.parse(answer.json);
  expect([answer.status, failure.code]).toEqual([errorStatus[code], code]);
  expect(failure.message).toMatch(/^[A-Z/].*\.$/s);
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  expect(answer.headers['x-request-id']).toBeTruthy();
  return failure;
}

describe('bodies', () => {
  const bodies: [string, string | Buffer, ErrorCode][] = [
    ['nothing', '', 'invalid_json'],
    ['truncated JSON', '{"amount":"12.0', 'invalid_json'],
    ['two objects', '{}{}', 'invalid_json'],
    ['an array', '[{"amount":"12.00"}]', 'invalid_json'],
    ['a string', '"12.00"', 'invalid_json'],
    ['a number', '12', 'invalid_json'],
    ['null', 'null', 'invalid_json'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), 'invalid_json'],
    ['UTF-16', Buffer.from(JSON.stringify(sale), 'utf16le'), 'invalid_json'],
    ['deep nesting', '['.repeat(30_000), 'invalid_json'],
    ['a form', 'amount=12.00&retrieval_reference_number=A-1', 'invalid_json'],
    ['64 KiB and a byte', `{"amount":"${'1'.repeat(64 * 1024 - 12)}"}`, 'body_too_large'],
    ['a mebibyte', mebibyte, 'body_too_large'],
  ];
  it.each(bodies)('%s', async (_name, body, code) => {
    const { port, payments } = await startListener();
    expectFailure(await post(port, '/CreatePayment', body), code);
    expect(payments.asked).toEqual([]);
    expect((await post(port, '/CreatePayment', sale)).status).toBe(200);
  });

  it('takes a body of exactly 64 KiB, and one with a byte order mark', async () => {
    const { port } = await startListener();
    const empty = JSON.stringify({ ...sale, note: '' });
    const full = JSON.stringify({ ...sale, note: 'n'.repeat(64 * 1024 - empty.length) });
    expect(Buffer.byteLength(full)).toBe(64 * 1024);
    expect((await post(port, '/CreatePayment', full)).status).toBe(200);
    expect((await post(port, '/CreatePayment', `\ufeff${JSON.stringify(sale)}`)).status).toBe(200);
  });

  it('answers a chunked body that is too large, and then closes', async () => {
    const { port } = await startListener();
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const head = `POST /CreatePayment HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nx-api-version: v1\r\nContent-Type: application/json\r\n`;
    const answer = await raw(
      port,
      `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}${chunk}`,
      `${chunk}0\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('"code":"body_too_large"');
    expect(answer).toMatch(/\r\nConnection: close\r\n/i);
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('takes what follows a Content-Length that is too small for a malformed request, after its own answer', async () => {
    const { port, payments } = await startListener();
    const lying = rawPost(port, '/QueryPayment', '{}').replace('Content-Length: 2', 'Content-Length: 1');
    const answer = await raw(port, lying);
    expect(answer.match(/"code":"\w+"/g)).toEqual(['"code":"invalid_json"', '"code":"invalid_request"']);
    expect(payments.asked).toEqual([]);
  });

  it('refuses compressed bodies', async () => {
    const { port } = await startListener();
    const packed = gzipSync(JSON.stringify(sale));
    const answer = await post(port, '/CreatePayment', packed, { headers: { 'content-encoding': 'gzip' } });
    expect(expectFailure(answer, 'unsupported_media_type').message).toContain('without a Content-Encoding');
  });
});

describe('fields', () => {
  const wrong: [Record<string, unknown>, string, string][] = [
    [
      { ...sale, amount: 12 },
      'amount',
      'must be a string with digits, a point and two decimals, such as "12.00", not a number',
    ],
    [{ ...sale, amount: 12.5 }, 'amount', 'not a number'],
    [{ ...sale, amount: '12,00' }, 'amount', 'such as "12.00"'],
    [{ ...sale, amount: '-12.00' }, 'amount', 'such as "12.00"'],
    [{ ...sale, amount: '+12.00' }, 'amount', 'such as "12.00"'],
    [{ ...sale, amount: '12.000' }, 'amount', 'such as "12.00"'],
    [{ ...sale, amount: '12' }, 'amount', 'such as "12.00"'],
    [{ ...sale, amount: ' 12.00' }, 'amount', 'such as "12.00"'],
    [{ ...sale, amount: '12345678901.00' }, 'amount', 'such as "12.00"'],
    [{ ...sale, amount: '１２.00' }, 'amount', 'such as "12.00"'],
    [{ ...sale, amount: '0.00' }, 'amount', 'must be more than "0.00"'],
    [{ ...sale, amount: null }, 'amount', 'not null'],
    [{ ...sale, amount: ['12.00'] }, 'amount', 'not an array'],
    [{ ...sale, amount: {} }, 'amount', 'not an object'],
    [{ ...sale, amount: true }, 'amount', 'not a boolean'],
    [{ retrieval_reference_number: 'A-1' }, 'amount', 'amount is missing; it must be a string'],
    [{ ...sale, retrieval_reference_number: '' }, 'retrieval_reference_number', 'must be 1 to 40 characters'],
    [
      { ...sale, retrieval_reference_number: 'x'.repeat(41) },
      'retrieval_reference_number',
      'must be 1 to 40',
    ],
    [
      { ...sale, retrieval_reference_number: 'A 1' },
      'retrieval_reference_number',
      'must be 1 to 40 characters',
    ],
    [{ ...sale, retrieval_reference_number: 'A-1\n' }, 'retrieval_reference_number', 'must be 1 to 40'],
    [{ ...sale, retrieval_reference_number: 7 }, 'retrieval_reference_number', 'not a number'],
    [{ amount: '12.00' }, 'retrieval_reference_number', 'would be a second sale'],
    [{ ...sale, condition_code: '123456789' }, 'condition_code', 'must be 1 to 8 letters or digits'],
    [{ ...sale, condition_code: 0 }, 'condition_code', 'not a number'],
    [{ ...sale, condition_code: null }, 'condition_code', 'not null'],
  ];
  it.each(wrong)('%j', async (body, path, sentence) => {
    const { port, payments } = await startListener();
    const failure = expectFailure(await post(port, '/CreatePayment', body), 'invalid_request');
    expect(failure.issues).toEqual([{ path, message: expect.stringContaining(sentence) }]);
    expect(failure.message).toContain(sentence);
    expect(payments.asked).toEqual([]);
  });

  it('names everything that is wrong at once', async () => {
    const { port } = await startListener();
    const failure = expectFailure(
      await post(port, '/CreatePayment', { amount: 1, condition_code: '' }),
      'invalid_request',
    );
    expect(failure.issues?.map(({ path }) => path)).toEqual([
      'amount',
      'condition_code',
      'retrieval_reference_number',
    ]);
  });

  it('takes no cents in a currency that has none', async () => {
    const { port } = await startListener({ currency: 'JPY' });
    const failure = expectFailure(
      await post(port, '/CreatePayment', sale.amount === '12.00' ? { ...sale, amount: '12.50' } : {}),
      'invalid_request',
    );
    expect(failure.issues?.[0]?.message).toContain('JPY has no minor unit');
  });

  it('wants the reference where a command needs it', async () => {
    const { port } = await startListener();
    for (const path of ['/QueryPayment', '/VoidPayment']) {
      const failure = expectFailure(await post(port, path, {}), 'invalid_request');
      expect(failure.issues).toEqual([
        {
          path: 'retrieval_reference_number',
          message: expect.stringContaining('is missing; it must be 1 to 40'),
        },
      ]);
    }
  });

  it('never repeats what was sent', async () => {
    const { port, lines } = await startListener();
    const card = '5413330000000019';
    const answers = [
      await post(port, '/CreatePayment', { ...sale, amount: card, condition_code: card }),
      await post(port, '/CreatePayment', `{"amount": ${card}`),
    ];
    for (const answer of answers) expect(answer.text).not.toContain(card);
    expect(JSON.stringify(lines)).not.toContain(card);
  });

  it('ignores unknown fields and notes their names, bounded', async () => {
    const { port, payments, lines } = await startListener();
    const many = Object.fromEntries(Array.from({ length: 50 }, (_unused, index) => [`extra${index}`, 1]));
    const body = { ...sale, tip: '1.00', ['long'.repeat(1_000)]: 1, ...many };
    expect((await post(port, '/CreatePayment', body)).status).toBe(200);
    const note = lines.find(({ message }) => message.includes('ignored fields'));
    expect(note?.fields).toMatchObject({ count: 52 });
    expect(note?.fields['fields']).toHaveLength(10);
    expect(JSON.stringify(note).length).toBeLessThan(1_000);
    expect(payments.asked).toEqual(['createPayment']);
  });

  it('is not impressed by __proto__ and by equal keys', async () => {
    const { port } = await startListener();
    const hostile = `{"__proto__":{"amount":"99.00","polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}},"retrieval_reference_number":"A-1"}`;
    const failure = expectFailure(await post(port, '/CreatePayment', hostile), 'invalid_request');
    expect(failure.issues?.map(({ path }) => path)).toEqual(['amount']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    const doubled = `{"amount":"99.00","retrieval_reference_number":"A-1","amount":"12.00"}`;
    expect((await post(port, '/CreatePayment', doubled)).json.message).toContain('12.00 EUR');
  });
});

describe('heads', () => {
  const heads: [string, HttpCall, ErrorCode, string][] = [
    ['no version', { without: ['x-api-version'] }, 'api_version_missing', 'x-api-version: v1'],
    [
      'another version',
      { headers: { 'x-api-version': 'v2' } },
      'api_version_unsupported',
      '"v1" or "latest"',
    ],
    ['an empty version', { headers: { 'x-api-version': '' } }, 'api_version_unsupported', '"v1"'],
    ['two versions', { headers: { 'x-api-version': ['v1', 'v2'] } }, 'api_version_unsupported', '"v1"'],
    ['no type', { without: ['content-type'] }, 'unsupported_media_type', 'application/json'],
    [
      'a form',
      { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      'unsupported_media_type',
      'application/json',
    ],
    [
      'plain text',
      { headers: { 'content-type': 'text/plain' } },
      'unsupported_media_type',
      'application/json',
    ],
    [
      'a longer type',
      { headers: { 'content-type': 'application/jsonp' } },
      'unsupported_media_type',
      'application/json',
    ],
    [
      'a vendor type',
      { headers: { 'content-type': 'application/problem+json' } },
      'unsupported_media_type',
      'application/json',
    ],
  ];
  it.each(heads)('%s', async (_name, call, code, words) => {
    const { port, payments } = await startListener();
    expect(expectFailure(await post(port, '/CreatePayment', sale, call), code).message).toContain(words);
    expect(payments.asked).toEqual([]);
  });

  it.each([
    'application/json; charset=utf-8',
    'Application/JSON;charset=UTF-8',
    'application/json ; profile="x"',
  ])('takes Content-Type: %s', async (type) => {
    const { port } = await startListener();
    expect((await post(port, '/CreatePayment', sale, { headers: { 'content-type': type } })).status).toBe(
      200,
    );
  });

  it('speaks latest as it does v1', async () => {
    const { port } = await startListener();
    expect(
      (await post(port, '/CreatePayment', sale, { headers: { 'x-api-version': 'latest' } })).status,
    ).toBe(200);
  });

  it('reads a large body of a refused request to its end, so that the connection goes on', async () => {
    const { port } = await startListener();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    agents.push(agent);
    const refused = await post(port, '/CreatePayment', mebibyte, { agent, without: ['x-api-version'] });
    expectFailure(refused, 'api_version_missing');
    expect((await post(port, '/CreatePayment', sale, { agent })).status).toBe(200);
  });
});

describe('paths and methods', () => {
  it.each([
    '/',
    '/createpayment',
    '/CreatePayment/',
    '/CreatePayment/x',
    '/%zz',
    '//CreatePayment',
    '/__proto__',
    '/v1/CreatePayment',
  ])('does not know %s', async (path) => {
    const { port } = await startListener();
    for (const method of ['POST', 'GET', 'OPTIONS']) {
      const answer = await send(port, path, { method, headers: { 'x-api-version': 'v1' } });
      expect(expectFailure(answer, 'not_found').message).toContain('/CreatePayment, ');
    }
  });

  it('takes a query string as nothing', async () => {
    const { port } = await startListener();
    expect((await post(port, '/CreatePayment?amount=99.00&a[b]=c', sale)).json.message).toContain(
      '12.00 EUR',
    );
  });

  it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'])(
    'refuses %s for a command',
    async (method) => {
      const { port, payments } = await startListener();
      for (const path of [
        '/CreatePayment',
        '/CancelPayment',
        '/QueryPayment',
        '/VoidPayment',
        '/SubmitBatch',
      ]) {
        const answer = await send(port, path, { method });
        expectFailure(answer, 'method_not_allowed');
        expect(answer.headers['allow']).toBe('POST, OPTIONS');
      }
      expect(payments.asked).toEqual([]);
    },
  );

  it.each(['POST', 'PUT', 'DELETE'])('refuses %s for what is only read', async (method) => {
    const { port } = await startListener();
    for (const path of ['/health', '/events', '/openapi.json', '/metrics']) {
      const answer = await send(port, path, { method });
      expectFailure(answer, 'method_not_allowed');
      expect(answer.headers['allow']).toBe('GET, HEAD, OPTIONS');
    }
  });

  it('answers HEAD without a body, and refuses it for commands', async () => {
    const { port } = await startListener();
    for (const path of ['/health', '/events', '/openapi.json', '/metrics']) {
      const answer = await send(port, path, { method: 'HEAD' });
      expect([answer.status, answer.text]).toEqual([200, '']);
    }
    expect((await send(port, '/CreatePayment', { method: 'HEAD' })).status).toBe(405);
  });
});
