/** What a call is given, what it works with, and what it reports. */
import type { Clock } from '../../base/clock.ts';
import type { LineLog } from '../../log/index.ts';
import type { AccessTokens } from './access-token.ts';
import type { RetryPolicy } from './retries.ts';
import type { Secrets } from './secrets.ts';
import type { BaseUrl, SandboxCheck } from './service.ts';

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
  /** Of the record as its caller saw it, in its quotes; `*`: any. */
  etag?: string;
}

export interface Deviation {
  /** unexpected: a field that is known has another form than the catalogue says, or is missing. */
  kind: 'unknown-field' | 'unknown-value' | 'unexpected';
  /** From the body's root: "external_account.type", "3.status" in the fourth record of a list. */
  path: string;
  value: unknown;
  /** For people. */
  message: string;
}

/** What the catalogue does not know, in an answer or in a request that is sent all the same. Holds no secret. */
export interface UnknownReport extends Deviation {
  where: 'request' | 'answer';
  operation: string;
  version: string;
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
  isSandbox: () => Promise<SandboxCheck>;
  onUnknown: (report: UnknownReport) => void;
}
