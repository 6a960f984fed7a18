/** Bytes that a connection was given and that have not arrived when it is given up: they must never arrive later. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock as clock } from '../../../src/base/clock.ts';
import { maxWaitingBytes } from '../../../src/bridge/lines/connection-events.ts';
import { createMemoryPair } from '../../../src/bridge/lines/memory.ts';
import { socketConnection } from '../../../src/bridge/lines/tcp.ts';
import { bytes, turns, watch } from './connection-watch.ts';

let server: Server | null = null;
afterEach(async () => {
  const open = server;
  server = null;
  open?.close();
  if (open !== null) await once(open, 'close');
});

/** A connection with more bytes on their way than the system takes at once; the other side does not read yet. */
async function stuffed() {
  const listening = createServer({ pauseOnConnect: true });
  server = listening;
  listening.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const socket = connect((listening.address() as AddressInfo).port, '127.0.0.1');
  const [[peer]] = await Promise.all([
    once(listening, 'connection') as Promise<[Socket]>,
    once(socket, 'connect'),
  ]);
  const connection = socketConnection(socket, { clock });
  let sent = 0;
  while (socket.writableLength === 0) {
    expect(connection.write(new Uint8Array(64 * 1024))).toBe(true);
    sent += 64 * 1024;
    await turns(1);
  }
  return { peer, connection, sent };
}

/** What the other side still reads, and how the connection ends for it. */
async function readToTheEnd(peer: Socket): Promise<{ read: number; end: string }> {
  let read = 0;
  let end = 'orderly';
  peer.on('data', (piece) => (read += piece.length));
  peer.on('error', (error) => (end = 'code' in error ? String(error.code) : error.message));
  const closed = once(peer, 'close').catch(() => {});
  peer.resume();
  await closed;
  return { read, end };
}

describe('what has not arrived when a TCP connection is given up', () => {
  it('is dropped, and the other side is told that the connection broke', async () => {
    const { peer, connection, sent } = await stuffed();
    await connection.close('drop');
    const { read, end } = await readToTheEnd(peer);
    expect(end).toBe('ECONNRESET');
    expect(read).toBeLessThan(sent);
  });

  it('is dropped, too, when it was too much', async () => {
    const { peer, connection, sent } = await stuffed();
    expect(connection.write(new Uint8Array(maxWaitingBytes))).toBe(false);
    expect(connection.closed).toBe(true);
    const { read, end } = await readToTheEnd(peer);
    expect(end).toBe('ECONNRESET');
    expect(read).toBeLessThan(sent);
  });

  it('arrives when the connection is closed in order', async () => {
    const { peer, connection, sent } = await stuffed();
    const closing = connection.close();
    const { read, end } = await readToTheEnd(peer);
    await closing;
    expect({ read, end }).toEqual({ read: sent, end: 'orderly' });
  });
});

describe('what has not arrived when a memory line is given up', () => {
  it.each([
    ['drop', ''],
    ['send', 'late'],
  ] as const)('%s', async (unsent, arrived) => {
    const [near, far] = createMemoryPair();
    const watched = watch(far);
    near.write(bytes('late'));
    await near.close(unsent);
    await turns();
    expect(watched.text()).toBe(arrived);
    expect(await watched.closed).toBe('closed by the other side');
  });
});
