/** One HTTP request and its answer, bounded in time and size. No policy: neither repeats nor meanings. */
import type { Clock } from '../../base/clock.ts';

export interface ExchangeRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | null;
}

export type Exchange =
  | { kind: 'answer'; status: number; headers: Headers; body: string }
  | { kind: 'failed'; reason: ExchangeFailure; detail: string };

/**
 * not-connected: the service was never reached, so it has nothing of the request. Every other failure may have come
 * after the request.
 */
export type ExchangeFailure = 'not-connected' | 'network' | 'timeout' | 'aborted' | 'too-large';

/** A file of 10 MiB in base64 fits. */
export const maxAnswerBytes = 32 * 1024 * 1024;

/** What Node says when there was no connection at all. */
const notConnectedCodes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

export async function exchange(
  request: ExchangeRequest,
  means: { fetch: typeof fetch; clock: Clock; timeoutMs: number; signal: AbortSignal | null },
): Promise<Exchange> {
  if (hasGivenUp(means.signal)) return failed('aborted', 'The caller gave up.');
  const deadline = new AbortController();
  const cancelDeadline = means.clock.after(means.timeoutMs, () => deadline.abort());
  try {
    const answer = await means.fetch(request.url, {
      method: request.method,
      headers: request.headers,
      body: request.body,
      // An address that the answer names gets neither the token nor the body.
      redirect: 'manual',
      signal: means.signal === null ? deadline.signal : AbortSignal.any([means.signal, deadline.signal]),
    });
    const body = await readBody(answer);
    if (body === null) return failed('too-large', `The answer is larger than ${maxAnswerBytes} bytes.`);
    return { kind: 'answer', status: answer.status, headers: answer.headers, body };
  } catch (error) {
    if (hasGivenUp(means.signal)) return failed('aborted', 'The caller gave up.');
    if (deadline.signal.aborted) return failed('timeout', `No answer within ${means.timeoutMs} ms.`);
    const code = codeOf(error);
    return failed(
      code !== null && notConnectedCodes.includes(code) ? 'not-connected' : 'network',
      code === null ? 'The connection failed.' : `The connection failed: ${code}.`,
    );
  } finally {
    cancelDeadline();
  }
}

/** As a function: the signal may change while we wait, which the compiler would not believe. */
function hasGivenUp(signal: AbortSignal | null): boolean {
  return signal?.aborted === true;
}

async function readBody(answer: Response): Promise<string | null> {
  if (answer.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the rest.
    if (bytes > maxAnswerBytes) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function failed(reason: ExchangeFailure, detail: string): Exchange {
  return { kind: 'failed', reason, detail };
}

/** fetch hides the reason in `cause`. Only the code is taken on: a message might quote the request. */
function codeOf(error: unknown): string | null {
  const cause: unknown = error instanceof Error ? error.cause : null;
  const code: unknown = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : null;
  return typeof code === 'string' ? code : null;
}
