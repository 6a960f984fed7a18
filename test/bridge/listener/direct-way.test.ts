/**
 * The usual request goes around Express. A query string is taken as nothing and sends the same request through Express,
 * so each of them is sent both ways to two listeners in the same state, and every byte, log line and count is compared.
 */
import { expect, it } from 'vitest';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import type { Log } from '../../../src/log/index.ts';
import { raw } from './http.ts';
import { collectingLog, startListener, type Rig } from './set-up.ts';

const commandPaths = ['/CreatePayment', '/CancelPayment', '/QueryPayment', '/VoidPayment', '/SubmitBatch'];
/** Close to a path that goes around Express. */
const nearPaths = [
  '/health',
  '/Health',
  '/createPayment',
  '/CreatePayment/',
  '/__proto__',
  '/%43reatePayment',
];
const methods = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PROPFIND', 'TRACE'];
const sale = '{"amount":"12.00","retrieval_reference_number":"A-1","condition_code":"05"}';
const named = '{"retrieval_reference_number":"A-1"}';

/** Takes the place of the header of the same name; null leaves it out. */
const heads: Record<string, string | null>[] = [
  {},
  { 'X-Api-Version': null },
  { 'X-Api-Version': 'latest' },
  { 'X-Api-Version': 'v2' },
  { 'X-Api-Version': 'v1\r\nX-Api-Version: v1' },
  { 'Content-Type': null },
  { 'Content-Type': 'text/plain' },
  { 'Content-Type': 'application/json; charset=latin1' },
  { 'Content-Type': 'application/json\r\nContent-Type: application/json' },
  { 'Content-Encoding': 'gzip' },
  { 'Content-Encoding': 'Identity' },
  { Authorization: 'Bearer abc' },
  { Origin: 'https://pos.example' },
  { Origin: 'https://evil.example' },
  { Origin: 'null' },
  { 'Sec-Fetch-Site': 'cross-site' },
  { Host: 'evil.example' },
  { Host: null },
  { Prefer: 'wait=0' },
  { Prefer: 'nonsense; wait' },
  { 'X-Request-Id': 'till-7/000123' },
  { 'X-Request-Id': 'two words' },
  { Expect: '100-continue' },
  { Expect: 'a miracle' },
  { 'Content-Length': null },
  { 'Content-Length': null, 'Transfer-Encoding': 'chunked' },
  { 'Content-Length': '70000' },
];

const bodies = [
  '',
  '{}',
  named,
  sale,
  '{"amount":12,"retrieval_reference_number":null}',
  '{"amount":"0.00","retrieval_reference_number":"A-2"}',
  '{"amount":"12.00"}',
  '{"retrieval_reference_number":"A-1","retrieval_reference_number":"A-404"}',
  '{"retrieval_reference_number":"A-404"}',
  '{"__proto__":{"amount":"1.00"},"constructor":1,"amount":"12.00","retrieval_reference_number":"A-3","tip":"1.00"}',
  '\ufeff{"retrieval_reference_number":"A-1"}',
  '{"retrieval_reference_number":"\xff"}',
  '[]',
  'null',
  '{"amount":',
  `{"a":"${'a'.repeat(65 * 1024)}"}`,
];

interface Odd {
  method: string;
  path: string;
  head: Record<string, string | null>;
  body: string;
}

function oddRequests(): Odd[] {
  const odd: Odd[] = [];
  for (const path of commandPaths) {
    const body = path === '/CreatePayment' ? sale : named;
    odd.push(...heads.map((head) => ({ method: 'POST', path, head, body })));
    odd.push(...bodies.map((other) => ({ method: 'POST', path, head: {}, body: other })));
  }
  for (const path of [...commandPaths, ...nearPaths]) {
    odd.push(...methods.map((method) => ({ method, path, head: {}, body: '' })));
    odd.push({ method: 'POST', path, head: {}, body: named });
    odd.push({ method: 'GET', path, head: { Origin: 'https://pos.example' }, body: '' });
    odd.push({ method: 'GET', path, head: { 'Sec-Fetch-Site': 'cross-site' }, body: '' });
    odd.push({ method: 'GET', path, head: {}, body: named });
  }
  return odd;
}

