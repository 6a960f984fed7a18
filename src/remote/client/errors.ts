/** How a call to the remote interface fails: the error, and how it is made from a response that was no success. */
import { wordsOf, type Operation } from '../catalogue/index.ts';
import type { HttpResult } from '../../base/fetch-once.ts';
import { retryAfterMs } from './retries.ts';
import type { Scrub } from './secrets.ts';

/**
 * Before anything was sent: configuration, invalid-request, undocumented, etag-unknown, token-refused.
 * On the way: aborted, timeout, network, redirected, unreadable-answer.
 * By the service's answer: the rest.
 */
export type RemoteErrorKind =
  /** The client was set up wrongly: base address, credentials. */
  | 'configuration'
  /** The body, the query or the id has the wrong form. */
  | 'invalid-request'
  /** The operation's address or body is a guess of the catalogue's, and this is no sandbox. */
  | 'undocumented'
  /** The step needs the entity tag of the record as its caller saw it, and none was given. */
  | 'etag-unknown'
  /** No access token could be had: the token end point refused or did not answer. */
  | 'token-refused'
  | 'aborted'
  | 'timeout'
  | 'network'
  /** The answer sends elsewhere; credentials do not follow. */
  | 'redirected'
  /** A success whose body is not JSON of the right outer form, or too large. */
  | 'unreadable-answer'
  /** 400, 413, 415, 422 and every other 4xx without a kind of its own. */
  | 'refused'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  /** 412: the record was changed since its etag was seen. After a repeated attempt: perhaps by the first attempt. */
  | 'etag-stale'
  | 'rate-limited'
  | 'server-fault';

/**
 * not-sent: certainly nothing happened. refused: the service said no. unknown: the request may have been carried out;
 * for anything but a read, look at the record before doing it again.
 */
export type RemoteOutcome = 'not-sent' | 'refused' | 'unknown';

export interface RemoteErrorFacts {
  kind: RemoteErrorKind;
  outcome: RemoteOutcome;
  message: string;
  /** "account-holder-creation-intent.create"; null: no operation was under way. */
  operation?: string | null;
  version?: string | null;
  /** HTTP status, of answers. */
  status?: number | null;
  /** The `code` of the service's error body. */
  code?: string | null;
  issues?: readonly { path: string; message: string }[];
  requestId?: string | null;
  /** How often the request was sent. */
  attempts?: number;
  /** What Retry-After asked for, in milliseconds. */
  retryAfterMs?: number | null;
  /** What the caller's own code threw. */
  cause?: unknown;
}

/** Carries no secret: neither the access token, nor the client secret, nor a share token. */
export class RemoteError extends Error {
  readonly kind: RemoteErrorKind;
  readonly outcome: RemoteOutcome;
  readonly operation: string | null;
  readonly version: string | null;
  readonly status: number | null;
  readonly code: string | null;
  readonly issues: readonly { path: string; message: string }[];
  readonly requestId: string | null;
  readonly attempts: number;
  readonly retryAfterMs: number | null;

  constructor(facts: RemoteErrorFacts) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'RemoteError';
    this.kind = facts.kind;
    this.outcome = facts.outcome;
    this.operation = facts.operation ?? null;
    this.version = facts.version ?? null;
    this.status = facts.status ?? null;
    this.code = facts.code ?? null;
    this.issues = facts.issues ?? [];
    this.requestId = facts.requestId ?? null;
    this.attempts = facts.attempts ?? 0;
    this.retryAfterMs = facts.retryAfterMs ?? null;
  }

  /** The same, met after the request had been sent `attempts` times; `maybeDone`: one of them may have been carried out. */
  after(attempts: number, maybeDone: boolean): RemoteError {
    const { kind, operation, version, status, code, issues, requestId, retryAfterMs } = this;
    return new RemoteError({
      kind,
      operation,
      version,
      status,
      code,
      issues,
      requestId,
      retryAfterMs,
      cause: this.cause,
      attempts,
      outcome: maybeDone ? 'unknown' : this.outcome,
      message: maybeDone ? `${this.message} ${perhapsDone}` : this.message,
    });
  }
}

const perhapsDone = 'An earlier attempt, whose answer was lost, may have done it.';

