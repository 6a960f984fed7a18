/** Carries out one operation: checks, guards, sends, repeats where that is safe, reads the answer. */
import type { z } from 'zod';
import { pause, type Clock } from '../../base/clock.ts';
import type { Log } from '../../log/index.ts';
import { formats, unknownsIn, versionHeader, writeQuery, type Operation } from '../catalogue/index.ts';
import type { AccessTokens } from './access-token.ts';
import { errorOf, unreadable } from './answer-errors.ts';
import type { BaseUrl } from './base-url.ts';
import { surprisesIn, type Surprise } from './check-answer.ts';
import { notSent, RemoteError } from './errors.ts';
import type { Etags } from './etags.ts';
import { exchange, type Exchange, type ExchangeRequest } from './exchange.ts';
import { mayRepeat, pauseBeforeNext, type RetryPolicy } from './retries.ts';
import type { SandboxCheck } from './sandbox-guard.ts';
import { scrubValue, secretsOf, type Scrub, type Secrets } from './secrets.ts';

export interface CallOptions {
  signal?: AbortSignal;
  /** For one attempt, in milliseconds. */
  timeoutMs?: number;
}

export interface CallArguments {
  /** Of the record, where the path has one. */
  id?: string;
  body?: unknown;
  query?: Readonly<Record<string, unknown>>;
  /** In its quotes, as records carry it. Without it, the one that the client saw last. */
  etag?: string;
}

/** What the catalogue does not know, in an answer or in a request that is sent all the same. Holds no secret. */
export interface UnknownReport extends Surprise {
  where: 'request' | 'answer';
  operation: string;
  version: string;
}

export interface CallMeans {
  base: BaseUrl;
  fetch: typeof fetch;
  clock: Clock;
  random: () => number;
  log: Log;
  retry: RetryPolicy;
  timeoutMs: number;
  tokens: AccessTokens;
  etags: Etags;
  secrets: Secrets;
  allowUndocumented: boolean;
  isSandbox: () => Promise<SandboxCheck>;
  onUnknown: (report: UnknownReport) => void;
}

/** The answer's body as it came. Throws RemoteError. */
export async function call(
  means: CallMeans,
  operation: Operation,
  given: CallArguments,
  options: CallOptions,
): Promise<unknown> {
  const scrub = means.secrets.with(secretsOf(operation.request, given.body));
  const request = requestOf(means, operation, given);
  reportUnknowns(means, operation, given.body, scrub);
  await refuseGuesses(means, operation);
  const { result, attempts, maybeDone } = await send(means, operation, request, options, scrub);
  // The document shows 200 alone; an id that comes with 201 is not to be lost for that.
  if (result.kind === 'failed' || result.status < 200 || result.status >= 300) {
    throw errorOf(result, operation, attempts, maybeDone, means.clock.now(), scrub);
  }
  return readAnswer(means, operation, result, attempts, scrub);
}

/** Throws when the arguments cannot be a request. */
function requestOf(means: CallMeans, operation: Operation, given: CallArguments): ExchangeRequest {
  const facts = { operation: operation.id, version: operation.version };
  const wrong = (message: string, issues: { path: string; message: string }[] = []) =>
    notSent('invalid-request', `${operation.title}: ${message}`, { ...facts, issues });
  const needsId = operation.pathParameters.length > 0;
  if (needsId && (given.id === undefined || given.id === '')) {
    throw wrong(`${operation.pathParameters.join(', ')} is missing.`);
  }
  // "." and ".." would be read as steps in the path, however they are written.
  if (needsId && /^\.{1,2}$/.test(given.id ?? '')) throw wrong('this cannot be an id.');
  if (operation.request !== null) refuseMisfit(operation.request, given.body, wrong);
  if (operation.query !== null) refuseMisfit(operation.query, given.query ?? {}, wrong);
  const path = operation.path.replace(/\{[^}]+\}/, () => encodeURIComponent(given.id ?? ''));
  return {
    url: `${means.base.text}${path}${operation.query === null ? '' : writeQuery(given.query ?? {})}`,
    method: operation.method,
    headers: {
      accept: 'application/json',
      [versionHeader]: operation.version,
      ...(operation.request === null ? {} : { 'content-type': 'application/json' }),
      ...ifMatchOf(means, operation, given),
    },
    body: operation.request === null ? null : JSON.stringify(given.body),
  };
}

function refuseMisfit(
  schema: z.ZodType,
  value: unknown,
  wrong: (message: string, issues: { path: string; message: string }[]) => RemoteError,
): void {
  const parsed = schema.safeParse(value);
  if (parsed.success) return;
  // The document's words are those "seen"; that there are others is reported, and left to the service.
  const unknownWords = unknownsIn(schema, value).filter(({ kind }) => kind === 'unknown-value');
  const issues = parsed.error.issues
    .map((issue) => ({ path: issue.path.join('.'), message: issue.message }))
    .filter(({ path }) => !unknownWords.some((word) => word.path === path));
  if (issues.length === 0) return;
  throw wrong(
    issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; '),
    issues,
  );
}

function ifMatchOf(means: CallMeans, operation: Operation, given: CallArguments): Record<string, string> {
  if (given.etag !== undefined && given.etag !== '*' && !formats.entityTag.safeParse(given.etag).success) {
    throw notSent('invalid-request', `${operation.title}: an etag is written in its double quotes.`, {
      operation: operation.id,
      version: operation.version,
    });
  }
  if (!operation.needsIfMatch) return given.etag === undefined ? {} : { 'if-match': given.etag };
  const etag = given.etag ?? means.etags.get(operation.version, operation.resource, given.id ?? '');
  if (etag === null) {
    throw notSent(
      'etag-unknown',
      `${operation.title}: needs the etag of the record. Give it, or retrieve the record first.`,
      { operation: operation.id, version: operation.version },
    );
  }
  return { 'if-match': etag };
}

