/** Every JSON answer of the listener goes out here: one form, one set of headers, the simulator's mark. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorStatus } from '../../contract/errors.ts';
import type { Refusal, PaymentState } from '../../contract/errors.ts';
import { endAfterLinger, hasBody } from '../../http/index.ts';
import type { Exchange, ListenerContext } from './context.ts';
import { paymentStateOf } from './payment-state.ts';

/** `issues` only with `invalid_request`. */
export type Failure = Refusal;
export type Issue = NonNullable<Failure['issues']>[number];

export type Headers = Record<string, string>;

/** RFC 9110 section 11.6.1: a 401 says how to do better. */
export const challenge: Headers = { 'WWW-Authenticate': 'Bearer' };

export interface JsonAnswer {
  success: boolean;
  message: string;
  [field: string]: unknown;
}

/** Headers that a web page of an allowed origin may read. */
const exposedHeaders = 'X-Request-Id, X-Simulated, Preference-Applied, Allow';

/** Answers `status` with `body` and ends the request. Does nothing when the caller has gone or has an answer. */
export function answerJson(
  context: ListenerContext,
  exchange: Exchange,
  response: ServerResponse,
  status: number,
  body: JsonAnswer,
  headers?: Headers,
): void {
  if (exchange.over || response.headersSent) return;
  const text = prepareJson(context, exchange, response, status, body, headers);
  response.end(text);
}

export function answerFailure(
  context: ListenerContext,
  exchange: Exchange,
  response: ServerResponse,
  failure: Failure,
  headers?: Headers,
): void {
  if (exchange.over || response.headersSent) return;
  const body = failureBody(failure, paymentStateOf(context, exchange, failure));
  answerJson(context, exchange, response, errorStatus[failure.code], body, headers);
}

/**
 * Answers a failure whose request has not been read to its end, and closes the connection once its sender has had time to
 * see the answer, which goes out at once.
 */
export function answerAndLinger(
  context: ListenerContext,
  exchange: Exchange,
  request: IncomingMessage,
  response: ServerResponse,
  failure: Failure,
  headers?: Headers,
): void {
  if (exchange.over || response.headersSent) return;
  const { clock, limits } = context;
  const body = failureBody(failure, paymentStateOf(context, exchange, failure));
  const text = prepareJson(context, exchange, response, errorStatus[failure.code], body, {
    ...headers,
    Connection: 'close',
  });
  response.write(text);
  endAfterLinger(request, response, clock, limits);
}

/** Answers a caller that may not call, and closes the connection: it shall hold none. */
export function answerAndClose(
  context: ListenerContext,
  exchange: Exchange,
  request: IncomingMessage,
  response: ServerResponse,
  failure: Failure,
  headers?: Headers,
): void {
  if (!request.complete && hasBody(request)) {
    answerAndLinger(context, exchange, request, response, failure, headers);
  } else {
    answerFailure(context, exchange, response, failure, { ...headers, Connection: 'close' });
  }
}

/** `paymentState` is null for what moves no money. */
export function failureBody(failure: Failure, paymentState: PaymentState | null): JsonAnswer {
  const { code, message, issues } = failure;
  const body: JsonAnswer = { success: false, message, code };
  if (paymentState !== null) body['payment_state'] = paymentState;
  if (issues !== undefined) body['issues'] = issues;
  return body;
}

/** The headers that every answer carries. */
export function commonHeaders(context: ListenerContext, exchange: Exchange): Headers {
  const headers: Headers = {
    'Cache-Control': 'no-store',
    Vary: 'Origin',
    'X-Content-Type-Options': 'nosniff',
    // A page that may not read an answer then cannot tell it from none either.
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Request-Id': exchange.requestId,
  };
  if (exchange.origin !== null) {
    headers['Access-Control-Allow-Origin'] = exchange.origin;
    headers['Access-Control-Expose-Headers'] = exposedHeaders;
  }
  if (context.closing().began.aborted) headers['Connection'] = 'close';
  return headers;
}

/** Counts the answer, writes its head, and gives the body that has to follow. */
function prepareJson(
  context: ListenerContext,
  exchange: Exchange,
  response: ServerResponse,
  status: number,
  body: JsonAnswer,
  extra: Headers | undefined,
): string {
  const headers = commonHeaders(context, exchange);
  let marked = body;
  if (context.simulated()) {
    headers['X-Simulated'] = 'true';
    marked = { ...body, message: `SIMULATED: ${body.message}` };
  }
  const text = JSON.stringify(marked);
  headers['Content-Type'] = 'application/json; charset=utf-8';
  headers['Content-Length'] = Buffer.byteLength(text).toString();
  if (extra !== undefined) Object.assign(headers, extra);
  context.tallies.answered(exchange.path, status, context.clock.elapsed() - exchange.arrivedAt.elapsedMs);
  response.writeHead(status, headers);
  return text;
}
