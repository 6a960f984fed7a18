/** Node's HTTP server with the bounds that keep a slow, broken or hostile connection from hurting the others. */
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import { maxBodyBytes } from '../../contract/commands.ts';
import type { Clock } from '../../contract/clock.ts';
import type { Log } from '../log/log.ts';
import { createConnectionFaults, rawAnswer } from './connection-faults.ts';
import type { InHand } from './in-hand.ts';
import type { ListenerLimits } from './limits.ts';

/** Dropped connections are told once in this time. */
const dropQuietMs = 10_000;

export interface HttpServerOptions {
  limits: ListenerLimits;
  inHand: InHand;
  log: Log;
  clock: Clock;
  onRequest: (request: IncomingMessage, response: ServerResponse) => void;
  simulated: () => boolean;
}

/** What every server of ours asks of Node's HTTP parser: bounds, and no leniency. */
export function serverBounds(
  limits: Pick<
    ListenerLimits,
    'headersTimeoutMs' | 'requestTimeoutMs' | 'keepAliveTimeoutMs' | 'checkIntervalMs' | 'maxHeaderBytes'
  >,
): ServerOptions {
  return {
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.checkIntervalMs,
    maxHeaderSize: limits.maxHeaderBytes,
    // A header that comes twice must not be half ignored: joined, it matches nothing.
    joinDuplicateHeaders: true,
    // A missing Host is answered by a guard, in our own words.
    requireHostHeader: false,
    insecureHTTPParser: false,
  };
}

/** A server that listens nowhere yet. */
export function createHttpServer(options: HttpServerOptions): Server {
  const { limits, inHand, log, clock, onRequest, simulated } = options;
  const server = createServer(serverBounds(limits));
  server.maxConnections = limits.maxConnections;
  server.on('connection', (socket) => inHand.connected(socket));
  server.on('request', onRequest);
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // Who asks first is told at once that the body is too large, and keeps it.
    if (Number(request.headers['content-length'] ?? 0) <= maxBodyBytes) response.writeContinue();
    else response.shouldKeepAlive = false;
    onRequest(request, response);
  });
  server.on('checkExpectation', onRequest);
  server.on('connect', (_request, socket) => {
    // Node has taken its own listener away, and an error that nobody hears ends the process.
    socket.on('error', () => socket.destroy());
    socket.end(rawAnswer('invalid_request', simulated()), () => socket.destroy());
  });
  server.on('clientError', createConnectionFaults(inHand, log, simulated));
  server.on('listening', () => {
    // Before that, an error is the answer to `listen`. From now on it is about one connection (no file descriptors).
    server.on('error', (error) => log.error('A connection could not be accepted', { error: error.message }));
  });
  let toldOfDropAtMs = -Infinity;
  server.on('drop', () => {
    if (clock.elapsed() - toldOfDropAtMs < dropQuietMs) return;
    toldOfDropAtMs = clock.elapsed();
    log.warn('There are too many connections; new ones are closed', { limit: limits.maxConnections });
  });
  return server;
}
