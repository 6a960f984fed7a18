/** From an exchange that was no success to a RemoteError. */
import { wordsOf, type Operation } from '../catalogue/index.ts';
import { RemoteError, type RemoteErrorFacts, type RemoteErrorKind, type RemoteOutcome } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { retryAfterMs } from './retries.ts';
import type { Scrub } from './secrets.ts';

/** Of a string in an error body that is taken on, in characters. */
const maxWords = 2_000;
const maxIssues = 100;

/** `maybeDone`: an attempt before this one may have been carried out, its answer was lost. */
export function errorOf(
  result: Exchange,
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

function kindOfFailure(reason: Extract<Exchange, { kind: 'failed' }>['reason']): RemoteErrorKind {
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
    const perhaps = maybeDone ? ' An earlier attempt, whose answer was lost, may have done it.' : '';
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
