/** What a caller may watch. A hook never changes what a call does: that it fails is logged, and the call goes on. */
import type { LineLog } from '../../log/log.ts';

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

export interface AttemptFacts {
  /** "account-holder-creation-intent.create" */
  operation: string;
  version: string;
  method: string;
  /** With the names of its parameters, not their values: "/accounts/{account_id}". */
  path: string;
  /** From 1. */
  attempt: number;
}

export interface AnswerFacts extends AttemptFacts {
  durationMs: number;
  /** Null: no answer came. */
  status: number | null;
  requestId: string | null;
  /** Why none came. */
  failure: 'not-connected' | 'network' | 'timeout' | 'aborted' | 'too-large' | null;
}

export interface RemoteHooks {
  /** An attempt is about to be sent. */
  onRequest?: (facts: AttemptFacts) => void;
  /** An attempt was answered, or failed. */
  onResponse?: (facts: AnswerFacts) => void;
  /** The request will be sent again after the pause. */
  onRetry?: (facts: AnswerFacts & { pauseMs: number }) => void;
  /** Hears what the catalogue does not know. Without it, the log does, with the place but not the value. */
  onUnknown?: (report: UnknownReport) => void;
}

/** The same hooks, all of them, none of which throws or rejects. */
export function guarded(hooks: RemoteHooks, log: LineLog): Required<RemoteHooks> {
  const broken = (hook: string, error: unknown) =>
    log.error('remote: a hook of the caller broke', { hook, err: error });
  const guard =
    <Facts>(hook: string, call: ((facts: Facts) => unknown) | undefined) =>
    (facts: Facts): void => {
      try {
        const result = call?.(facts);
        if (result instanceof Promise) result.catch((error: unknown) => broken(hook, error));
      } catch (error) {
        broken(hook, error);
      }
    };
  return {
    onRequest: guard('onRequest', hooks.onRequest),
    onResponse: guard('onResponse', hooks.onResponse),
    onRetry: guard('onRetry', hooks.onRetry),
    onUnknown: guard(
      'onUnknown',
      hooks.onUnknown ??
        (({ where, kind, path, operation, version }) =>
          log.warn('remote: the catalogue does not know this', { where, kind, path, operation, version })),
    ),
  };
}
