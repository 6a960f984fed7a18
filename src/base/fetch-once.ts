/** One HTTP request and its answer, bounded in time and size. No policy: neither repeats nor meanings. */
import type { Clock } from './clock.ts';
import { startDeadline } from './abort.ts';

export interface HttpRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | null;
}

export type HttpResult =
  | { kind: 'response'; status: number; headers: Headers; body: string }
  | { kind: 'failed'; reason: HttpFailure; detail: string };

/**
 * not-connected: the service was never reached, so it has nothing of the request. Every other failure may have come
 * after the request.
 */
type HttpFailure = 'not-connected' | 'network' | 'timeout' | 'aborted' | 'too-large';

/** A file of 10 MiB in base64 fits. */
const maxResponseBytes = 32 * 1024 * 1024;

/** What Node says when there was no connection at all. */
const notConnectedCodes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

export async function fetchOnce(
  request: HttpRequest,
  dependencies: { fetch: typeof fetch; clock: Clock; timeoutMs: number; signal: AbortSignal | null },
): Promise<HttpResult> {
  if (hasGivenUp(dependencies.signal)) return failed('aborted', 'The caller gave up.');
  const deadline = startDeadline(dependencies.clock, dependencies.timeoutMs);
  // A browser's own refuses to be called as a method of anything else.
  const send = dependencies.fetch;
  try {
    const response = await send(request.url, {
      method: request.method,
      headers: request.headers,
      body: request.body,
      // An address that the answer names gets neither the token nor the body.
      redirect: 'manual',
      signal:
        dependencies.signal === null
          ? deadline.signal
          : AbortSignal.any([dependencies.signal, deadline.signal]),
    });
    const body = await readBody(response);
    if (body === null) return failed('too-large', `The answer is larger than ${maxResponseBytes} bytes.`);
    return { kind: 'response', status: response.status, headers: response.headers, body };
  } catch (error) {
    if (hasGivenUp(dependencies.signal)) return failed('aborted', 'The caller gave up.');
    if (deadline.passed) return failed('timeout', `No answer within ${dependencies.timeoutMs} ms.`);
    const code = codeOf(error);
    return failed(
      code !== null && notConnectedCodes.includes(code) ? 'not-connected' : 'network',
      code === null ? 'The connection failed.' : `The connection failed: ${code}.`,
    );
  } finally {
    deadline.cancel();
  }
}

/** As a function: the signal may change while we wait, which the compiler would not believe. */
function hasGivenUp(signal: AbortSignal | null): boolean {
  return signal?.aborted === true;
}

async function readBody(response: Response): Promise<string | null> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the rest.
    if (bytes > maxResponseBytes) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
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
