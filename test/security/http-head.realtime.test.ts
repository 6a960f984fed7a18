/** Attacks on the bridge's port with the head of a request, and with connections alone. */
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { networkInterfaces } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createToken } from '../../src/bridge/listener/index.ts';
import { createSandbox } from '../../src/remote/sandbox/index.ts';
import { consoleForTests } from '../headless/console/setup.ts';
import { createRealTime } from '../support/real-time.ts';
import { seededChance } from '../support/random.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { post, send } from '../bridge/listener/http.ts';
import { until } from '../support/until.ts';
import * as setUp from '../bridge/listener/set-up.ts';
import { gather } from './crowd.ts';

const hasIpv6 = Object.values(networkInterfaces()).some((list) =>
  list?.some(({ address }) => address === '::1'),
);
const addresses = hasIpv6 ? ['127.0.0.1', '::1'] : ['127.0.0.1'];
const maxConnections = 8;

const head = (target: string, ...lines: string[]) =>
  `${[`${target} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`;
const command = (port: number, ...lines: string[]) =>
  head(
    'POST /QueryPayment',
    `Host: 127.0.0.1:${port}`,
    'x-api-version: v1',
    'Content-Type: application/json',
    ...lines,
  );

/** Each holds as many connections as it gets, in its own way. */
const crowds: [name: string, bytes: (port: number) => string, drip?: { bytes: string; everyMs: number }][] = [
  [
    'a web page whose requests are refused',
    (port) => head('GET /health', `Host: 127.0.0.1:${port}`, 'Origin: https://evil.example'),
  ],
  [
    'a web page that says no origin',
    (port) =>
      head('GET /health', `Host: 127.0.0.1:${port}`, 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: no-cors'),
  ],
  ['a web page under a name of its own', () => head('GET /health', 'Host: rebound.example')],
  ['requests without a token', (port) => command(port, 'Content-Length: 2') + '{}'],
  ['requests without a token, and without their body', (port) => command(port, 'Content-Length: 2')],
  ['connections that send one byte', () => 'P'],
  ['connections that send nothing', () => ''],
  ['heads that never end', () => 'POST /CreatePayment HTTP/1.1\r\n', { bytes: 'X: y\r\n', everyMs: 50 }],
  ['bodies that never come', (port) => command(port, 'Authorization: Bearer TOKEN', 'Content-Length: 100')],
  [
    'bodies without an end',
    (port) => command(port, 'Authorization: Bearer TOKEN', 'Transfer-Encoding: chunked'),
    { bytes: '1\r\n \r\n', everyMs: 50 },
  ],
  [
    'callers that wait to be told to go on',
    (port) => command(port, 'Authorization: Bearer TOKEN', 'Content-Length: 100', 'Expect: 100-continue'),
  ],
  ['good requests, kept alive', (port) => head('GET /health', `Host: 127.0.0.1:${port}`)],
  ['paths that do not exist, kept alive', (port) => head('GET /nothing', `Host: 127.0.0.1:${port}`)],
  [
    'an upgrade to another protocol',
    (port) => head('GET /health', `Host: 127.0.0.1:${port}`, 'Connection: Upgrade', 'Upgrade: websocket'),
  ],
];

function makeToken() {
  const folder = tempFolder('crowd');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const tokensFile = join(folder, 'tokens.json');
  const clock = createVirtualClock();
  const made = createToken(tokensFile, 'till', { clock, chance: seededChance(clock) });
  if (!made.ok) throw new Error(made.message);
  return { tokensFile, token: made.token };
}

describe('a crowd that wants every connection', () => {
  it.each(crowds)('%s: the POS is answered 20 times of 20, on each address', async (_name, bytes, drip) => {
    const { token, tokensFile } = makeToken();
    const rig = await setUp.startListener({
      clock: createRealTime(),
      host: null,
      tokensFile,
      limits: { maxConnections },
    });
    const { port, payments } = rig;
    const authorization = `Bearer ${token}`;
    const call = (path: string, body: object, address: string) =>
      post(port, path, body, { address, headers: { authorization } });
    await call('/CreatePayment', { amount: '12.00', retrieval_reference_number: 'A-1' }, '127.0.0.1');
    const waiting = post(
      port,
      '/QueryPayment',
      { retrieval_reference_number: 'A-1' },
      { headers: { authorization, prefer: 'wait=120' } },
    );
    await until(() => payments.waiting === 1);

    const crowd = gather({
      port,
      addresses,
      size: maxConnections * 4,
      bytes: bytes(port).replace('TOKEN', token),
      ...(drip === undefined ? {} : { drip }),
    });
    onTestFinished(() => crowd.close());
    await until(() => crowd.opened >= maxConnections * 4 * addresses.length);

    for (const address of addresses) {
      const answers: number[] = [];
      for (let index = 0; index < 20; index += 1) {
        const answer = await call('/QueryPayment', { retrieval_reference_number: 'A-1' }, address).catch(
          () => ({ status: 0 }),
        );
        answers.push(answer.status);
      }
      expect(answers).toEqual(Array.from({ length: 20 }, () => 200));
    }
    // The payment that ran all the while has its answer, on the connection that asked for it.
    payments.decide('A-1', 'approved');
    expect((await waiting).json['transaction_status']).toBe('approved');
  });
});

describe('a crowd at another port', () => {
  const all = Array.from({ length: 20 }, () => true);
  const foreign = [
    ['connections that send nothing', ''],
    ['requests of a web page', head('GET /', 'Host: 127.0.0.1', 'Origin: https://evil.example')],
    ['requests under another name', head('GET /', 'Host: rebound.example')],
    ['heads that never end', 'GET / HTTP/1.1\r\n'],
  ] as const;

  async function answersIn(port: number, path: string, bytes: string): Promise<boolean[]> {
    const crowd = gather({ port, addresses: ['127.0.0.1'], size: maxConnections * 4, bytes });
    onTestFinished(() => crowd.close());
    await until(() => crowd.opened >= maxConnections * 4);
    const answers: boolean[] = [];
    for (let index = 0; index < 20; index += 1) {
      answers.push(
        await send(port, path, {}).then(
          ({ status }) => status > 0,
          () => false,
        ),
      );
    }
    return answers;
  }

  describe('of the console', () => {
    const open = consoleForTests();
    it.each(foreign)('%s: it answers 20 times of 20', async (_name, bytes) => {
      const { port } = await open({ clock: createRealTime(), limits: { maxConnections } });
      expect(await answersIn(port, '/', bytes)).toEqual(all);
    });
  });

  it.each(foreign)('of the sandbox, %s: it answers 20 times of 20', async (_name, bytes) => {
    const clock = createRealTime();
    const sandbox = await createSandbox({
      dataDir: null,
      clock,
      chance: seededChance(clock),
      maxConnections,
    });
    onTestFinished(() => sandbox.close());
    expect(await answersIn(sandbox.port, '/v1/sandbox', bytes)).toEqual(all);
  });
});

describe('an event stream with broken bytes behind its request', () => {
  it('ends when its caller hangs up', async () => {
    const { port } = await setUp.startListener({ clock: createRealTime() });
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
    const closed = new Promise<string>((resolve) => socket.on('close', () => resolve('closed')));
    socket.on('end', () => socket.end());
    const opened = new Promise((resolve) => socket.once('data', resolve));
    socket.write(`${head('GET /events', `Host: 127.0.0.1:${port}`)}broken\r\n\r\n`);
    await opened;
    socket.end();
    expect(await closed).toBe('closed');
  });
});
