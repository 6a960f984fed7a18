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
  /** In its quotes, as records carry it. Without it, the one that the client saw last. */
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
  etags: Etags;
  secrets: Secrets;
  allowUndocumented: boolean;
  isSandbox: () => Promise<SandboxCheck>;
  onUnknown: (report: UnknownReport) => void;
}

/** The entity tag that each record had when it was last seen. */
export interface Etags {
  get(version: string, resource: string, id: string): string | null;
  /** Takes the tag out of a record, if it has an id and one. */
  see(version: string, resource: string, record: unknown): void;
}

/** The records seen longest ago are forgotten. */
const maxRecords = 10_000;

export function createEtags(): Etags {
  const tags = new Map<string, string>();
  const keyOf = (version: string, resource: string, id: string) => `${version} ${resource} ${id}`;
  return {
    get: (version, resource, id) => tags.get(keyOf(version, resource, id)) ?? null,
    see(version, resource, record) {
      if (typeof record !== 'object' || record === null || !('id' in record) || !('etag' in record)) return;
      const { id, etag } = record;
      if (typeof id !== 'string' || typeof etag !== 'string') return;
      const key = keyOf(version, resource, id);
      tags.delete(key);
      tags.set(key, etag);
      const [oldest] = tags.keys();
      if (tags.size > maxRecords && oldest !== undefined) tags.delete(oldest);
    },
  };
}
