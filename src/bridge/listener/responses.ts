/** Every JSON response of the listener goes out here: one form, one set of headers, the simulator's mark. */
import { errorStatus } from '../../contract/errors.ts';
import type { ErrorCode, PaymentState, Refusal } from '../../contract/errors.ts';
import { endAndClose, type RepeatedKind } from '../../http/index.ts';
import type { ListenerContext, ListenerResponse } from './listener-context.ts';
import { paymentStateOf } from './payment-state.ts';

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

const internalError: RepeatedKind = {
  name: 'internal error',
  level: 'error',
  message: 'a request ended in an internal error',
  many: 'requests ended in an internal error',
  detailed: true,
};

/** Responds `status` with `body` and ends the request. Does nothing when the caller has gone or has its response. */
export function respondJson(
  context: ListenerContext,
  response: ListenerResponse,
  status: number,
  body: ResponseBody,
  headers?: Headers,
): void {
  context.observer?.answering(response);
  if (isOver(response)) return;
  const text = writeJsonHead(context, response, status, body, headers);
  response.end(text);
  // The response first: its caller does not wait for counts.
  responded(context, response, status, null);
}

export function respondRefusal(
  context: ListenerContext,
  response: ListenerResponse,
  refusal: Refusal,
  headers?: Headers,
): void {
  context.observer?.answering(response);
  if (isOver(response)) return;
  const status = errorStatus[refusal.code];
  response.end(writeJsonHead(context, response, status, refusalOf(context, response, refusal), headers));
  responded(context, response, status, refusal.code);
}

/**
 * For a caller that may not call, or whose request is not read to its end: closes the connection once the sender has had
 * time to see the response, which goes out at once.
 */
export function refuseAndClose(
  context: ListenerContext,
  response: ListenerResponse,
  refusal: Refusal,
  headers?: Headers,
): void {
  context.observer?.answering(response);
  if (isOver(response)) return;
  const body = refusalOf(context, response, refusal);
  const status = errorStatus[refusal.code];
  const text = writeJsonHead(context, response, status, body, { ...headers, Connection: 'close' });
  endAndClose(response.req, response, text, context);
  responded(context, response, status, refusal.code);
}

/** What is counted and remembered of a request, once its response is on its way. */
function responded(
  context: ListenerContext,
  response: ListenerResponse,
  status: number,
  code: ErrorCode | null,
): void {
  const { requestContext } = response.locals;
  context.metrics.responded(requestContext, status);
  const { path, money, arrivedAt } = requestContext;
  const called = path === 'other' && money !== null ? `/${money.command}` : path;
  context.recentCalls.note({ atMs: arrivedAt.nowMs, path: called, code }, response.req);
}

/** For an error of the bridge itself: the log gets everything, the caller a request id. */
export function respondInternalError(
  context: ListenerContext,
  response: ListenerResponse,
  error: unknown,
): void {
  const { requestId, path } = response.locals.requestContext;
  context.repeatedLines.note(internalError, undefined, {
    request_id: requestId,
    path,
    err: error,
  });
  if (response.headersSent) {
    response.destroy();
    return;
  }
  respondRefusal(context, response, {
    code: 'internal_error',
    message: `The bridge made a fault. Ask support to look into its log for the request ${requestId}.`,
  });
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
export function commonHeaders(context: ListenerContext, response: ListenerResponse): Headers {
  const { requestId, origin } = response.locals.requestContext;
  const headers: Headers = {
    'Cache-Control': 'no-store',
    Vary: 'Origin',
    'X-Content-Type-Options': 'nosniff',
    // A page that may not read a response then cannot tell it from none either.
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Request-Id': requestId,
  };
  if (origin !== null) {
    headers['Access-Control-Allow-Origin'] = origin;
    headers['Access-Control-Expose-Headers'] = exposedHeaders;
  }
  if (context.shutdown().began.aborted) headers['Connection'] = 'close';
  return headers;
}

/** The caller has gone, or has its response. */
function isOver(response: ListenerResponse): boolean {
  return response.locals.requestContext.over || response.headersSent;
}

function refusalOf(context: ListenerContext, response: ListenerResponse, refusal: Refusal): ResponseBody {
  return refusalBody(refusal, paymentStateOf(context, response.locals.requestContext, refusal));
}

/** Writes the head of the response, and gives the body that has to follow. */
function writeJsonHead(
  context: ListenerContext,
  response: ListenerResponse,
  status: number,
  body: ResponseBody,
  extra: Headers | undefined,
): string {
  const headers = commonHeaders(context, response);
  const { terminal } = response.locals.requestContext;
  let marked = terminal === null || !context.terminals.several ? body : { ...body, terminal: terminal.name };
  if (context.simulated()) {
    headers['X-Simulated'] = 'true';
    marked = { ...marked, message: `SIMULATED: ${body.message}` };
  }
  const text = JSON.stringify(marked);
  response.locals.requestContext.answered = text;
  headers['Content-Type'] = 'application/json; charset=utf-8';
  headers['Content-Length'] = Buffer.byteLength(text).toString();
  if (extra !== undefined) Object.assign(headers, extra);
  response.writeHead(status, headers);
  return text;
}