export function notSent(kind: RemoteErrorKind, message: string, facts: Partial<RemoteErrorFacts> = {}) {
  return new RemoteError({ ...facts, kind, message, outcome: 'not-sent' });
}

/** Of a string in an error body that is taken on, in characters. */
const maxWords = 2_000;
const maxIssues = 100;

/** `maybeDone`: an attempt before this one may have been carried out, its answer was lost. */
export function errorOf(
  result: HttpResult,
  operation: Operation,
  attempts: number,
  maybeDone: boolean,
  now: number,
  scrub: Scrub,
): RemoteError {
  const common = { operation: operation.id, version: operation.version, attempts };
  if (result.kind === 'failed') {
    const reached = maybeDone || result.reason !== 'not-connected';
    return new RemoteError({
      ...common,
      kind: kindOfFailure(result.reason),
      outcome: reached ? 'unknown' : 'not-sent',
      message: `${operation.title}: ${result.detail}`,
    });
  }
  const { status, headers } = result;
  const said = errorBodyOf(result.body, scrub);
  const requestId = said.requestId ?? headers.get('x-request-id');
  const { kind, outcome } = kindOfStatus(status);
  return new RemoteError({
    ...common,
    kind,
    outcome: maybeDone ? 'unknown' : outcome,
    status,
    code: said.code,
    issues: said.issues,
    requestId: requestId === null ? null : scrub(requestId),
    retryAfterMs: retryAfterMs(headers, now),
    message: `${operation.title}: ${said.message ?? sentenceOf(kind, operation, status, maybeDone)}`,
  });
}

export function unreadable(operation: Operation, attempts: number, what: string): RemoteError {
  return new RemoteError({
    kind: 'unreadable-answer',
    // It was a success, as far as its status goes.
    outcome: 'unknown',
    operation: operation.id,
    version: operation.version,
    attempts,
    message: `${operation.title}: ${what}`,
  });
}

function kindOfFailure(reason: Extract<HttpResult, { kind: 'failed' }>['reason']): RemoteErrorKind {
  if (reason === 'not-connected') return 'network';
  return reason === 'too-large' ? 'unreadable-answer' : reason;
}

const kindsOfStatus: Partial<Record<number, RemoteErrorKind>> = {
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  412: 'etag-stale',
  429: 'rate-limited',
};

function kindOfStatus(status: number): { kind: RemoteErrorKind; outcome: RemoteOutcome } {
  const kind = kindsOfStatus[status];
  if (kind !== undefined) return { kind, outcome: 'refused' };
  if (status >= 400 && status < 500) return { kind: 'refused', outcome: 'refused' };
  if (status >= 500) return { kind: 'server-fault', outcome: 'unknown' };
  if (status >= 300) return { kind: 'redirected', outcome: 'unknown' };
  return { kind: 'unreadable-answer', outcome: 'unknown' };
}

function sentenceOf(kind: RemoteErrorKind, operation: Operation, status: number, maybeDone: boolean): string {
  const record = `the ${wordsOf(operation.resource)}`;
  if (kind === 'etag-stale') {
    const perhaps = maybeDone ? ` ${perhapsDone}` : '';
    return `${record} was changed since its etag was seen; retrieve it again.${perhaps}`;
  }
  if (kind === 'redirected') return `the answer (status ${status}) sends elsewhere, where nothing was sent.`;
  return `the service answered with status ${status}.`;
}

function errorBodyOf(
  body: string,
  scrub: Scrub,
): Required<Pick<RemoteErrorFacts, 'code' | 'issues' | 'requestId'>> & { message: string | null } {
  const value = objectOf(body);
  const text = (field: unknown) => (typeof field === 'string' ? scrub(field).slice(0, maxWords) : null);
  const issues = Array.isArray(value['issues']) ? (value['issues'] as unknown[]).slice(0, maxIssues) : [];
  return {
    code: text(value['code']),
    message: text(value['message']),
    requestId: text(value['request_id']),
    issues: issues.flatMap((issue) => {
      const { path, message } = (issue ?? {}) as { path?: unknown; message?: unknown };
      return [{ path: text(path) ?? '', message: text(message) ?? '' }];
    }),
  };
}

function objectOf(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // An error in another form: its status has to do.
  }
  return {};
}
