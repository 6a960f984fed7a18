/**
 * Connections and the requests in flight on them: so that a stop knows when the last one has its response, and so that a
 * broken connection is never told "your request was malformed" in place of the response to a payment.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorStatus } from '../../contract/errors.ts';
import type { ErrorCode, Refusal } from '../../contract/errors.ts';
import {
  createBoundedServer,
  cutReading,
  type ConnectionPool,
  type RepeatedKind,
  type RepeatedLines,
} from '../../http/index.ts';
import type { RequestContext } from './listener-context.ts';
import type { ListenerLimits } from './listener-limits.ts';
import { refusalBody } from './responses.ts';

export interface ListenerServerOptions {
  limits: ListenerLimits;
  inFlight: InFlightRequests;
  pool: ConnectionPool;
  repeatedLines: RepeatedLines;
  /** `expectsContinue`: the caller sends its body once it has been told to (100 Continue). */
  onRequest: (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean) => void;
  /** Somebody sent something else than HTTP (TLS, say), or too much of it. */
  onBroken: (code: ErrorCode) => void;
  simulated: () => boolean;
}

/** A server that listens nowhere yet. */
export function createListenerServer(options: ListenerServerOptions): Server {
  const { limits, inFlight, pool, repeatedLines, onRequest, onBroken, simulated } = options;
  const server = createBoundedServer({
    bounds: limits,
    pool,
    repeatedLines,
    onRequest: (request, response) => onRequest(request, response, false),
  });
  server.on('connection', (socket) => inFlight.connected(socket));
  server.on('checkContinue', (request, response) => onRequest(request, response, true));
  server.on('checkExpectation', (request, response) => onRequest(request, response, false));
  server.on('connect', (_request, socket) => {
    // Node has taken its own listener away, and an error that nobody hears ends the process.
    socket.on('error', () => socket.destroy());
    socket.end(rawResponse('invalid_request', simulated()), () => socket.destroy());
  });
  server.on('clientError', connectionErrorHandler(inFlight, repeatedLines, onBroken, simulated));
  return server;
}

export interface InFlightRequests {
  /** Called once for each connection, before its first request. */
  connected(socket: Duplex): void;
  /** False: this connection has too many in flight, or is not ours. */
  enter(request: IncomingMessage, response: ServerResponse, requestContext: RequestContext): boolean;
  /**
   * Nothing more can be read from `socket`: ends the reading of a body on it with `failure`, and calls once the requests
   * that are in flight on it have their responses. False: there are none.
   */
  broken(socket: Duplex, refusal: Refusal, whenAnswered: () => void): boolean;
  /** Resolves when none is in flight, or when `signal` aborts. */
  whenNone(signal: AbortSignal): Promise<void>;
}

export function createInFlightRequests(maxPipelined: number): InFlightRequests {
  const connections = new Map<Duplex, Map<RequestContext, IncomingMessage>>();
  const broken = new Map<Duplex, () => void>();
  const waiting = new Set<() => void>();
  let count = 0;

  const leave = (
    socket: Duplex,
    requests: Map<RequestContext, IncomingMessage>,
    requestContext: RequestContext,
  ) => {
    if (!requests.delete(requestContext)) return;
    requestContext.over = true;
    requestContext.gone?.abort();
    count -= 1;
    if (requests.size === 0) broken.get(socket)?.();
    if (count === 0) for (const resolve of waiting) resolve();
  };

  return {
    connected(socket) {
      connections.set(socket, new Map());
      socket.on('close', () => {
        connections.delete(socket);
        broken.delete(socket);
      });
    },

    enter(request, response, requestContext) {
      const requests = connections.get(request.socket);
      if (requests === undefined || requests.size >= maxPipelined) return false;
      requests.set(requestContext, request);
      count += 1;
      response.on('close', () => leave(request.socket, requests, requestContext));
      return true;
    },

    broken(socket, refusal, whenAnswered) {
      if (broken.has(socket)) return true;
      const requests = connections.get(socket);
      if (requests === undefined || requests.size === 0) {
        whenAnswered();
        return false;
      }
      broken.set(socket, whenAnswered);
      for (const request of requests.values()) cutReading(request, refusal);
      return true;
    },

    whenNone(signal) {
      return new Promise((resolve) => {
        if (count === 0 || signal.aborted) return resolve();
        const done = () => {
          waiting.delete(done);
          signal.removeEventListener('abort', done);
          resolve();
        };
        waiting.add(done);
        signal.addEventListener('abort', done);
      });
    },
  };
}

const statusTexts: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

const messages = {
  invalid_request: 'This is not a proper HTTP/1.1 request.',
  request_timeout: 'The request did not arrive in time. Send it again.',
  headers_too_large: 'The headers of the request are too large.',
} as const satisfies Partial<Record<ErrorCode, string>>;

/**
 * Connections that send no proper HTTP, or send it too slowly: a short response where one is safe, then the end. For the
 * `clientError` event of a server. `simulated` says whether the response has to carry the simulator's mark.
 */
function connectionErrorHandler(
  inFlight: InFlightRequests,
  repeatedLines: RepeatedLines,
  onBroken: (code: ErrorCode) => void,
  simulated: () => boolean,
) {
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const code = codeOf(error);
    repeatedLines.note(noProperRequest(code), undefined, { code, err: error.code });
    // A browser opens connections in advance, and leaves some of them silent.
    if (code !== 'request_timeout') onBroken(code);
    // With a request in flight these bytes would be taken for its response, and its payment for refused.
    const answersFirst = inFlight.broken(socket, { code, message: messages[code] }, () => {
      if (socket.writable) socket.end(rawResponse(code, simulated()), () => socket.destroy());
      else socket.destroy();
    });
    // A caller that hangs up waits for nothing, as where nothing was broken: an event stream would stay open for it.
    if (!answersFirst) return;
    if (error.code === 'HPE_INVALID_EOF_STATE') socket.destroy();
    else socket.on('end', () => socket.destroy());
  };
}

function noProperRequest(code: keyof typeof messages): RepeatedKind {
  return {
    name: `connection ${code}`,
    level: 'info',
    message: 'closing a connection that sends no proper request',
    many: `connections that sent no proper request (${code}) were closed`,
  };
}

/** A whole HTTP response for a connection that no request object exists for. */
function rawResponse(code: keyof typeof messages, simulated: boolean): string {
  const status = errorStatus[code];
  const message = simulated ? `SIMULATED: ${messages[code]}` : messages[code];
  // Which command it was going to be cannot be told, so nothing is said of its money.
  const body = JSON.stringify(refusalBody({ code, message }, 'unknown'));
  const lines = [
    `HTTP/1.1 ${status} ${statusTexts[status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    ...(simulated ? ['X-Simulated: true'] : []),
    'Connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

function codeOf(error: NodeJS.ErrnoException): keyof typeof messages {
  if (error.code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  return error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'invalid_request';
}
