/** Carries out one operation: checks, guards, sends, repeats where that is safe, reads the response. */
import { pause } from '../../base/clock.ts';
import { orAborted } from '../../base/abort.ts';
import type { Operation } from '../catalogue/index.ts';
import type { CallArguments, CallContext, CallOptions } from './call-context.ts';
import { errorOf, notSent, RemoteError } from './errors.ts';
import { fetchOnce, type HttpResult, type HttpRequest } from './http.ts';
import { requestOf } from './request.ts';
import { readResponse, reportUnknowns } from './response.ts';
import { mayRepeat, pauseBeforeNext } from './retries.ts';
import { secretsOf, type Scrub } from './secrets.ts';
import type { SandboxCheck } from './service.ts';

/** The answer's body as it came. Throws RemoteError. */
export async function call(
  context: CallContext,
  operation: Operation,
  given: CallArguments,
  options: CallOptions,
): Promise<unknown> {
  const scrub = context.secrets.with(secretsOf(operation.request, given.body));
  const request = requestOf(context, operation, given);
  reportUnknowns(context, operation, given.body, scrub);
  await refuseGuesses(context, operation);
  const { result, attempts, maybeDone } = await send(context, operation, request, options, scrub);
  // The document shows 200 alone; an id that comes with 201 is not to be lost for that.
  if (result.kind === 'failed' || result.status < 200 || result.status >= 300) {
    throw errorOf(result, operation, attempts, maybeDone, context.clock.now(), scrub);
  }
  return readResponse(context, operation, result, attempts, scrub);
}

/** Null: the operation may be sent. Else it is a guess, and this is why there is no sandbox to take it. */
async function sandboxNeeded(
  context: CallContext,
  operation: Operation,
): Promise<Exclude<SandboxCheck, 'sandbox'> | null> {
  if (!operation.assumed || context.allowUndocumented) return null;
  const found = await context.isSandbox();
  return found === 'sandbox' ? null : found;
}

/** An address or a body that was guessed must not be fired at real money. */
async function refuseGuesses(context: CallContext, operation: Operation): Promise<void> {
  const found = await sandboxNeeded(context, operation);
  if (found === null) return;
  const why = {
    'not-loopback': 'the base address is not on this computer, so it cannot be a sandbox',
    'not-a-sandbox': 'what answers at the base address does not say that it is a sandbox',
    'no-answer': 'nothing answered when asked whether it is a sandbox',
  }[found];
  const open = operation.assumptions.filter((assumption) => assumption !== 'scope').join(', ');
  throw notSent(
    'undocumented',
    `${operation.title}: not sent. What it looks like on the wire is assumed, not documented (${open}), and ` +
      `${why}. Set allowUndocumented if you know better.`,
    { operation: operation.id, version: operation.version },
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
  const repeatable = mayRepeat(operation, request.headers['if-match'] ?? null);
  let renewed = false;
  let maybeDone = false;
  let last: HttpResult | null = null;
  for (let attempt = 1, tries = 1; ; attempt += 1) {
    // Another service may have come to the sandbox's port meanwhile.
    if (last !== null && (await sandboxNeeded(context, operation)) !== null) {
      return { result: last, attempts: attempt - 1, maybeDone };
    }
    let token: string;
    try {
      token = await tokenUnlessAborted(context.tokens.get(), signal, operation);
    } catch (error) {
      // That nothing more is sent says nothing of what was.
      throw error instanceof RemoteError ? error.after(attempt - 1, maybeDone) : error;
    }
    const startedAt = context.clock.elapsed();
    const result = await fetchOnce(
      { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } },
      {
        fetch: context.fetch,
        clock: context.clock,
        timeoutMs: options.timeoutMs ?? context.timeoutMs,
        signal,
      },
    );
    context.log.debug('remote call', {
      operation: operation.id,
      version: operation.version,
      method: operation.method,
      path: operation.path,
      attempt,
      duration_ms: Math.round(context.clock.elapsed() - startedAt),
      ...(result.kind === 'response'
        ? { status: result.status, request_id: scrub(result.headers.get('x-request-id') ?? '') }
        : { failure: result.reason }),
    });
    // A request that was refused for its token was not carried out, whatever it asked for.
    last = result;
    if (result.kind === 'response' && result.status === 401 && !renewed && context.tokens.reject(token)) {
      renewed = true;
      continue;
    }
    const wait = pauseBeforeNext(
      result,
      tries,
      repeatable,
      context.retry,
      context.clock.now(),
      context.random,
    );
    if (wait === null) return { result, attempts: attempt, maybeDone };
    tries += 1;
    maybeDone ||= result.kind === 'failed' ? result.reason !== 'not-connected' : result.status >= 500;
    await pause(context.clock, wait, signal ?? undefined);
  }
}

/** The token request goes on for others when this caller gives up. */
async function tokenUnlessAborted(
  request: Promise<string>,
  signal: AbortSignal | null,
  operation: Operation,
): Promise<string> {
  const token = await (signal === null ? request : orAborted(request, signal));
  if (token !== null) return token;
  throw notSent('aborted', `${operation.title}: The caller gave up.`, {
    operation: operation.id,
    version: operation.version,
  });
}
