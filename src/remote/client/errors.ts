/** How a call to the remote interface fails. */

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
  /** The operation needs an entity tag, none was given, and the client has not seen the record. */
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
    super(facts.message);
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
}

export function notSent(kind: RemoteErrorKind, message: string, facts: Partial<RemoteErrorFacts> = {}) {
  return new RemoteError({ ...facts, kind, message, outcome: 'not-sent' });
}
