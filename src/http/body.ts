/** Request bodies: read within bounds, taken for JSON, and left unread without losing the response. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';
import type { Refusal } from '../contract/errors.ts';

export type ReadBody =
  | { kind: 'complete'; bytes: Uint8Array }
  /** There is more to come than is read: refuse and close. */
  | { kind: 'too_large' }
  /** `cutReading` was called: refuse and close. */
  | { kind: 'cut'; refusal: Refusal }
  /** The caller has gone. */
  | { kind: 'gone' };

export type JsonObject =
  { kind: 'object'; value: Record<string, unknown> } | { kind: 'not_json' | 'not_an_object' };

/** Why the body of a request is no JSON object, in codes that all of our interfaces have. */
export type JsonRefusal = 'unsupported_media_type' | 'body_too_large' | 'invalid_json' | 'invalid_request';

export interface Linger {
  clock: Clock;
  /** How much more is read, and how long, so that the sender sees the response. */
  limits: { lingerBytes: number; lingerMs: number };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
const jsonTypePattern = /^application\/json[ \t]*(?:;|$)/i;
const otherCharsetPattern = /;[ \t]*charset[ \t]*=[ \t]*"?(?!utf-8"?[ \t]*(?:;|$))/i;

/**
 * Emitted on a request, with a `Refusal`: nothing more of its body will come. An event and no function that the
 * request's context holds: that kept what belonged to requests of long ago alive until the next full collection.
 */
const readingCut = Symbol('readingCut');

/** Ends the reading of the body with `refusal`, if it is being read and not complete. */
export function cutReading(request: IncomingMessage, refusal: Refusal): void {
  request.emit(readingCut, refusal);
}

/** Reads at most `maxBytes`; how long that may take is the server's `requestTimeoutMs`. Never rejects. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<ReadBody> {
  return new Promise((resolve) => {
    const givenBytes = Number(request.headers['content-length'] ?? 0);
    if (givenBytes > maxBytes) return resolve({ kind: 'too_large' });
    let first: Buffer | null = null;
    const more: Buffer[] = [];
    let lengthBytes = 0;

    const finish = (body: ReadBody) => {
      request.off(readingCut, onCut);
      request.off('data', onData);
      request.off('end', onEnd);
      request.off('close', onClose);
      resolve(body);
    };
    const onData = (chunk: Buffer) => {
      // Counted as it comes: a chunked body has no length, and a given one may lie.
      lengthBytes += chunk.length;
      if (lengthBytes > maxBytes) return finish({ kind: 'too_large' });
      if (first === null) first = chunk;
      else more.push(chunk);
      // All of it is here, though its end is told only later.
      if (request.complete && lengthBytes === givenBytes) onEnd();
    };
    const onEnd = () => {
      const bytes =
        first === null ? Buffer.alloc(0) : more.length === 0 ? first : Buffer.concat([first, ...more]);
      finish({ kind: 'complete', bytes });
    };
    const onClose = () => finish({ kind: 'gone' });
    const onCut = (refusal: Refusal) => {
      // Complete, though its end has not been told yet: what is broken comes after it.
      if (!request.complete) finish({ kind: 'cut', refusal });
    };
    request.on(readingCut, onCut);
    request.on('data', onData);
    request.on('end', onEnd);
    request.on('close', onClose);
    request.on('error', ignore);
  });
}

/** A connection that breaks is told by `close`; without a listener `error` would be thrown. */
function ignore(): void {}

/** Equal keys: the last one counts, as in every JavaScript reader. `__proto__` is a field like any other. */
export function parseJsonObject(bytes: Uint8Array): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    // The parser's own message would repeat the caller's bytes.
    return { kind: 'not_json' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { kind: 'not_an_object' };
  return { kind: 'object', value: value as Record<string, unknown> };
}

/** A form can post other types across origins without asking; this one it cannot. */
export function isJson({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return jsonTypePattern.test(headers['content-type'] ?? '');
}

/** The body is compressed, or changed in some other way. Nobody unpacks it: what comes out of it is not bounded. */
export function isEncoded({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';
}

/** One JSON object of a request that says that it has one; an empty body is `{}`. Null: the caller has gone. */
export async function readJsonObject(
  request: IncomingMessage,
  maxBytes: number,
): Promise<{ ok: true; value: Record<string, unknown> } | { ok: false; code: JsonRefusal } | null> {
  const type = request.headers['content-type'] ?? '';
  if (!isJson(request) || isEncoded(request) || otherCharsetPattern.test(type))
    return { ok: false, code: 'unsupported_media_type' };
  const body = await readBody(request, maxBytes);
  if (body.kind === 'gone') return null;
  if (body.kind !== 'complete') return { ok: false, code: 'body_too_large' };
  if (body.bytes.length === 0) return { ok: true, value: {} };
  const parsed = parseJsonObject(body.bytes);
  if (parsed.kind === 'object') return { ok: true, value: parsed.value };
  return { ok: false, code: parsed.kind === 'not_json' ? 'invalid_json' : 'invalid_request' };
}

/** Whether a request has, by its head, a body. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/**
 * Ends a response that was given `Connection: close`, with `text` as its body: who may not call shall hold no
 * connection. Where the request has not been read to its end, the rest is read and thrown away for a while: closing with
 * unread bytes would reset the connection, and the sender would lose the response.
 */
export function endAndClose(
  request: IncomingMessage,
  response: ServerResponse,
  text: string,
  { clock, limits: { lingerMs, lingerBytes } }: Linger,
): void {
  if (request.complete || !hasBody(request)) return void response.end(text);
  response.write(text);
  let readBytes = 0;
  const end = () => {
    cancel();
    response.end();
  };
  const cancel = clock.after(lingerMs, end);
  request.on('data', (chunk: Buffer) => {
    readBytes += chunk.length;
    if (readBytes > lingerBytes) end();
  });
  request.on('end', end);
  request.on('close', end);
  request.resume();
}
