/** Faults of the bridge itself: the log gets everything, the caller a request id. */
import type { ServerResponse } from 'node:http';
import { answerFailure } from './answers.ts';
import type { Exchange, ListenerContext } from './context.ts';

export function answerInternalError(
  context: ListenerContext,
  exchange: Exchange,
  response: ServerResponse,
  error: unknown,
): void {
  context.log.error('A request ended in a fault of the bridge', {
    request_id: exchange.requestId,
    path: exchange.path,
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  if (response.headersSent) {
    response.destroy();
    return;
  }
  answerFailure(context, exchange, response, {
    code: 'internal_error',
    message: `The bridge made a fault. Ask support to look into its log for the request ${exchange.requestId}.`,
  });
}
