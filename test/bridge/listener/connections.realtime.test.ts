import { once } from 'node:events';
import { Agent } from 'node:http';
import { describe, expect, it } from 'vitest';
import { post, raw, rawPost, rawSocket } from './http.ts';
import { until } from '../../support/until.ts';
import { createRealTime } from '../../support/real-time.ts';
import * as setUp from './set-up.ts';

const startListener = (change: setUp.ListenerChange = {}) =>
  setUp.startListener({ clock: createRealTime(), ...change });

const sale = JSON.stringify({ amount: '12.00', retrieval_reference_number: 'A-1' });
const query = JSON.stringify({ retrieval_reference_number: 'A-1' });

describe('what is no proper HTTP', () => {
  it.each([
    ['another protocol', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['a broken request line', 'HELLO\r\n\r\n', 400],
    [
      'both kinds of length',
      'POST /QueryPayment HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    [
      'two lengths',
      'POST /QueryPayment HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
      400,
    ],
    ['a negative length', 'POST /QueryPayment HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n', 400],
    ['a header line without a colon', 'GET /health HTTP/1.1\r\nnonsense\r\n\r\n', 400],
    ['a tunnel', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n', 400],
    ['headers that are too large', `GET /health HTTP/1.1\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['an address that is too long', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n\r\n`, 431],
  ])('%s', async (_name, bytes, status) => {
    const { port } = await startListener();
    const answer = await raw(port, bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toMatch(/\r\nConnection: close\r\n/);
    const [, body = ''] = answer.split('\r\n\r\n');
    expect(JSON.parse(body)).toMatchObject({ success: false, code: expect.any(String) });
    expect((await post(port, '/CreatePayment', sale)).status).toBe(200);
  });

  it('is marked as simulated as everything is', async () => {
    const { port, payments } = await startListener();
    payments.setStatus({ terminalChange: { simulated: true } });
    const answer = await raw(port, 'HELLO\r\n\r\n');
    expect(answer).toContain('"message":"SIMULATED: ');
    expect(answer).toContain('X-Simulated: true');
  });

  it('is never answered in place of a payment that is under way', async () => {
    const { port, payments } = await startListener();
    const answer = raw(port, rawPost(port, '/CreatePayment', sale, 'Prefer: wait=60\r\n'), 'garbage\r\n\r\n');
    await until(() => payments.waiting === 1);
    payments.decide('A-1', 'approved');
    const [first = '', second = ''] = (await answer).split(/(?=HTTP\/1\.1 )/);
    expect(first).toMatch(/^HTTP\/1\.1 200 .*"transaction_status":"approved"/s);
    expect(second).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('a tunnel that breaks', () => {
  it('hurts nobody', async () => {
    const { port } = await startListener();
    for (let round = 0; round < 20; round += 1) {
      const socket = rawSocket(port);
      socket.on('error', () => {});
      socket.write(`CONNECT x:443 HTTP/1.1\r\n\r\n${'x'.repeat(100_000)}`);
      await new Promise((resolve) => socket.on('data', resolve).on('close', resolve));
      socket.resetAndDestroy();
    }
    expect((await post(port, '/CreatePayment', sale)).status).toBe(200);
  });
});

describe('slow connections', () => {
  const limits = { headersTimeoutMs: 40, requestTimeoutMs: 60, lingerMs: 20, checkIntervalMs: 10 };

  it('are cut off before the headers are complete, while others go on', async () => {
    const { port } = await startListener({ limits });
    const slow = raw(port, 'POST /CreatePayment HTTP/1.1\r\nHost: 127');
    expect((await post(port, '/CreatePayment', sale)).status).toBe(200);
    expect(await slow).toMatch(/^HTTP\/1\.1 408 .*"code":"request_timeout"/s);
  });

  it('are cut off when they say nothing at all', async () => {
    const { port } = await startListener({ limits });
    expect(await raw(port)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('are cut off when the body comes a byte at a time', async () => {
    const { port, payments } = await startListener({ limits });
    const whole = rawPost(port, '/CreatePayment', sale);
    const socket = rawSocket(port);
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.on('error', () => {});
    socket.write(whole.slice(0, -20));
    const drip = setInterval(() => socket.write(' '), 15);
    await new Promise((resolve) => socket.on('close', resolve));
    clearInterval(drip);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(payments.asked).toEqual([]);
  });

  it('does not cut off a caller that waits for the terminal longer than a request may take', async () => {
    const { port, payments } = await startListener({ limits });
    const waiting = post(port, '/CreatePayment', sale, { headers: { prefer: 'wait=60' } });
    await until(() => payments.waiting === 1);
    // Others that began later have been cut off by every bound of a request.
    expect(await raw(port, 'POST /CreatePayment HTTP/1.1\r\nHost: 127')).toMatch(/^HTTP\/1\.1 408 /);
    expect(await raw(port, rawPost(port, '/QueryPayment', query).slice(0, -5))).toMatch(/^HTTP\/1\.1 408 /);
    payments.decide('A-1', 'approved');
    expect((await waiting).json['transaction_status']).toBe('approved');
  });
});

describe('many requests on one connection', () => {
  it('are answered in their order', async () => {
    const { port, payments } = await startListener();
    const socket = rawSocket(port);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const other = JSON.stringify({ retrieval_reference_number: 'B-1' });
    socket.write(rawPost(port, '/CreatePayment', sale));
    await until(() => text.includes('in_progress'));
    socket.write(rawPost(port, '/QueryPayment', query, 'Prefer: wait=60\r\n'));
    socket.write(rawPost(port, '/QueryPayment', other));
    await until(() => payments.waiting === 1 && payments.asked.length === 4);
    payments.decide('A-1', 'approved');
    await until(() => text.includes('payment_not_found'));
    socket.destroy();
    expect(text.match(/"transaction_status":"\w+"|"code":"\w+"/g)).toEqual([
      '"transaction_status":"in_progress"',
      '"transaction_status":"approved"',
      '"code":"payment_not_found"',
    ]);
  });

  it('free their waiters when the connection ends, also those whose turn had not come', async () => {
    const { port, payments, listener } = await startListener({ limits: { stopGraceMs: 60_000 } });
    await post(port, '/CreatePayment', sale);
    const socket = rawSocket(port);
    const wait = rawPost(port, '/QueryPayment', query, 'Prefer: wait=60\r\n');
    socket.write(wait + wait + wait);
    await until(() => payments.waiting === 3);
    socket.destroy();
    await until(() => payments.waiting === 0);
    // Nothing is left in hand that a stop would have to wait for.
    await listener.stop();
    expect(listener.listening).toBe(false);
  });

  it('are bounded', async () => {
    const { port, payments } = await startListener({ limits: { maxPipelined: 4 } });
    await post(port, '/CreatePayment', sale);
    const wait = rawPost(port, '/QueryPayment', query, 'Prefer: wait=60\r\n');
    expect(await raw(port, wait.repeat(8))).toBe('');
    await until(() => payments.waiting === 0);
    expect((await post(port, '/QueryPayment', query)).status).toBe(200);
  });
});

describe('the number of connections', () => {
  it('is bounded: the oldest that asks nothing gives way to a new one', async () => {
    const { port, lines } = await startListener({ limits: { maxConnections: 3 } });
    const idle = [rawSocket(port), rawSocket(port)];
    await Promise.all(idle.map((socket) => once(socket, 'connect')));
    const [oldest, newer] = idle;
    const gone = new Promise((resolve) => oldest?.on('close', () => resolve('closed')));
    expect((await post(port, '/CreatePayment', sale)).status).toBe(200);
    expect(await gone).toBe('closed');
    expect(newer?.destroyed).toBe(false);
    expect(lines.some(({ message }) => message.includes('too many connections'))).toBe(true);
    newer?.destroy();
  });

  it('does not count against a till that keeps its connection: silent ones push out silent ones', async () => {
    const { port } = await startListener({ limits: { maxConnections: 6 } });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    await post(port, '/CreatePayment', sale, { agent });
    const silent = Array.from({ length: 30 }, () => rawSocket(port).on('error', () => {}));
    await until(() => silent.filter(({ destroyed }) => destroyed).length >= 25);
    const { sockets } = await keptSockets(agent, () => post(port, '/QueryPayment', query, { agent }));
    expect(sockets).toBe(1);
    for (const socket of silent) socket.destroy();
    agent.destroy();
  });
});

/** How many connections `agent` has had when `call` is done. */
async function keptSockets(agent: Agent, call: () => Promise<{ status: number }>) {
  const before = Object.values(agent.freeSockets).flat();
  expect((await call()).status).toBe(200);
  return { sockets: new Set([...before, ...Object.values(agent.freeSockets).flat()]).size };
}

describe('a stop', () => {
  it('does not wait for connections that ask nothing', async () => {
    const { port, listener } = await startListener({ limits: { stopGraceMs: 60_000, stopCutMs: 60_000 } });
    const silent = raw(port);
    const half = raw(port, 'POST /CreatePayment HTTP/1.1\r\nHost: 127');
    await post(port, '/CreatePayment', sale);
    await listener.stop();
    expect(await Promise.all([silent, half])).toEqual(['', '']);
  });
});
