import { createServer as createHttpServer } from 'node:http';
import type { Server as HttpServer } from 'node:http';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { createInFlightRequests, createListenerServer } from '../../../src/bridge/listener/connections.ts';
import { defaultListenerLimits } from '../../../src/bridge/listener/listener-limits.ts';
import { createConnectionPool, createRepeatedLines, openSockets } from '../../../src/http/index.ts';
import { post, send } from './http.ts';
import { unusedPort } from '../../support/unused-port.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { collectingLog, prepareListener, startListener } from './set-up.ts';
import type { LogLine } from './set-up.ts';

const sale = { amount: '12.00', retrieval_reference_number: 'A-1' };
const hasIpv6 = Object.values(networkInterfaces()).some((list) =>
  list?.some(({ address }) => address === '::1'),
);

if (!hasIpv6) console.warn('SKIPPED: tests of ::1, because this machine has no IPv6 loopback address');

const others: Server[] = [];
afterEach(async () => {
  await Promise.all(others.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

/** Another program on `host`; gives its port. */
async function occupy(host: string, port = 0): Promise<number> {
  const server = createServer();
  others.push(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('start and stop', () => {
  it('can follow each other any number of times, on the same port', async () => {
    const first = await startListener();
    const { listener, port } = first;
    expect(listener.listening).toBe(true);
    await listener.stop();
    expect([listener.listening, listener.port]).toEqual([false, null]);
    const again = prepareListener({ port });
    for (let round = 0; round < 3; round += 1) {
      const started = await again.listener.start();
      expect(started).toEqual({ kind: 'listening', port, addresses: [`http://127.0.0.1:${port}`] });
      expect((await post(port, '/CreatePayment', sale)).status).toBe(200);
      await again.listener.stop();
      await expect(send(port, '/health')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    }
  });

  it('called twice or at once do no harm', async () => {
    const { listener } = prepareListener();
    const [one, two] = await Promise.all([listener.start(), listener.start()]);
    expect(one).toEqual(two);
    const [, , three] = await Promise.all([listener.stop(), listener.stop(), listener.start()]);
    expect(three.kind).toBe('listening');
    await listener.stop();
    await listener.stop();
    expect(listener.listening).toBe(false);
  });

  it.skipIf(!hasIpv6)('uses both loopback addresses on one port when no host is set', async () => {
    const { listener, port } = await startListener({ host: null });
    for (const address of ['127.0.0.1', '::1']) {
      expect((await post(port, '/CreatePayment', sale, { address })).status).toBe(200);
    }
    await listener.stop();
    for (const address of ['127.0.0.1', '::1']) {
      await expect(send(port, '/health', { address })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    }
  });

  it('says which addresses it has, and warns of one that others can reach', async () => {
    const quiet = await startListener({ host: null });
    expect(quiet.lines.some(({ level }) => level === 'warn')).toBe(false);
    const loud = await startListener({ host: '0.0.0.0' });
    const warning = () => loud.lines.filter(({ level }) => level === 'warn');
    expect(warning()).toHaveLength(1);
    await loud.listener.stop();
    await loud.listener.start();
    expect(warning()).toHaveLength(2);
  });
});

describe('a port that cannot be had', () => {
  it('is named when another program uses it, and can be had later', async () => {
    const port = await occupy('127.0.0.1');
    const { listener } = prepareListener({ port });
    expect(await listener.start()).toEqual({
      kind: 'failed',
      code: 'port_in_use',
      message: `Port ${port} is used by another program. Choose another port, or close that program.`,
    });
    expect([listener.listening, listener.port]).toEqual([false, null]);
    await new Promise((resolve) => others.splice(0)[0]?.close(resolve));
    expect((await listener.start()).kind).toBe('listening');
  });

  it.skipIf(!hasIpv6)('is a failure also when only one of the two addresses is taken', async () => {
    const port = await occupy('::1');
    const { listener } = prepareListener({ port, host: null });
    const started = await listener.start();
    expect(started).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining(`Port ${port} is used`),
    });
    // The other address is not held either.
    expect(await occupy('127.0.0.1', port)).toBe(port);
  });

  it('is explained when the address is not one of this machine', async () => {
    const { listener } = prepareListener({ host: '192.0.2.1', port: 0 });
    expect(await listener.start()).toEqual({
      kind: 'failed',
      code: 'address_unknown',
      message:
        'This machine has no address "192.0.2.1". Correct the setting host, or leave it out to listen on 127.0.0.1.',
    });
  });
});

describe('what a machine may say to listen', () => {
  /** Servers whose `listen` fails with these codes, one after the other; null: it works. */
  function scripted(...codes: (string | null)[]) {
    const made: HttpServer[] = [];
    const makeServer = () => {
      const server = createHttpServer();
      const code = codes[made.length] ?? null;
      made.push(server);
      if (code !== null) {
        server.listen = () => {
          setImmediate(() => server.emit('error', Object.assign(new Error(code), { code })));
          return server;
        };
      }
      return server;
    };
    return { made, makeServer };
  }
  const closeAll = (made: HttpServer[]) =>
    Promise.all(made.map((server) => new Promise((resolve) => server.close(resolve))));

  it.each(['EADDRNOTAVAIL', 'EAFNOSUPPORT'])('%s for ::1 means that there is no IPv6', async (code) => {
    const { made, makeServer } = scripted(null, code);
    let told = 0;
    const opened = await openSockets({ port: 0, host: null, makeServer, onNoIpv6: () => (told += 1) });
    expect(opened).toMatchObject({
      kind: 'open',
      addresses: [expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/)],
    });
    expect(told).toBe(1);
    await closeAll(made);
  });

  it('EADDRINUSE for ::1 with any port leads to another port, a bounded number of times', async () => {
    const lucky = scripted(null, 'EADDRINUSE', null, 'EADDRNOTAVAIL');
    const opened = await openSockets({
      port: 0,
      host: null,
      makeServer: lucky.makeServer,
      onNoIpv6: () => {},
    });
    expect(opened.kind).toBe('open');
    expect(lucky.made.map(({ listening }) => listening)).toEqual([false, false, true, false]);
    await closeAll(lucky.made);

    const unlucky = scripted(
      ...Array.from({ length: 40 }, (_unused, index) => (index % 2 === 0 ? null : 'EADDRINUSE')),
    );
    const failed = await openSockets({
      port: 0,
      host: null,
      makeServer: unlucky.makeServer,
      onNoIpv6: () => {},
    });
    expect(failed.kind).toBe('failed');
    expect(unlucky.made).toHaveLength(20);
    expect(unlucky.made.some(({ listening }) => listening)).toBe(false);
  });

  it('a failure of ::1 ends what has already connected to 127.0.0.1', async () => {
    const { made, makeServer } = scripted();
    const early: Socket[] = [];
    const failed = await openSockets({
      port: await unusedPort(),
      host: null,
      onNoIpv6: () => {},
      makeServer() {
        const server = makeServer();
        const address = made[0]?.address();
        if (made.length === 2 && typeof address === 'object' && address !== null) {
          const accepted = once(made[0] as HttpServer, 'connection');
          early.push(connect({ host: '127.0.0.1', port: address.port }));
          server.listen = () => {
            void accepted.then(() =>
              server.emit('error', Object.assign(new Error(), { code: 'EADDRINUSE' })),
            );
            return server;
          };
        }
        return server;
      },
    });
    expect(failed.kind).toBe('failed');
    expect(early).toHaveLength(1);
    early[0]?.destroy();
  });

  it.each([
    ['EACCES', 'Port 80 may not be used: the system reserves it. Choose another port, above 1023.'],
    ['EADDRINUSE', 'Port 80 is used by another program. Choose another port, or close that program.'],
    ['EIO', 'The listener cannot open port 80 on 127.0.0.1: EIO.'],
  ])('%s is said in words', async (code, message) => {
    const { makeServer } = scripted(code);
    expect(await openSockets({ port: 80, host: null, makeServer, onNoIpv6: () => {} })).toMatchObject({
      kind: 'failed',
      message,
    });
  });
});

describe('a server that cannot accept a connection', () => {
  it('says so and goes on', async () => {
    const lines: LogLine[] = [];
    const repeatedLines = createRepeatedLines(collectingLog(lines), createVirtualClock());
    const server = createListenerServer({
      limits: defaultListenerLimits,
      inFlight: createInFlightRequests(1),
      pool: createConnectionPool({ maxConnections: 8, repeatedLines }),
      repeatedLines,
      onRequest: (_request, response) => response.end(),
      onBroken: () => {},
      simulated: () => false,
    });
    server.listen({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    server.emit('error', new Error('accept EMFILE'));
    expect(lines).toEqual([
      expect.objectContaining({ level: 'error', fields: { err: new Error('accept EMFILE') } }),
    ]);
    await new Promise((resolve) => server.close(resolve));
  });
});
