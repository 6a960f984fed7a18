/** `GET /openapi.json`. The document is made when somebody asks for the first time. */
import { commonHeaders } from './responses.ts';
import type { ListenerContext, ListenerRequest, ListenerResponse } from './listener-context.ts';
import { respondInternalError } from './internal-errors.ts';

export function openApiRoute(context: ListenerContext) {
  let document: Promise<string> | null = null;
  return async (_request: ListenerRequest, response: ListenerResponse): Promise<void> => {
    const { requestContext } = response.locals;
    requestContext.path = '/openapi.json';
    try {
      document ??= import('./openapi.ts').then(({ createOpenApi }) => JSON.stringify(createOpenApi(context)));
      const text = await document;
      if (requestContext.over) return;
      context.counters.responded(
        requestContext.path,
        200,
        context.clock.elapsed() - requestContext.arrivedAt.elapsedMs,
      );
      response.writeHead(200, {
        ...commonHeaders(context, requestContext),
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': Buffer.byteLength(text),
      });
      response.end(text);
    } catch (error) {
      respondInternalError(context, requestContext, response, error);
    }
  };
}
