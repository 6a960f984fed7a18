/** Every JSON response of the listener goes out here: one form, one set of headers, the simulator's mark. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorStatus } from '../../contract/errors.ts';
import type { Refusal, PaymentState } from '../../contract/errors.ts';
import { endAfterLinger, hasBody } from '../../http/index.ts';
import type { RequestContext, ListenerContext } from './listener-context.ts';
import { paymentStateOf } from './payment-state.ts';

/** Only with `invalid_request`. */
export type Issue = NonNullable<Refusal['issues']>[number];

export type Headers = Record<string, string>;

/** RFC 9110 section 11.6.1: a 401 says how to do better. */
export const challenge: Headers = { 'WWW-Authenticate': 'Bearer' };

export interface ResponseBody {
  success: boolean;
  message: string;
  [field: string]: unknown;
}

/** Headers that a web page of an allowed origin may read. */
const exposedHeaders = 'X-Request-Id, X-Simulated, Preference-Applied, Allow';

/** Responds `status` with `body` and ends the request. Does nothing when the caller has gone or has its response. */
export function respondJson(
  context: ListenerContext,
  requestContext: RequestContext,
  response: ServerResponse,
  status: number,
  body: ResponseBody,
  headers?: Headers,
): void {
  if (requestContext.over || response.headersSent) return;
  const text = writeJsonHead(context, requestContext, response, status, body, headers);
  response.end(text);
}

export function respondRefusal(
  context: ListenerContext,
  requestContext: RequestContext,
  response: ServerResponse,
  refusal: Refusal,
  headers?: Headers,
): void {
  if (requestContext.over || response.headersSent) return;
  const body = refusalBody(refusal, paymentStateOf(context, requestContext, refusal));
  respondJson(context, requestContext, response, errorStatus[refusal.code], body, headers);
}

/**
 * Refuses a request that has not been read to its end, and closes the connection once its sender has had time to
 * see the answer, which goes out at once.
 */
export function refuseAndLinger(
  context: ListenerContext,
  requestContext: RequestContext,
  request: IncomingMessage,
  response: ServerResponse,
  refusal: Refusal,
  headers?: Headers,
): void {
  if (requestContext.over || response.headersSent) return;
  const { clock, limits } = context;
  const body = refusalBody(refusal, paymentStateOf(context, requestContext, refusal));
  const text = writeJsonHead(context, requestContext, response, errorStatus[refusal.code], body, {
    ...headers,
    Connection: 'close',
  });
  response.write(text);
  endAfterLinger(request, response, clock, limits);
}

/** Refuses a caller that may not call, and closes the connection: it shall hold none. */
export function refuseAndClose(
  context: ListenerContext,
  requestContext: RequestContext,
  request: IncomingMessage,
  response: ServerResponse,
  refusal: Refusal,
  headers?: Headers,
): void {
  if (!request.complete && hasBody(request)) {
    refuseAndLinger(context, requestContext, request, response, refusal, headers);
  } else {
    respondRefusal(context, requestContext, response, refusal, { ...headers, Connection: 'close' });
  }
}

/** `paymentState` is null for what moves no money. */
export function refusalBody(refusal: Refusal, paymentState: PaymentState | null): ResponseBody {
  const { code, message, issues } = refusal;
  const body: ResponseBody = { success: false, message, code };
  if (paymentState !== null) body['payment_state'] = paymentState;
  if (issues !== undefined) body['issues'] = issues;
  return body;
}

/** The headers that every response carries. */
export function commonHeaders(context: ListenerContext, requestContext: RequestContext): Headers {
  const headers: Headers = {
    'Cache-Control': 'no-store',
    Vary: 'Origin',
    'X-Content-Type-Options': 'nosniff',
    // A page that may not read a response then cannot tell it from none either.
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Request-Id': requestContext.requestId,
  };
  if (requestContext.origin !== null) {
    headers['Access-Control-Allow-Origin'] = requestContext.origin;
    headers['Access-Control-Expose-Headers'] = exposedHeaders;
  }
  if (context.shutdown().began.aborted) headers['Connection'] = 'close';
  return headers;
}

/** Counts the response, writes its head, and gives the body that has to follow. */
function writeJsonHead(
  context: ListenerContext,
  requestContext: RequestContext,
  response: ServerResponse,
  status: number,
  body: ResponseBody,
  extra: Headers | undefined,
): string {
  const headers = commonHeaders(context, requestContext);
  let marked = body;
  if (context.simulated()) {
    headers['X-Simulated'] = 'true';
    marked = { ...body, message: `SIMULATED: ${body.message}` };
  }
  const text = JSON.stringify(marked);
  headers['Content-Type'] = 'application/json; charset=utf-8';
  headers['Content-Length'] = Buffer.byteLength(text).toString();
  if (extra !== undefined) Object.assign(headers, extra);
  context.counters.responded(
    requestContext.path,
    status,
    context.clock.elapsed() - requestContext.arrivedAt.elapsedMs,
  );
  response.writeHead(status, headers);
  return text;
}