function bytesOf({ method, path, head, body }: Odd, port: number): Buffer {
  const chunked = head['Transfer-Encoding'] === 'chunked';
  const payload = Buffer.from(body, body.includes('\xff') ? 'latin1' : 'utf8');
  const headers: Record<string, string | null> = {
    Host: `127.0.0.1:${port}`,
    Connection: 'close',
    'X-Api-Version': 'v1',
    'Content-Type': 'application/json',
    'Content-Length': payload.length.toString(),
    'User-Agent': 'till',
    ...head,
  };
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${value}`],
  );
  const end = chunked ? Buffer.from(`${payload.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`) : payload;
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`), end]);
}

/** The machine's own time is in `Date`; ports and transactions have numbers of their own. */
function comparable(text: string, { port }: Rig): string {
  return (
    text
      .replaceAll(/^Date: .*\r\n/gm, '')
      // Plain in the answer, and as a text in the log's line about it.
      .replaceAll(/"transaction_id":"[^"]*"/g, '')
      .replaceAll(/\\"transaction_id\\":\\"[^"]*"/g, '')
      .replaceAll(new RegExp(`:${port}\\b`, 'g'), ':PORT')
  );
}

async function send(rig: Rig, odd: Odd) {
  rig.lines.length = 0;
  rig.payments.asked.length = 0;
  const answer = await raw(rig.port, bytesOf(odd, rig.port));
  const log = rig.lines.map(({ level, message, fields }) => [
    level,
    message,
    comparable(JSON.stringify(fields), rig),
  ]);
  return { answer: comparable(answer, rig), log, asked: [...rig.payments.asked] };
}

it.each([{ makeReferences: false }, { makeReferences: true, simulated: true }, { broken: true }])(
  'answers as Express would: %o',
  async ({ makeReferences = false, simulated = false, broken = false }) => {
    const rigs = await Promise.all(
      ['direct', 'through Express'].map(() =>
        startListener({
          makeReferences,
          allowedOrigins: ['https://pos.example'],
          // Its time stands still, so what a refused caller has sent ends what is read of it.
          clock: createVirtualClock(),
          limits: { lingerBytes: 0 },
        }),
      ),
    );
    const [direct, express] = rigs;
    if (direct === undefined || express === undefined) throw new Error('two listeners');
    for (const { payments } of rigs) payments.setStatus({ terminalChange: { simulated } });
    const statuses = new Set<string>();
    for (const odd of oddRequests()) {
      if (broken) for (const { payments } of rigs) payments.breakNext();
      const [one, other] = [await send(direct, odd), await send(express, { ...odd, path: `${odd.path}?` })];
      expect({ odd, ...one }).toEqual({ odd, ...other });
      statuses.add(one.answer.slice(9, 12));
    }
    for (const status of ['200', '204', '400', '403', '404', '405', '413', '415'])
      expect(statuses).toContain(status);
    expect(statuses.has('500')).toBe(broken);
    const counts = await Promise.all(
      rigs.map((rig) =>
        raw(rig.port, bytesOf({ method: 'GET', path: '/metrics', head: {}, body: '' }, rig.port)),
      ),
    );
    const ours = counts.map((text) =>
      text.split('\n').filter((line) => line.startsWith('tillbridge_http_requests')),
    );
    expect(ours[0]?.length).toBeGreaterThan(20);
    expect(ours[0]).toEqual(ours[1]);
  },
);

it.each(['/health', '/health?'])('answers a fault of %s itself as a fault of the bridge', async (path) => {
  const rig = await startListener();
  rig.payments.status = () => {
    throw new Error('secret detail of a fault');
  };
  const { answer } = await send(rig, { method: 'GET', path, head: {}, body: '' });
  expect(answer).toMatch(/^HTTP\/1.1 500 /);
  expect(answer).not.toContain('secret');
});

it.each(['/QueryPayment', '/QueryPayment?'])(
  'answers %s where a fault cannot be told to the log either',
  async (path) => {
    const log = collectingLog([]);
    let faults = 0;
    const failing: Log = {
      ...log,
      error(...told) {
        faults += 1;
        if (faults === 1) throw new Error('the log cannot be written');
        log.error(...told);
      },
      with: () => failing,
    };
    const rig = await startListener({ log: failing });
    rig.payments.breakNext();
    const { answer } = await send(rig, { method: 'POST', path, head: {}, body: named });
    expect(answer).toMatch(/^HTTP\/1.1 500 /);
    expect(faults).toBe(2);
  },
);
