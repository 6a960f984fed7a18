/** Node's HTTP server with the bounds that keep a slow, broken or hostile connection from hurting the others. */
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { notAccepted, serverBounds, type ConnectionPool, type RepeatedLines } from '../../http/index.ts';
import { createConnectionErrorHandler, rawAnswer } from './connection-errors.ts';
import type { InFlightRequests } from './in-flight-requests.ts';
import type { ListenerLimits } from './listener-limits.ts';

export interface HttpServerOptions {
  limits: ListenerLimits;
  inFlight: InFlightRequests;
  pool: ConnectionPool;
  repeatedLines: RepeatedLines;
  /** `expectsContinue`: the caller sends its body once it has been told to (100 Continue). */
  onRequest: (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean) => void;
  simulated: () => boolean;
}

/** A server that listens nowhere yet. */
export function createHttpServer(options: HttpServerOptions): Server {
  const { limits, inFlight, pool, repeatedLines, onRequest, simulated } = options;
  const server = createServer(serverBounds(limits));
  pool.attach(server);
  server.on('connection', (socket) => inFlight.connected(socket));
  server.on('request', (request, response) => onRequest(request, response, false));
  server.on('checkContinue', (request, response) => onRequest(request, response, true));
  server.on('checkExpectation', (request, response) => onRequest(request, response, false));
  server.on('connect', (_request, socket) => {
    // Node has taken its own listener away, and an error that nobody hears ends the process.
    socket.on('error', () => socket.destroy());
    socket.end(rawAnswer('invalid_request', simulated()), () => socket.destroy());
  });
  server.on('clientError', createConnectionErrorHandler(inFlight, repeatedLines, simulated));
  server.on('listening', () => {
    // Before that, an error is the answer to `listen`. From now on it is about one connection (no file descriptors).
    server.on('error', (error) => repeatedLines.note(notAccepted, undefined, { error: error.message }));
  });
  return server;
}
