/** Every JSON answer of the listener goes out here: one form, one set of headers, the simulator's mark. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorStatus } from '../../contract/errors.ts';
import type { CommandFailure, PaymentState } from '../../contract/errors.ts';
import type { Exchange, ListenerContext } from './context.ts';
import { paymentStateOf } from './payment-state.ts';

/** `issues` only with `invalid_request`. */
export type Failure = CommandFailure;
export type Issue = NonNullable<Failure['issues']>[number];

export type Headers = Record<string, string>;

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
 * Answers a failure whose request has not been read to its end, and closes the connection. The answer goes out at once
 * and the rest is read and thrown away for a while: closing with unread bytes would reset the connection, and the
 * sender would lose the answer.
 */
export function answerAndLinger(
  context: ListenerContext,
  exchange: Exchange,
  request: IncomingMessage,
  response: ServerResponse,
  failure: Failure,
): void {
  if (exchange.over || response.headersSent) return;
  const { clock, limits } = context;
  const body = failureBody(failure, paymentStateOf(context, exchange, failure));
  const text = prepareJson(context, exchange, response, errorStatus[failure.code], body, {
    Connection: 'close',
  });
  response.write(text);
  let readBytes = 0;
  const end = () => {
    cancel();
    response.end();
  };
  const cancel = clock.after(limits.lingerMs, end);
  request.on('data', (chunk: Buffer) => {
    readBytes += chunk.length;
    if (readBytes > limits.lingerBytes) end();
  });
  request.on('end', end);
  request.on('close', end);
  request.resume();
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
