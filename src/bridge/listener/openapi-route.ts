/** `GET /openapi.json`. The document is made when somebody asks for the first time. */
import { commonHeaders } from './answers.ts';
import type { ListenerContext, ListenerRequest, ListenerResponse } from './context.ts';
import { answerInternalError } from './faults.ts';

export function openApiRoute(context: ListenerContext) {
  let document: Promise<string> | null = null;
  return async (_request: ListenerRequest, response: ListenerResponse): Promise<void> => {
    const { exchange } = response.locals;
    exchange.path = '/openapi.json';
    try {
      document ??= import('./openapi.ts').then(({ createOpenApi }) => JSON.stringify(createOpenApi(context)));
      const text = await document;
      if (exchange.over) return;
      context.tallies.answered(exchange.path, 200, context.clock.elapsed() - exchange.arrivedAt.elapsedMs);
      response.writeHead(200, {
        ...commonHeaders(context, exchange),
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': Buffer.byteLength(text),
      });
      response.end(text);
    } catch (error) {
      answerInternalError(context, exchange, response, error);
    }
  };
}
