/** One request to the office: its log line, who asks, its body, and the forms of its response. */
import type { Request, RequestHandler, Response } from 'express';
import { gunzip } from 'node:zlib';
import { promisify } from 'node:util';
import type { z } from 'zod';
import { requestIdOf, endAndClose, readBody, type Linger, type RepeatedLines } from '../../http/index.ts';
import type { Chance } from '../../base/chance.ts';
import type { Clock } from '../../base/clock.ts';
import type { PageRefusal } from '../../contract/office-page.ts';
import type { OfficeRefusal } from '../../contract/office.ts';
import type { LineLog } from '../../log/index.ts';

export interface RequestParts {
  log: LineLog;
  repeatedLines: RepeatedLines;
  clock: Clock;
  chance: Chance;
  limits: Linger['limits'];
}

interface RequestContext {
  /** The pattern of the path for the log: a path itself could hold anything. */
  path: string;
  linger: Linger;
}

const maxJsonBytes = 256 * 1024;
const requestIdHeader = 'x-request-id';

export function beginRequest(request: Request, response: Response, parts: RequestParts): void {
  const { log, repeatedLines, clock, chance, limits } = parts;
  const context: RequestContext = { path: '(unknown)', linger: { clock, limits } };
  response.locals['request'] = context;
  const requestId = requestIdOf(request.headers[requestIdHeader], chance);
  response.set({ [requestIdHeader]: requestId, 'cache-control': 'no-store' });
  const startedAt = clock.elapsed();
  response.once('finish', () => {
    const { path } = context;
    const { statusCode: status } = response;
    const fields = {
      request_id: requestId,
      method: request.method,
      path,
      status,
      duration_ms: Math.round(clock.elapsed() - startedAt),
    };
    if (status < 400) return log.debug('office request', fields);
    const many = `requests for ${path} were answered with ${status}`;
    const kind = {
      name: `${path} ${status}`,
      level: 'info',
      message: 'office request',
      many,
      detailed: true,
    } as const;
    repeatedLines.note(kind, request.get('user-agent'), fields);
  });
}

function contextOf(response: Response): RequestContext {
  return response.locals['request'] as RequestContext;
}

const statuses: Record<(OfficeRefusal | PageRefusal)['error'], number> = {
  invalid_request: 400,
  code_unknown: 403,
  key_unknown: 401,
  place_unknown: 409,
  chain_broken: 422,
  unavailable: 503,
  body_too_large: 413,
  not_found: 404,
  no_session: 401,
  link_used: 401,
  link_unknown: 401,
  not_allowed: 403,
  origin_not_allowed: 403,
  host_not_allowed: 421,
};

export function refuse(response: Response, refusal: OfficeRefusal | PageRefusal): void {
  const text = JSON.stringify(refusal);
  response.status(statuses[refusal.error]).type('json');
  if (refusal.error === 'unavailable') response.set('retry-after', '5');
  const { req: request } = response;
  if (request.complete || request.method === 'GET') return void response.end(text);
  response.set({ connection: 'close', 'content-length': `${Buffer.byteLength(text)}` });
  endAndClose(request, response, text, contextOf(response).linger);
}

const unpack = promisify(gunzip);

/** The text of a body, unpacked where it is gzipped; null: it was refused, or the caller has gone. */
export async function textOf(
  request: Request,
  response: Response,
  { maxBytes, maxUnpackedBytes }: { maxBytes: number; maxUnpackedBytes: number },
): Promise<string | null> {
  const body = await readBody(request, maxBytes);
  if (body.kind === 'gone') return null;
  if (body.kind !== 'complete') {
    refuse(response, { error: 'body_too_large', message: `A body may have ${maxBytes} bytes at most.` });
    return null;
  }
  const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase();
  try {
    const bytes =
      encoding === 'gzip' ? await unpack(body.bytes, { maxOutputLength: maxUnpackedBytes }) : body.bytes;
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    const tooLarge = error instanceof RangeError;
    refuse(
      response,
      tooLarge
        ? { error: 'body_too_large', message: `A body may have ${maxUnpackedBytes} bytes unpacked at most.` }
        : { error: 'invalid_request', message: 'The body cannot be unpacked, or is not UTF-8.' },
    );
    return null;
  }
}

/** A name for the log's line: a path itself could hold anything. */
export function named(path: string): RequestHandler {
  return (_request, response, next) => {
    contextOf(response).path = path;
    next();
  };
}

/** Null: refused, or the caller has gone. */
export async function jsonOf<T>(
  request: Request,
  response: Response,
  schema: z.ZodType<T>,
): Promise<T | null> {
  const bounds = { maxBytes: maxJsonBytes, maxUnpackedBytes: maxJsonBytes };
  const text = await textOf(request, response, bounds);
  if (text === null) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    refuse(response, { error: 'invalid_request', message: 'The body is no JSON.' });
    return null;
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  refuse(response, { error: 'invalid_request', message: problemOf(parsed.error) });
  return null;
}

/** The first thing that is not as it should be, with its place. */
export function problemOf(error: z.ZodError): string {
  const [issue] = error.issues;
  return `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not as it should be'}`;
}

export function queryOf(request: Request): Record<string, string> {
  const start = request.originalUrl.indexOf('?');
  return Object.fromEntries(new URLSearchParams(start === -1 ? '' : request.originalUrl.slice(start + 1)));
}

export function bearerOf(request: Request): string | null {
  return /^Bearer ([\x21-\x7e]{1,512})$/.exec(request.headers.authorization ?? '')?.[1] ?? null;
}
