/** Errors inside the bridge itself: the log gets everything, the caller a request id. */
import type { ServerResponse } from 'node:http';
import type { RepeatedKind } from '../../http/index.ts';
import { respondRefusal } from './responses.ts';
import type { RequestContext, ListenerContext } from './listener-context.ts';

const internalError: RepeatedKind = {
  name: 'internal error',
  level: 'error',
  message: 'A request ended in an internal error',
  many: 'requests ended in an internal error',
  detailed: true,
};

export function respondInternalError(
  context: ListenerContext,
  requestContext: RequestContext,
  response: ServerResponse,
  error: unknown,
): void {
  context.repeatedLines.note(internalError, undefined, {
    request_id: requestContext.requestId,
    path: requestContext.path,
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  if (response.headersSent) {
    response.destroy();
    return;
  }
  respondRefusal(context, requestContext, response, {
    code: 'internal_error',
    message: `The bridge made a fault. Ask support to look into its log for the request ${requestContext.requestId}.`,
  });
}
