import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock as clock, type Clock } from '../../../src/base/clock.ts';
import { maxWaitingBytes } from '../../../src/bridge/lines/connection-events.ts';
import { LineError } from '../../../src/bridge/lines/line.ts';
import { createTcpLine, socketConnection } from '../../../src/bridge/lines/tcp.ts';
import { unusedPort } from '../../support/unused-port.ts';
import { bytes, never, turns, watch } from './connection-watch.ts';

const servers: Server[] = [];
const peers: Socket[] = [];
afterEach(async () => {
  for (const peer of peers.splice(0)) peer.destroy();
  for (const server of servers.splice(0)) {
    server.close();
    await once(server, 'close');
  }
});

/** A server on loopback and a way to get the next socket that it takes. */
async function listen(options: { allowHalfOpen?: boolean; pauseOnConnect?: boolean } = {}) {
  const server = createServer(options);
  servers.push(server);
  server.on('connection', (socket) => {
    peers.push(socket);
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    server,
    port,
    line: createTcpLine({ host: '127.0.0.1', port, clock }),
    async connect() {
      const [[peer], connection] = await Promise.all([
        once(server, 'connection') as Promise<[Socket]>,
        createTcpLine({ host: '127.0.0.1', port, clock }).open(never()),
      ]);
      return { peer, connection, watched: watch(connection) };
    },
  };
}

describe('createTcpLine', () => {
  it('has the name that people and the lock know', () => {
    expect(createTcpLine({ host: 'terminal.local', port: 20007, clock }).name).toBe(
      'tcp:terminal.local:20007',
    );
    expect(createTcpLine({ host: '::1', port: 20007, clock }).name).toBe('tcp:[::1]:20007');
  });

  it('moves bytes both ways', async () => {
    const { peer, connection, watched } = await (await listen()).connect();
    const far = watch(socketConnection(peer, { clock }));
    expect(connection.write(bytes('\x06\x00\xff'))).toBe(true);
    await far.until('\x06\x00\xff');
    peer.write('answer');
    await watched.until('answer');
    await connection.close();
  });

  it('sends at once, without waiting for more', async () => {
    const { connection, peer } = await (await listen()).connect();
    let delay = true;
    const setNoDelay = peer.setNoDelay.bind(peer);
    peer.setNoDelay = (on) => {
      delay = on === false;
      return setNoDelay(on);
    };
    socketConnection(peer, { clock });
    expect(delay).toBe(false);
    await connection.close();
  });

  it('says in words that nobody listens', async () => {
    const port = await unusedPort();
    const opening = createTcpLine({ host: '127.0.0.1', port, clock }).open(never());
    await expect(opening).rejects.toThrow(LineError);
    await expect(opening).rejects.toThrow(`127.0.0.1:${port} refuses the connection`);
    await expect(createTcpLine({ host: 'localhost', port, clock }).open(never())).rejects.toThrow(/refuses/);
  });

  it('says in words that the name is not known', async () => {
    // Longer than a name may be, so that no name server is asked.
    const host = `${'x'.repeat(64)}.invalid`;
    await expect(createTcpLine({ host, port: 1, clock }).open(never())).rejects.toThrow(
      `the name ${host} is not known`,
    );
  });

  it('gives up after its timeout, and when it is no longer wanted', async () => {
    const { port } = await listen();
    const timers: { delayMs: number; call: () => void }[] = [];
    const stopped = {
      now: () => 0,
      elapsed: () => 0,
      after(delayMs: number, call: () => void) {
        timers.push({ delayMs, call });
        return () => {};
      },
    };
    const late = createTcpLine({ host: '127.0.0.1', port, connectTimeoutMs: 1234, clock: stopped }).open(
      never(),
    );
    expect(timers.map(({ delayMs }) => delayMs)).toEqual([1234]);
    timers[0]?.call();
    await expect(late).rejects.toThrow(/does not answer \(waited 1234 ms\)/);
    const controller = new AbortController();
    const unwanted = createTcpLine({ host: '127.0.0.1', port, clock }).open(controller.signal);
    controller.abort();
    await expect(unwanted).rejects.toThrow(LineError);
    await expect(createTcpLine({ host: '127.0.0.1', port, clock }).open(controller.signal)).rejects.toThrow(
      LineError,
    );
  });

  it('ends when the other side ends its half', async () => {
    const { peer, connection, watched } = await (await listen({ allowHalfOpen: true })).connect();
    peer.end('last words');
    expect(await watched.closed).toBe('the other side closed the connection');
    expect(watched.text()).toBe('last words');
    expect(connection.closed).toBe(true);
    expect(connection.write(bytes('late'))).toBe(false);
  });

  it('ends when the other side cuts it, told once', async () => {
    const { peer, connection, watched } = await (await listen()).connect();
    peer.resetAndDestroy();
    expect(await watched.closed).toBe('the other side cut the connection');
    await connection.close();
    expect(watched.closeReasons).toHaveLength(1);
  });

  it('sends nothing after close, and what was handed over before it', async () => {
    const { peer, connection, watched } = await (await listen()).connect();
    const far = watch(socketConnection(peer, { clock }));
    connection.write(bytes('before'));
    const closing = connection.close();
    expect(connection.write(bytes('after'))).toBe(false);
    await closing;
    await connection.close();
    expect(connection.write(bytes('after'))).toBe(false);
    await far.closed;
    expect(far.text()).toBe('before');
    expect(await watched.closed).toBe('closed on this side');
  });

  it('moves a big write whole, and gives up on a side that does not read', async () => {
    const { connect } = await listen({ pauseOnConnect: true });
    const reading = await connect();
    const far = watch(socketConnection(reading.peer, { clock }));
    const big = bytes('x'.repeat(maxWaitingBytes - 1) + '!');
    expect(reading.connection.write(big)).toBe(true);
    reading.peer.resume();
    await far.until('!');
    expect(far.text()).toHaveLength(big.length);

    const deaf = await connect();
    let taken = 0;
    while (deaf.connection.write(new Uint8Array(64 * 1024))) {
      taken += 1;
      await new Promise((resolve) => void setImmediate(resolve));
    }
    expect(deaf.connection.closed).toBe(true);
    expect(await deaf.watched.closed).toBe('the other side does not read');
    expect(taken).toBeGreaterThan(0);
  });

  it('closes although the other side never does', async () => {
    const { peer, connection } = await (
      await listen({ allowHalfOpen: true, pauseOnConnect: true })
    ).connect();
    await connection.close();
    expect(connection.closed).toBe(true);
    expect(peer.destroyed).toBe(false);
  });

  it('lets go out what waits at its close, and tears down when nobody takes it', async () => {
    const { port, server } = await listen({ pauseOnConnect: true });
    const stuffed = async (onClose: Clock) => {
      const socket = connect(port, '127.0.0.1');
      const [[peer]] = await Promise.all([
        once(server, 'connection') as Promise<[Socket]>,
        once(socket, 'connect'),
      ]);
      const connection = socketConnection(socket, { clock: onClose });
      let sent = 0;
      while (socket.writableLength === 0) {
        expect(connection.write(new Uint8Array(64 * 1024))).toBe(true);
        sent += 64 * 1024;
        await turns(1);
      }
      return { peer, connection, sent };
    };
    const patient = await stuffed(clock);
    const closing = patient.connection.close();
    let read = 0;
    patient.peer.on('data', (piece) => (read += piece.length));
    patient.peer.resume();
    await Promise.all([closing, once(patient.peer, 'end')]);
    expect(read).toBe(patient.sent);

    const timers: (() => void)[] = [];
    const atOnce = {
      ...clock,
      after: (_delayMs: number, call: () => void) => (timers.push(call), () => {}),
    };
    const stuck = (await stuffed(atOnce)).connection.close();
    for (const fire of timers) fire();
    await stuck;
  });

  it('knows that a socket has gone before anybody looked', async () => {
    const { peer, connection } = await (await listen()).connect();
    peer.destroy();
    await once(peer, 'close');
    const late = socketConnection(peer, { clock });
    expect(late.closed).toBe(true);
    await late.close();
    await connection.close();
  });
});
