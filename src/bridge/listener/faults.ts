/** Faults of the bridge itself: the log gets everything, the caller a request id. */
import type { ServerResponse } from 'node:http';
import type { RepeatedKind } from '../../http/index.ts';
import { answerFailure } from './answers.ts';
import type { Exchange, ListenerContext } from './context.ts';

const internalFault: RepeatedKind = {
  name: 'fault',
  level: 'error',
  message: 'A request ended in a fault of the bridge',
  many: 'requests ended in a fault of the bridge',
  detailed: true,
};

export function answerInternalError(
  context: ListenerContext,
  exchange: Exchange,
  response: ServerResponse,
  error: unknown,
): void {
  context.repeated.note(internalFault, undefined, {
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
