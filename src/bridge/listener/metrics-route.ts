/** `GET /metrics`: what the listener counts, in Prometheus text form. */
import type { ListenerContext, ListenerRequest, ListenerResponse } from './listener-context.ts';
import { challenge, commonHeaders, refuseAndClose, respondInternalError } from './responses.ts';
import { noteMissingToken, tokenRefusal } from './token-guard.ts';

export function metricsRoute(context: ListenerContext) {
  const { metrics } = context;
  return async (request: ListenerRequest, response: ListenerResponse): Promise<void> => {
    const { requestContext } = response.locals;
    requestContext.path = '/metrics';
    try {
      const refusal = tokenRefusal(context.tokens, request.headers.authorization);
      if (refusal !== null) {
        noteMissingToken(context, request, requestContext);
        return refuseAndClose(context, response, refusal, challenge);
      }
      const text = await metrics.text();
      if (requestContext.over) return;
      metrics.responded(requestContext, 200);
      response.writeHead(200, {
        ...commonHeaders(context, response),
        'Content-Type': metrics.contentType,
      });
      response.end(text);
    } catch (error) {
      respondInternalError(context, response, error);
    }
  };
}
