/** Carries out one operation: checks, guards, sends, repeats where that is safe, reads the response. */
import { pause } from '../../base/clock.ts';
import { orAborted } from '../../base/abort.ts';
import { secretsOf, type Operation } from '../catalogue/index.ts';
import type { CallArguments, CallContext, CallOptions } from './call-context.ts';
import { errorOf, notSent, RemoteError } from './errors.ts';
import { fetchOnce, type HttpResult, type HttpRequest } from '../../base/fetch-once.ts';
import { checkCallOptions, over } from './options.ts';
import type { Answer } from './remote-call.ts';
import { requestOf } from './request.ts';
import { readResponse, reportUnknowns } from './response.ts';
import { mayRepeat, pauseBeforeNext } from './retries.ts';
import type { Scrub } from './secrets.ts';
import type { SandboxCheck } from './service.ts';

/** The answer, with its body as it came. Throws RemoteError. */
export async function call(
  context: CallContext,
  operation: Operation,
  given: CallArguments,
  options: CallOptions,
): Promise<Answer<unknown>> {
  checkCallOptions(options, operation.title);
  const scrub = context.secrets.with(secretsOf(operation.request, given.body));
  const request = requestOf(context, operation, given, options);
  reportUnknowns(context, operation, given.body, scrub);
  await refuseGuesses(context, operation, options.signal ?? null);
  const { result, attempts, maybeDone } = await send(context, operation, request, options, scrub);
  // The document shows 200 alone; an id that comes with 201 is not to be lost for that.
  if (result.kind === 'failed' || result.status < 200 || result.status >= 300) {
    throw errorOf(result, operation, attempts, maybeDone, context.clock.now(), scrub);
  }
  const data = readResponse(context, operation, result, attempts, scrub);
  return {
    data,
    status: result.status,
    headers: result.headers,
    requestId: requestIdOf(result, scrub),
    attempts,
  };
}

/** Null: the operation may be sent. Else it is a guess, and this is why there is no sandbox to take it. */
async function sandboxNeeded(
  context: CallContext,
  operation: Operation,
  signal: AbortSignal | null,
): Promise<SandboxCheck | null> {
  if (!operation.assumed || context.allowUndocumented) return null;
  const found = await unlessAborted(context.sandboxGuard.check(), signal, operation);
  return found.kind === 'sandbox' ? null : found;
}

/** An address or a body that was guessed must not be fired at real money. */
async function refuseGuesses(
  context: CallContext,
  operation: Operation,
  signal: AbortSignal | null,
): Promise<void> {
  const found = await sandboxNeeded(context, operation, signal);
  if (found === null) return;
  const facts = { operation: operation.id, version: operation.version };
  if (found.kind === 'no-answer') {
    throw notSent(
      'network',
      `${operation.title}: not sent. It was to be asked first whether this is a sandbox. ${found.detail}`,
      facts,
    );
  }
  const why =
    found.kind === 'not-loopback'
      ? 'the base address is not on this computer, so it cannot be a sandbox'
      : 'what answers at the base address does not say that it is a sandbox';
  const open = operation.assumptions.filter((assumption) => assumption !== 'scope').join(', ');
  throw notSent(
    'undocumented',
    `${operation.title}: not sent. What it looks like on the wire is assumed, not documented (${open}), and ` +
      `${why}. Set allowUndocumented if you know better.`,
    facts,
  );
}

async function send(
  context: CallContext,
  operation: Operation,
  request: HttpRequest,
  options: CallOptions,
  scrub: Scrub,
): Promise<{ result: HttpResult; attempts: number; maybeDone: boolean }> {
  const signal = options.signal ?? null;
  const retry = over(context.retry, options.retry);
  const timeoutMs = options.timeoutMs ?? context.timeoutMs;
  const hasKey = context.idempotency !== null && context.idempotency.header in request.headers;
  const repeatable = mayRepeat(operation, request.headers['if-match'] ?? null, hasKey);
  let renewed = false;
  let maybeDone = false;
  let last: HttpResult | null = null;
  for (let attempt = 1, tries = 1; ; attempt += 1) {
    let token: string;
    try {
      // Another service may have come to the sandbox's port meanwhile.
      if (last !== null && (await sandboxNeeded(context, operation, signal)) !== null) {
        return { result: last, attempts: attempt - 1, maybeDone };
      }
      token = await unlessAborted(context.tokens.get(), signal, operation);
    } catch (error) {
      // That nothing more is sent says nothing of what was.
      throw error instanceof RemoteError ? error.after(attempt - 1, maybeDone) : error;
    }
    const { id, version, method, path } = operation;
    const facts = { operation: id, version, method, path, attempt };
    context.hooks.onRequest(facts);
    const startedAt = context.clock.elapsed();
    const result = await fetchOnce(
      { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } },
      { fetch: context.fetch, clock: context.clock, timeoutMs, signal },
    );
    context.sandboxGuard.note(result);
    const durationMs = Math.round(context.clock.elapsed() - startedAt);
    const answer = {
      ...facts,
      durationMs,
      ...(result.kind === 'response'
        ? { status: result.status, requestId: requestIdOf(result, scrub), failure: null }
        : { status: null, requestId: null, failure: result.reason }),
    };
    context.log.debug('remote call', {
      ...facts,
      duration_ms: durationMs,
      ...(result.kind === 'response'
        ? { status: result.status, request_id: answer.requestId ?? '' }
        : { failure: result.reason }),
    });
    context.hooks.onResponse(answer);
    last = result;
    // A request that was refused for its token was not carried out, whatever it asked for.
    if (result.kind === 'response' && result.status === 401 && !renewed && context.tokens.reject(token)) {
      renewed = true;
      context.hooks.onRetry({ ...answer, pauseMs: 0 });
      continue;
    }
    const pauseMs = pauseBeforeNext(result, tries, repeatable, retry, context.clock.now(), context.random);
    if (pauseMs === null) return { result, attempts: attempt, maybeDone };
    tries += 1;
    maybeDone ||= result.kind === 'failed' ? result.reason !== 'not-connected' : result.status >= 500;
    context.hooks.onRetry({ ...answer, pauseMs });
    await pause(context.clock, pauseMs, signal ?? undefined);
  }
}

function requestIdOf(response: Extract<HttpResult, { kind: 'response' }>, scrub: Scrub): string | null {
  const id = response.headers.get('x-request-id');
  return id === null ? null : scrub(id);
}

/** Of work that others wait for, too: it goes on when this caller gives up. */
async function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | null,
  operation: Operation,
): Promise<T> {
  const done = signal === null ? await work : await orAborted(work, signal);
  if (done !== null) return done;
  throw notSent('aborted', `${operation.title}: The caller gave up.`, {
    operation: operation.id,
    version: operation.version,
  });
}
