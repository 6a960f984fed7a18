/** One request to the office: its log line, who asks, its body, and the forms of its response. */
import type { Request, RequestHandler, Response } from 'express';
import { gunzip, gzip } from 'node:zlib';
import { promisify } from 'node:util';
import type { z } from 'zod';
import { requestIdOf, endAndClose, readBody, type Linger, type RepeatedLines } from '../../http/index.ts';
import type { Chance } from '../../base/chance.ts';
import type { Clock } from '../../base/clock.ts';
import type { PageRefusal } from '../../contract/office-page.ts';
import { officeRefusalStatus, type OfficeRefusal } from '../../contract/office.ts';
import type { LineLog } from '../../log/index.ts';

export interface RequestParts {
  log: LineLog;
  repeatedLines: RepeatedLines;
  clock: Clock;
  chance: Chance;
  limits: Linger['limits'];
  onAnswered: (path: string, status: number, durationMs: number) => void;
}

interface RequestContext {
  /** The pattern of the path for the log: a path itself could hold anything. */
  path: string;
  /** Null: it was not refused. */
  refused: Refusal['error'] | null;
  linger: Linger;
}

const maxJsonBytes = 256 * 1024;
/** More than a batch has in front of its last member: its head. Each further piece costs a turn, and a copy of all. */
const spareBytes = 64 * 1024;
const requestIdHeader = 'x-request-id';

export function beginRequest(request: Request, response: Response, parts: RequestParts): void {
  const { log, repeatedLines, clock, chance, limits, onAnswered } = parts;
  const context: RequestContext = { path: '(unknown)', refused: null, linger: { clock, limits } };
  response.locals['request'] = context;
  const requestId = requestIdOf(request.headers[requestIdHeader], chance);
  response.set({ [requestIdHeader]: requestId, 'cache-control': 'no-store' });
  const startedAt = clock.elapsed();
  response.once('finish', () => {
    const { path } = context;
    const { statusCode: status } = response;
    const durationMs = clock.elapsed() - startedAt;
    onAnswered(path, status, durationMs);
    const fields = {
      request_id: requestId,
      method: request.method,
      path,
      status,
      duration_ms: Math.round(durationMs),
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

type Refusal = OfficeRefusal | PageRefusal;

/** With what a request was refused, once it is answered; null: it was not. */
export function refusalOf(response: Response): Refusal['error'] | null {
  return contextOf(response).refused;
}

const statuses: Record<Refusal['error'], number> = {
  ...officeRefusalStatus,
  no_session: 401,
  link_used: 401,
  link_unknown: 401,
  not_allowed: 403,
  statement_not_kept: 409,
  origin_not_allowed: 403,
  host_not_allowed: 421,
};

export function refuse(response: Response, refusal: Refusal): void {
  contextOf(response).refused = refusal.error;
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
      encoding === 'gzip'
        ? await unpack(body.bytes, {
            maxOutputLength: maxUnpackedBytes,
            chunkSize: Math.min(unpackedSize(body.bytes) + spareBytes, maxUnpackedBytes),
          })
        : body.bytes;
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

/** What the last member of a gzip file says of its size (RFC 1952, ISIZE). It may say anything. */
function unpackedSize({ buffer, byteOffset, byteLength }: Uint8Array): number {
  return byteLength < 4 ? 0 : new DataView(buffer, byteOffset + byteLength - 4).getUint32(0, true);
}

const pack = promisify(gzip);
/** Less is not worth the work. */
const minPackedBytes = 16 * 1024;

/** A long answer, packed for whoever can unpack it. */
export async function sendPacked(request: Request, response: Response, answer: unknown): Promise<void> {
  const text = JSON.stringify(answer);
  response.type('json').vary('accept-encoding');
  if (text.length < minPackedBytes || request.acceptsEncodings('gzip') === false)
    return void response.end(text);
  const packed = await pack(text, { level: 1 });
  response.set('content-encoding', 'gzip').end(packed);
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
  maxBytes = maxJsonBytes,
): Promise<T | null> {
  const bounds = { maxBytes, maxUnpackedBytes: maxBytes };
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
