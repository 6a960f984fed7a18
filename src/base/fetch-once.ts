/** One HTTP request and its answer, bounded in time and size. No policy: neither repeats nor meanings. */
import type { Clock } from './clock.ts';
import { orAborted } from './abort.ts';

export interface HttpRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | null;
}

export type HttpResult =
  | { kind: 'response'; status: number; headers: Headers; body: string }
  | { kind: 'failed'; reason: HttpFailure; detail: string };

/**
 * not-connected: the service was never reached, so it has nothing of the request. Every other failure may have come
 * after the request.
 */
type HttpFailure = 'not-connected' | 'network' | 'timeout' | 'aborted' | 'too-large';

interface FetchOnceOptions {
  fetch: typeof fetch;
  clock: Clock;
  timeoutMs: number;
  signal: AbortSignal | null;
  /** Of the answer's body, uncompressed. */
  maxResponseBytes?: number;
}

/** A file of 10 MiB in base64 fits. */
const defaultMaxResponseBytes = 32 * 1024 * 1024;

/** What Node says when there was no connection at all. */
const notConnectedCodes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

export async function fetchOnce(
  request: HttpRequest,
  { fetch: send, clock, timeoutMs, signal, maxResponseBytes = defaultMaxResponseBytes }: FetchOnceOptions,
): Promise<HttpResult> {
  if (hasGivenUp(signal)) return failed('aborted', 'The caller gave up.');
  // By hand: not each browser on a till has AbortSignal.any.
  const end = new AbortController();
  const stop = () => end.abort();
  const cancel = clock.after(timeoutMs, stop);
  signal?.addEventListener('abort', stop);
  try {
    // A fetch of somebody else's may not heed its signal.
    const result = await orAborted(exchange(request, send, end.signal, maxResponseBytes), end.signal);
    if (result !== null) return result;
  } catch (error) {
    if (!end.signal.aborted) return connectionFailed(error);
  } finally {
    cancel();
    signal?.removeEventListener('abort', stop);
  }
  return hasGivenUp(signal)
    ? failed('aborted', 'The caller gave up.')
    : failed('timeout', `No answer within ${timeoutMs} ms.`);
}

/** `send` as a function of its own: a browser's refuses to be called as a method of anything else. */
async function exchange(
  { url, method, headers, body }: HttpRequest,
  send: typeof fetch,
  signal: AbortSignal,
  maxResponseBytes: number,
): Promise<HttpResult> {
  // An address that the answer names gets neither the token nor the body.
  const response = await send(url, { method, headers, body, redirect: 'manual', signal });
  const text = await readBody(response, maxResponseBytes);
  if (text === null) return failed('too-large', `The answer is larger than ${maxResponseBytes} bytes.`);
  return { kind: 'response', status: response.status, headers: response.headers, body: text };
}

function connectionFailed(error: unknown): HttpResult {
  const code = codeOf(error);
  return failed(
    code !== null && notConnectedCodes.includes(code) ? 'not-connected' : 'network',
    code === null ? 'The connection failed.' : `The connection failed: ${code}.`,
  );
}

/** As a function: the signal may change while we wait, which the compiler would not believe. */
function hasGivenUp(signal: AbortSignal | null): boolean {
  return signal?.aborted === true;
}

/** Null: it is too large. Not each browser can loop over a stream, and not each `fetch` gives one. */
async function readBody(response: Response, maxResponseBytes: number): Promise<string | null> {
  const reader = response.body?.getReader?.();
  if (reader === undefined) {
    const text = await response.text();
    // Characters, which are no more than its bytes: what has come whole can only be thrown away.
    return text.length > maxResponseBytes ? null : text;
  }
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxResponseBytes) {
      reader.cancel().catch(() => {});
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}

function failed(reason: HttpFailure, detail: string): HttpResult {
  return { kind: 'failed', reason, detail };
}

/** fetch hides the reason in `cause`. Only the code is taken on: a message might quote the request. */
function codeOf(error: unknown): string | null {
  const cause: unknown = error instanceof Error ? error.cause : null;
  const code: unknown = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : null;
  return typeof code === 'string' ? code : null;
}
