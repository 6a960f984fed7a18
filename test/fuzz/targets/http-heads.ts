/** Raw bytes on a connection of the bridge's port. */
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { Random } from '../../support/random.ts';
import { damaged } from '../mutate.ts';
import type { FuzzTarget } from '../target.ts';
import { everythingFrom, openFuzzedListener, readAnswers } from './http-listener.ts';

const head = (...lines: string[]) => Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
const fuzzHost = 'Host: fuzz';
const sale = '{"amount":"12.00","retrieval_reference_number":"A-1"}';
const command = (path: string, body: string, ...lines: string[]) =>
  Buffer.concat([
    head(
      `POST ${path} HTTP/1.1`,
      fuzzHost,
      'x-api-version: v1',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      ...lines,
    ),
    Buffer.from(body),
  ]);

const seeds = [
  head('GET /health HTTP/1.1', fuzzHost),
  head('GET /health HTTP/1.0', fuzzHost, 'Connection: keep-alive'),
  head('HEAD /health HTTP/1.1', fuzzHost),
  head('GET /events HTTP/1.1', fuzzHost, 'Last-Event-ID: 1'),
  head('GET /openapi.json HTTP/1.1', fuzzHost),
  head('GET http://fuzz/health HTTP/1.1', fuzzHost),
  head(
    'OPTIONS /CreatePayment HTTP/1.1',
    fuzzHost,
    'Origin: https://pos.example',
    'Access-Control-Request-Private-Network: true',
  ),
  head('OPTIONS * HTTP/1.1', fuzzHost),
  head('GET /health HTTP/1.1', fuzzHost, 'Origin: https://evil.example'),
  head('GET /health HTTP/1.1', 'Host: evil.example'),
  head('CONNECT fuzz:443 HTTP/1.1', fuzzHost),
  head(
    'GET /health HTTP/1.1',
    fuzzHost,
    'Connection: Upgrade, HTTP2-Settings',
    'Upgrade: h2c',
    'HTTP2-Settings: AAMAAABkAAQAAP__',
  ),
  head('PRI * HTTP/2.0', '', 'SM'),
  Buffer.from('GET /health\r\n'),
  Buffer.from('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'latin1'),
  head('GET /%00%ff/../health?a=%zz#x HTTP/1.1', fuzzHost),
  head('GET /health HTTP/1.1', fuzzHost, fuzzHost, 'X: y', ' folded'),
  command('/CreatePayment', sale),
  command(
    '/CreatePayment',
    sale,
    'Prefer: wait=1, respond-async; x="a\\"b"',
    'X-Request-Id: r-1',
    'Authorization: Bearer tb_x',
  ),
  command('/CreatePayment', sale, 'Expect: 100-continue'),
  command('/CreatePayment', sale, 'Expect: the worst'),
  Buffer.concat([
    command('/QueryPayment', '{"retrieval_reference_number":"A-1"}'),
    command('/CancelPayment', '{}'),
    head('GET /health HTTP/1.1', fuzzHost),
  ]),
  Buffer.concat([
    head(
      'POST /SubmitBatch HTTP/1.1',
      fuzzHost,
      'x-api-version: v1',
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
      'Trailer: X',
    ),
    Buffer.from('1;a=b\r\n{\r\n1\r\n}\r\n0\r\nX: y\r\n\r\n'),
  ]),
  head('POST /SubmitBatch HTTP/1.1', fuzzHost, 'Content-Length: 2', 'Transfer-Encoding: chunked'),
  head('POST /SubmitBatch HTTP/1.1', fuzzHost, 'Content-Length: 2', 'Content-Length: 3'),
];

const methods = ['GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'TRACE', 'QUERY', 'get'] as const;
const targets = [
  '/health',
  '/CreatePayment',
  '/QueryPayment',
  '/SubmitBatch',
  '/metrics',
  '/events',
  '/health?a=b#c',
  '//health',
  '/%2e%2e/health',
  '*',
  'http://fuzz/health',
  'http://evil.example/health',
  'health',
] as const;
const headerLines = [
  fuzzHost,
  'x-api-version: v1',
  'x-api-version: latest',
  'Content-Type: application/json',
  'Content-Type: application/json; charset=utf-16',
  'Content-Encoding: gzip',
  'Content-Length: 2',
  'Content-Length: 00002',
  'Content-Length: +2',
  'Content-Length: 99999999999999999999',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding : chunked',
  'Expect: 100-continue',
  'Connection: keep-alive, close',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Origin: https://pos.example',
  'Origin: null',
  'Sec-Fetch-Site: cross-site',
  'Authorization: Bearer tb_x',
  'Prefer: wait=1',
  'Prefer: wait="1"; a, wait=99999999999',
  'Last-Event-ID: 0',
  'X-Request-Id: r\x00',
  'Cookie: a=b; c',
  ' folded',
  'no colon',
  ': no name',
] as const;
const endings = [
  '',
  '{}',
  '{}GET /health HTTP/1.1\r\nHost: fuzz\r\n\r\n',
  '2\r\n{}\r\n0\r\n\r\n',
  'ffffffffffffffff\r\n',
  sale,
] as const;

/** A request put together from parts that mean something, most of them right ones. */
function madeUp(random: Random): Uint8Array {
  const lines = [
    `${random.pick(methods)} ${random.pick(targets)} ${random.chance(0.9) ? 'HTTP/1.1' : 'HTTP/1.0'}`,
    ...(random.chance(0.9) ? [fuzzHost] : []),
    ...(random.chance(0.6) ? ['x-api-version: v1', 'Content-Type: application/json'] : []),
    ...Array.from({ length: random.integer(0, 3) }, () => random.pick(headerLines)),
  ];
  const whole = `${lines.join(random.chance(0.95) ? '\r\n' : '\n')}\r\n\r\n${random.pick(endings)}`;
  return Buffer.from(random.chance(0.1) ? whole.repeat(2) : whole, 'latin1');
}

/** After so many inputs the listener is asked how it is, and after more of them a new one takes its place. */
const inputsBetweenLooks = 100;
const inputsOfOneListener = 20_000;
/** Turns of the event loop in which the listener, which is in this process, reads what was sent and answers. */
const turnsToAnswer = 3;

export const httpHeads: FuzzTarget = {
  name: 'http-heads',
  rule: 'whatever bytes come, each answer is whole and in form or the connection is closed, and /health answers afterwards',
  seeds: () => seeds,
  triesInTests: 400,
  triesInChunk: 5_000,
  make: (random, corpus) => (random.chance(0.4) ? damaged(random, corpus) : madeUp(random)),

  async open() {
    let listener = await openFuzzedListener();
    let played = 0;

    const ask = (bytes: Uint8Array) =>
      everythingFrom(listener.port, async (socket) => {
        socket.write(bytes);
        for (let turn = 0; turn < turnsToAnswer; turn += 1) await setImmediate();
        socket.end();
      });

    const look = async () => {
      const [health] = readAnswers(await ask(head('GET /health HTTP/1.1', fuzzHost, 'Connection: close')));
      assert.equal(health?.status, 200);
    };

    return {
      async play(input) {
        played += 1;
        if (played % inputsOfOneListener === 0) {
          await listener.close();
          listener = await openFuzzedListener();
        }
        const answers = readAnswers(await ask(input));
        if (played % inputsBetweenLooks === 0) await look();
        return (
          answers
            .map(({ status }) => status)
            .slice(0, 3)
            .join(' ') || 'closed'
        );
      },
      async close() {
        await look();
        await listener.close();
      },
    };
  },
};
