/** One request on its way through the sandbox, and the forms of its answer. */
import type { Request, Response } from 'express';
import type { Chance } from '../../../base/chance.ts';
import type { Clock } from '../../../base/clock.ts';
import type { RepeatedLines } from '../../../http/index.ts';
import type { Log } from '../../../log/index.ts';
import { remoteErrorStatus, sandboxHeader, type RemoteErrorBody } from '../../catalogue/index.ts';
import type { OperationResult } from '../engine.ts';
import type { Refusal } from '../refusal.ts';

export const requestIdHeader = 'x-request-id';
const requestIdPattern = /^[\w.-]{1,128}$/;

/** What the log tells of a request: the pattern of its path, since the path itself could hold anything. */
export interface Exchange {
  requestId: string;
  path: string;
  version: string | null;
}

/** Marks the answer as a sandbox's and has it logged when it is done. */
export function beginExchange(
  request: Request,
  response: Response,
  log: Log,
  repeated: RepeatedLines,
  clock: Clock,
  chance: Chance,
): Exchange {
  const given = request.get(requestIdHeader) ?? '';
  const exchange: Exchange = {
    requestId: requestIdPattern.test(given) ? given : chance.uuid(),
    path: '(unknown)',
    version: null,
  };
  response.locals['exchange'] = exchange;
  response.set({
    [sandboxHeader]: 'true',
    [requestIdHeader]: exchange.requestId,
    'cache-control': 'no-store',
  });
  const startedAt = clock.elapsed();
  response.once('finish', () => {
    const { path } = exchange;
    const { statusCode: status } = response;
    const fields = {
      request_id: exchange.requestId,
      method: request.method,
      path,
      version: exchange.version,
      status,
      duration_ms: Math.round(clock.elapsed() - startedAt),
    };
    if (status < 400) return log.info('sandbox request', fields);
    const many = `requests for ${path} were answered with ${status}`;
    const kind = {
      name: `${path} ${status}`,
      level: 'info',
      message: 'sandbox request',
      many,
      detailed: true,
    } as const;
    repeated.note(kind, request.get('user-agent'), fields);
  });
  return exchange;
}

export function exchangeOf(response: Response): Exchange {
  return response.locals['exchange'] as Exchange;
}

export function refuse(response: Response, { code, message, issues }: Refusal): void {
  const status = remoteErrorStatus[code];
  const body: RemoteErrorBody = {
    code,
    message,
    ...(issues === undefined ? {} : { issues }),
    request_id: exchangeOf(response).requestId,
  };
  // Who may not call shall hold no connection either.
  if (status === 401) response.set({ 'www-authenticate': 'Bearer', connection: 'close' });
  response.status(status).json(body);
}

export function give(response: Response, result: OperationResult): void {
  if (!result.ok) return refuse(response, result.refusal);
  if (result.etag !== null) response.set('etag', result.etag);
  response.status(200).json(result.body);
}

export function queryOf(request: Request): URLSearchParams {
  const start = request.originalUrl.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : request.originalUrl.slice(start + 1));
}