/** Null: the operation may be sent. Else it is a guess, and this is why there is no sandbox to take it. */
async function sandboxNeeded(
  means: CallMeans,
  operation: Operation,
): Promise<Exclude<SandboxCheck, 'sandbox'> | null> {
  if (!operation.decided || means.allowUndocumented) return null;
  const found = await means.isSandbox();
  return found === 'sandbox' ? null : found;
}

/** An address or a body that was guessed must not be fired at real money. */
async function refuseGuesses(means: CallMeans, operation: Operation): Promise<void> {
  const found = await sandboxNeeded(means, operation);
  if (found === null) return;
  const why = {
    'not-loopback': 'the base address is not on this computer, so it cannot be a sandbox',
    'not-a-sandbox': 'what answers at the base address does not say that it is a sandbox',
    'no-answer': 'nothing answered when asked whether it is a sandbox',
  }[found];
  const open = operation.decisions.filter((decision) => decision !== 'scope').join(', ');
  throw notSent(
    'undocumented',
    `${operation.title}: not sent. What it looks like on the wire is decided here, not documented (${open}), and ` +
      `${why}. Whoever knows better says allowUndocumented.`,
    { operation: operation.id, version: operation.version },
  );
}

async function send(
  means: CallMeans,
  operation: Operation,
  request: ExchangeRequest,
  options: CallOptions,
  scrub: Scrub,
): Promise<{ result: Exchange; attempts: number; maybeDone: boolean }> {
  const signal = options.signal ?? null;
  const repeatable = mayRepeat(operation, request.headers['if-match'] ?? null);
  let renewed = false;
  let maybeDone = false;
  let last: Exchange | null = null;
  for (let attempt = 1, tries = 1; ; attempt += 1) {
    // Another service may have come to the sandbox's port meanwhile.
    if (last !== null && (await sandboxNeeded(means, operation)) !== null) {
      return { result: last, attempts: attempt - 1, maybeDone };
    }
    const token = await orAborted(means.tokens.get(), signal, operation);
    const startedAt = means.clock.elapsed();
    const result = await exchange(
      { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } },
      { fetch: means.fetch, clock: means.clock, timeoutMs: options.timeoutMs ?? means.timeoutMs, signal },
    );
    means.log.debug('remote call', {
      operation: operation.id,
      version: operation.version,
      method: operation.method,
      path: operation.path,
      attempt,
      duration_ms: Math.round(means.clock.elapsed() - startedAt),
      ...(result.kind === 'answer'
        ? { status: result.status, request_id: scrub(result.headers.get('x-request-id') ?? '') }
        : { failure: result.reason }),
    });
    // A request that was refused for its token was not carried out, whatever it asked for.
    last = result;
    if (result.kind === 'answer' && result.status === 401 && !renewed && means.tokens.reject(token)) {
      renewed = true;
      continue;
    }
    const wait = pauseBeforeNext(result, tries, repeatable, means.retry, means.clock.now(), means.random);
    if (wait === null) return { result, attempts: attempt, maybeDone };
    tries += 1;
    maybeDone ||= result.kind === 'failed' ? result.reason !== 'not-connected' : result.status >= 500;
    await pause(means.clock, wait, signal ?? undefined);
  }
}

/** The token request goes on for others when this caller gives up. */
async function orAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | null,
  operation: Operation,
): Promise<T> {
  if (signal === null) return await promise;
  const gaveUp = () =>
    notSent('aborted', `${operation.title}: The caller gave up.`, {
      operation: operation.id,
      version: operation.version,
    });
  if (signal.aborted) {
    promise.catch(() => {});
    throw gaveUp();
  }
  return await new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(gaveUp());
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

function readAnswer(
  means: CallMeans,
  operation: Operation,
  answer: Extract<Exchange, { kind: 'answer' }>,
  attempts: number,
  scrub: Scrub,
): unknown {
  let body: unknown;
  try {
    body = JSON.parse(answer.body);
  } catch {
    throw unreadable(operation, attempts, 'the answer is not JSON.');
  }
  const isList = operation.kind === 'list';
  if (typeof body !== 'object' || body === null || Array.isArray(body) !== isList) {
    throw unreadable(operation, attempts, `the answer is not ${isList ? 'an array' : 'an object'}.`);
  }
  for (const surprise of surprisesIn(operation.response, body)) {
    report(means, operation, { ...surprise, where: 'answer' }, scrub);
  }
  // What `check` and `content` answer is not the record.
  if (operation.kind !== 'retrieve' || operation.segment === null) {
    for (const record of isList ? (body as unknown[]) : [body]) {
      means.etags.see(operation.version, operation.resource, record);
    }
  }
  return body;
}

function reportUnknowns(means: CallMeans, operation: Operation, body: unknown, scrub: Scrub): void {
  if (operation.request === null) return;
  for (const unknown of unknownsIn(operation.request, body)) {
    const message = `${unknown.path}: the catalogue does not know this ${unknown.kind === 'unknown-field' ? 'field' : 'value'}.`;
    report(means, operation, { ...unknown, message, where: 'request' }, scrub);
  }
}

function report(
  means: CallMeans,
  operation: Operation,
  surprise: Surprise & { where: UnknownReport['where'] },
  scrub: Scrub,
): void {
  means.onUnknown({
    ...surprise,
    path: scrub(surprise.path),
    message: scrub(surprise.message),
    value: scrubValue(surprise.value, scrub),
    operation: operation.id,
    version: operation.version,
  });
}
