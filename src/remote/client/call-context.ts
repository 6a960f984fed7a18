/** What a call is given, what it works with, and what it reports. */
import type { Clock } from '../../base/clock.ts';
import type { LineLog } from '../../log/log.ts';
import type { AccessTokens } from './access-token.ts';
import type { RemoteHooks } from './hooks.ts';
import type { RetryPolicy } from './retries.ts';
import type { Secrets } from './secrets.ts';
import type { BaseUrl, SandboxGuard } from './service.ts';

export interface CallOptions {
  signal?: AbortSignal;
  /** For one attempt, in milliseconds. */
  timeoutMs?: number;
  /** Parts of the client's policy, for this call. */
  retry?: Partial<RetryPolicy>;
  /** Further headers of the request. */
  headers?: Readonly<Record<string, string>>;
  /** Goes out in the header that the client was told of; without it, a create gets one of the client's own. */
  idempotencyKey?: string;
}

export interface CallArguments {
  /** Of the record, where the path has one. */
  id?: string;
  body?: unknown;
  query?: Readonly<Record<string, unknown>>;
  /** Of the record as its caller saw it, in its quotes; `*`: any. */
  etag?: string;
}

export interface CallContext {
  base: BaseUrl;
  fetch: typeof fetch;
  clock: Clock;
  random: () => number;
  log: LineLog;
  retry: RetryPolicy;
  timeoutMs: number;
  tokens: AccessTokens;
  secrets: Secrets;
  allowUndocumented: boolean;
  sandboxGuard: SandboxGuard;
  hooks: Required<RemoteHooks>;
  /** Of every request. */
  headers: Readonly<Record<string, string>>;
  /** Null: the service's header for repeats is not known. */
  idempotency: { header: string; newKey: () => string } | null;
}
