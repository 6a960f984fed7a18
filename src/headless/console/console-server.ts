/** Node's HTTP server with the bounds that keep a slow, broken or hostile connection from hurting the others. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { notAccepted, serverBounds, type ConnectionPool, type RepeatedLines } from '../../http/index.ts';
import type { ConsoleLimits } from './console-limits.ts';

/** A server that listens nowhere yet. */
export function createConsoleServer(options: {
  limits: ConsoleLimits;
  pool: ConnectionPool;
  repeatedLines: RepeatedLines;
  onRequest: (request: IncomingMessage, response: ServerResponse) => void;
}): Server {
  const { limits, pool, repeatedLines, onRequest } = options;
  const server = createServer(serverBounds(limits), onRequest);
  pool.attach(server);
  server.on('listening', () => {
    // Before that, an error is the answer to `listen`. From now on it is about one connection.
    server.on('error', (error) => repeatedLines.note(notAccepted, undefined, { error: error.message }));
  });
  return server;
}
