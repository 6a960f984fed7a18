/** Node's HTTP server with the bounds that keep a slow, broken or hostile connection from hurting the others. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { serverBounds } from '../../http/index.ts';
import type { Log } from '../../bridge/log/index.ts';
import type { ConsoleLimits } from './limits.ts';

/** A server that listens nowhere yet. */
export function createConsoleServer(options: {
  limits: ConsoleLimits;
  log: Log;
  onRequest: (request: IncomingMessage, response: ServerResponse) => void;
}): Server {
  const { limits, log, onRequest } = options;
  const server = createServer(serverBounds(limits), onRequest);
  server.maxConnections = limits.maxConnections;
  server.on('listening', () => {
    // Before that, an error is the answer to `listen`. From now on it is about one connection.
    server.on('error', (error) => log.error('A connection could not be accepted', { error: error.message }));
  });
  return server;
}
