/** One request on its way through the sandbox, and the forms of its response. */
import type { Request, Response } from 'express';
import type { Chance } from '../../../base/chance.ts';
import type { Clock } from '../../../base/clock.ts';
import { endAndClose, requestIdOf, type Linger, type RepeatedLines } from '../../../http/index.ts';
import type { LineLog } from '../../../log/index.ts';
import { remoteErrorStatus, sandboxHeader, type RemoteErrorBody } from '../../catalogue/index.ts';
import type { OperationResult } from '../executor.ts';
import type { RequestFailure } from '../request-error.ts';

const requestIdHeader = 'x-request-id';

/** What the log tells of a request: the pattern of its path, since the path itself could hold anything. */
export interface RequestContext {
  requestId: string;
  path: string;
  version: string | null;
  linger: Linger;
}

export interface RequestLogging {
  log: LineLog;
  repeatedLines: RepeatedLines;
  clock: Clock;
  chance: Chance;
  limits: Linger['limits'];
}

/** Marks the response as a sandbox's and has it logged when it is done. */
export function beginRequest(
  request: Request,
  response: Response,
  { log, repeatedLines, clock, chance, limits }: RequestLogging,
): RequestContext {
  const context: RequestContext = {
    requestId: requestIdOf(request.headers[requestIdHeader], chance),
    path: '(unknown)',
    version: null,
    linger: { clock, limits },
  };
  response.locals['request'] = context;
  response.set({
    [sandboxHeader]: 'true',
    [requestIdHeader]: context.requestId,
    'cache-control': 'no-store',
  });
  const startedAt = clock.elapsed();
  response.once('finish', () => {
    const { path } = context;
    const { statusCode: status } = response;
    const fields = {
      request_id: context.requestId,
      method: request.method,
      path,
      version: context.version,
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
    repeatedLines.note(kind, request.get('user-agent'), fields);
  });
  return context;
}

export function requestContextOf(response: Response): RequestContext {
  return response.locals['request'] as RequestContext;
}

export function refuse(response: Response, { code, message, issues }: RequestFailure): void {
  const status = remoteErrorStatus[code];
  const body: RemoteErrorBody = {
    code,
    message,
    ...(issues === undefined ? {} : { issues }),
    request_id: requestContextOf(response).requestId,
  };
  response.status(status);
  if (status === 401) response.set('www-authenticate', 'Bearer');
  // Who may not call holds no connection, and what is not read to its end is not read on.
  if (status !== 401 && code !== 'body_too_large' && !response.hasHeader('connection')) {
    return void response.json(body);
  }
  const text = JSON.stringify(body);
  response.set({ connection: 'close', 'content-length': `${Buffer.byteLength(text)}` }).type('json');
  endAndClose(response.req, response, text, requestContextOf(response).linger);
}

export function respond(response: Response, result: OperationResult): void {
  if (!result.ok) return refuse(response, result.refusal);
  if (result.etag !== null) response.set('etag', result.etag);
  response.status(200).json(result.body);
}

export function queryOf(request: Request): URLSearchParams {
  const start = request.originalUrl.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : request.originalUrl.slice(start + 1));
}
