/** Attacks on the bridge's port with whole requests: what they say, and how many there are. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createToken } from '../../src/bridge/listener/index.ts';
import { createLog } from '../../src/log/index.ts';
import { post } from '../bridge/listener/http.ts';
import { startListener } from '../bridge/listener/set-up.ts';
import { seededChance } from '../support/random.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { flood } from './http-flood.ts';

const requests = 400;
/** Less than one line for each request. */
const maxFileBytes = 64 * 1024;
const maxFiles = 2;
/** Single lines of calls that passed the guards, the first of each kind, and the sums; as many of answered questions. */
const maxLines = 220;

const request = (start: string, port: number, lines: string[], body?: string) =>
  `${[
    `${start} HTTP/1.1`,
    ...(lines.some((line) => line.startsWith('Host')) ? [] : [`Host: 127.0.0.1:${port}`]),
    ...lines,
    ...(body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ].join('\r\n')}\r\n\r\n${body ?? ''}`;
const command = (path: string, port: number, index: number, body: string, lines: string[] = []) =>
  request(
    `POST ${path}`,
    port,
    [
      'x-api-version: v1',
      'Content-Type: application/json',
      'Authorization: Bearer TOKEN',
      `User-Agent: pos/${index}`,
      `X-Request-Id: r-${index}`,
      ...lines,
    ],
    body,
  );
const named = (reference: string) => JSON.stringify({ retrieval_reference_number: reference });

/** Each makes what is logged as different as it can. */
const floods: [name: string, make: (port: number, index: number) => string][] = [
  [
    'web pages of other origins',
    (port, index) => request(`GET /health?${index}`, port, [`Origin: https://p${index}.evil.example`]),
  ],
  [
    'web pages that hide their origin',
    (port, index) => request('GET /health', port, ['Sec-Fetch-Site: cross-site', `User-Agent: ${index}`]),
  ],
  [
    'other names of this machine',
    (port, index) => request('GET /health', port, [`Host: h${index}.evil.example`]),
  ],
  [
    'other names in whole URLs',
    (port, index) => request(`GET http://h${index}.evil.example/health`, port, []),
  ],
  [
    'commands without a token',
    (port, index) =>
      request('POST /CreatePayment', port, [`User-Agent: ${index}`, `X-Request-Id: r-${index}`], '{}'),
  ],
  [
    'commands with wrong tokens',
    (port, index) => request('POST /VoidPayment', port, [`Authorization: Bearer t${index}`], '{}'),
  ],
  [
    'readings without a token',
    (port, index) =>
      request(`GET ${index % 2 === 0 ? '/events' : '/metrics'}?${index}`, port, [`User-Agent: ${index}`]),
  ],
  ['what is no HTTP', (_port, index) => `HELLO ${index}\r\n\r\n`],
  [
    'no version',
    (port, index) =>
      request('POST /CreatePayment', port, ['Authorization: Bearer TOKEN', `User-Agent: ${index}`], '{}'),
  ],
  ['what is no JSON', (port, index) => command('/CreatePayment', port, index, `{"${index}`)],
  [
    'wrong fields',
    (port, index) => command('/CreatePayment', port, index, JSON.stringify({ amount: `${index}` })),
  ],
  [
    'fields that nobody knows',
    (port, index) =>
      command(
        '/QueryPayment',
        port,
        index,
        JSON.stringify({ [`field${index}`]: 1, retrieval_reference_number: 'A-1' }),
      ),
  ],
  ['no references', (port, index) => command('/QueryPayment', port, index, named(`?${index}`))],
  ['payments that do not exist', (port, index) => command('/QueryPayment', port, index, named(`X-${index}`))],
  ['cancels of nothing', (port, index) => command('/CancelPayment', port, index, named(`X-${index}`))],
  [
    'the same payment again',
    (port, index) =>
      command(
        '/CreatePayment',
        port,
        index,
        JSON.stringify({ amount: '12.00', retrieval_reference_number: 'A-1' }),
      ),
  ],
  ['the same question again', (port, index) => command('/QueryPayment', port, index, named('A-1'))],
  ['paths that do not exist', (port, index) => request(`GET /p${index}`, port, [])],
];

describe('a flood of requests', () => {
  it.each(floods)('%s: the lines of a payment stay in the log and its store', async (_name, make) => {
    const folder = tempFolder('flood');
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const clock = createVirtualClock({ besideIo: true });
    const tokensFile = join(folder, 'tokens.json');
    const made = createToken(tokensFile, 'till', { clock, chance: seededChance(clock) });
    if (!made.ok) throw new Error(made.message);
    const store = { file: join(folder, 'book.sqlite'), maxLines: 250 };
    const created = createLog({ folder, level: 'debug', clock, maxFileBytes, maxFiles, store });
    onTestFinished(() => created.close());
    const { port, payments } = await startListener({ clock, tokensFile, log: created.log });
    const headers = { authorization: `Bearer ${made.token}` };
    const sale = { amount: '12.00', retrieval_reference_number: 'A-1' };
    expect((await post(port, '/CreatePayment', sale, { headers })).status).toBe(200);
    const factsBefore = [...payments.facts];

    await flood(port, requests, (index) => make(port, index).replace('TOKEN', made.token));
    // The sums come after a minute, and are written a little later.
    await clock.advance(60_100);

    const lines = linesIn(folder);
    const isPayment = (line: Line) => line.msg === '/CreatePayment answered' && line.reference === 'A-1';
    expect(lines.some(isPayment)).toBe(true);
    const page = created.store?.page({
      filter: { minLevel: 'debug', sources: null, text: 'CreatePayment answered' },
      before: null,
      limit: 100,
    });
    expect(page?.lines.some(({ fields }) => fields['reference'] === 'A-1')).toBe(true);

    const after = lines.slice(lines.findIndex(isPayment) + 1);
    expect(after.length).toBeLessThan(maxLines);
    // None is passed over: each one has its line, or is in a sum.
    const told = after.reduce(
      (sum, { count, msg }) => sum + (msg.endsWith(' in the last minute') ? (count ?? 0) : 1),
      0,
    );
    if (after.length > 0) expect(told).toBeGreaterThanOrEqual(requests);
    expect(payments.facts).toEqual(factsBefore);
  });
});

interface Line {
  msg: string;
  reference?: string;
  count?: number;
}

function linesIn(folder: string): Line[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.log'))
    .toSorted((one, other) => other.length - one.length)
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'))
    .map((line) => JSON.parse(line) as Line);
}
