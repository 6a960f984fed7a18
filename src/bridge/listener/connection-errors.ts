/** Connections that send no proper HTTP, or send it too slowly: a short response where one is safe, then the end. */
import type { Duplex } from 'node:stream';
import { errorStatus } from '../../contract/errors.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import type { RepeatedKind, RepeatedLines } from '../../http/index.ts';
import { refusalBody } from './responses.ts';
import type { InFlightRequests } from './in-flight-requests.ts';

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

/** For the `clientError` event of a server. `simulated` says whether the response has to carry the simulator's mark. */
export function createConnectionErrorHandler(
  inFlight: InFlightRequests,
  repeatedLines: RepeatedLines,
  simulated: () => boolean,
) {
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const code = codeOf(error);
    repeatedLines.note(noProperRequest(code), undefined, { code, error: error.code });
    // With a request in hand these bytes would be taken for its response, and its payment for refused.
    const answersFirst = inFlight.broken(socket, { code, message: messages[code] }, () => {
      if (socket.writable) socket.end(rawAnswer(code, simulated()), () => socket.destroy());
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
    message: 'Closing a connection that sends no proper request',
    many: `connections that sent no proper request (${code}) were closed`,
  };
}

/** A whole HTTP response for a connection that no request object exists for. */
export function rawAnswer(code: keyof typeof messages, simulated: boolean): string {
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
