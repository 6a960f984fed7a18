/** Lines over TCP: the bridge calls the terminal. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import { type Log, silentLog } from '../../log/index.ts';
import { codeOf, connectErrorMessage } from '../../base/connect-error.ts';
import { createConnectionEvents, maxWaitingBytes, type ConnectionEvents } from './connection-events.ts';
import { endedInOrder, LineError, type Line, type LineConnection } from './line.ts';

const defaultConnectTimeoutMs = 5_000;
/** A dead peer is noticed this long after the last byte, and ten unanswered probes (one a second on Linux). */
const keepAliveDelayMs = 10_000;
/** How long an orderly end may take before the socket is torn down. */
const closeTimeoutMs = 1_000;

export interface TcpLineOptions {
  /** A name or an address; IPv6 without brackets. */
  host: string;
  port: number;
  connectTimeoutMs?: number;
  clock: Clock;
  log?: Log;
}

/** `open` rejects with a `LineError` when nobody answers in time, and when it is no longer wanted. */
export function createTcpLine(options: TcpLineOptions): Line {
  const { host, port, connectTimeoutMs = defaultConnectTimeoutMs, clock, log = silentLog } = options;
  const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  return {
    name: `tcp:${address}`,
    open(signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(new LineError('no longer wanted'));
        const socket = connect({ host, port });
        const cancelTimeout = clock.after(connectTimeoutMs, () =>
          fail(`${address} does not answer (waited ${connectTimeoutMs} ms)`),
        );
        const onAbort = () => fail('no longer wanted');
        const onError = (error: Error) =>
          fail(connectErrorMessage(error, { host, address, platform: process.platform }));
        const done = () => {
          cancelTimeout();
          signal.removeEventListener('abort', onAbort);
          socket.off('error', onError);
        };
        const fail = (reason: string) => {
          done();
          // It may still report an error; nobody is interested any more.
          socket.on('error', () => {});
          socket.destroy();
          reject(new LineError(reason));
        };
        signal.addEventListener('abort', onAbort);
        socket.on('error', onError);
        socket.once('connect', () => {
          done();
          resolve(socketConnection(socket, { clock, log }));
        });
      });
    },
  };
}

/**
 * The connection on a connected socket, also on one that a server took. The peer's FIN ends it: a terminal that will
 * say no more cannot answer.
 */
export function socketConnection(socket: Socket, options: { clock: Clock; log?: Log }): LineConnection {
  const { clock, log = silentLog } = options;
  const events: ConnectionEvents = createConnectionEvents(log, abandon);

  function abandon(reason: string): void {
    events.end(reason);
    reset();
  }

  /** Without a FIN, after which the system would go on to deliver what it holds, for minutes if need be. */
  function reset(): void {
    if (!socket.destroyed) socket.resetAndDestroy();
  }

  const whenClosed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      events.end('the connection was closed');
      resolve();
    });
  });
  socket.setNoDelay(true);
  socket.setKeepAlive(true, keepAliveDelayMs);
  socket.on('data', (bytes: Buffer) => events.deliver(bytes));
  socket.on('end', () => abandon(endedInOrder));
  socket.on('error', (error) => abandon(brokenConnectionMessage(error)));
  // The other side may have left before anybody listened here.
  if (socket.destroyed) abandon('the connection was closed');

  return {
    write(bytes) {
      if (events.closed || !socket.writable) return false;
      if (socket.writableLength + bytes.length > maxWaitingBytes) {
        abandon('the other side does not read');
        return false;
      }
      socket.write(Uint8Array.from(bytes));
      return true;
    },
    onData: events.onData,
    onClose: events.onClose,
    get closed() {
      return events.closed;
    },
    async close(unsent = 'send') {
      events.endHere();
      if (socket.destroyed) return socket.closed ? undefined : whenClosed;
      if (unsent === 'drop') reset();
      else socket.destroySoon();
      const cancel = clock.after(closeTimeoutMs, reset);
      await whenClosed;
      cancel();
    },
  };
}

function brokenConnectionMessage(error: Error): string {
  switch (codeOf(error)) {
    case 'ECONNRESET':
    case 'EPIPE':
      return 'the other side cut the connection';
    case 'ETIMEDOUT':
      return 'the other side no longer answers';
    default:
      return `the connection broke: ${error.message}`;
  }
}
