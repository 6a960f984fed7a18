/** The typed client of the remote interface. */
export { createRemoteClient } from './create-client.ts';
export type { RemoteAuth, RemoteClientOptions } from './create-client.ts';
export type { CallArguments, CallOptions } from './call-context.ts';
export type {
  RecordOrId,
  RemoteClient,
  ResourceClient,
  SeenRecord,
  Sources,
  VersionClient,
} from './client-types.ts';
export { RemoteError } from './errors.ts';
export type { RemoteErrorFacts, RemoteErrorKind, RemoteOutcome } from './errors.ts';
export type { AnswerFacts, AttemptFacts, RemoteHooks, UnknownReport } from './hooks.ts';
export type { Page, RecordList } from './lists.ts';
export type { Answer, RemoteCall } from './remote-call.ts';
export type { TokenProvider } from './access-token.ts';
export type { WaitOptions } from './waiting.ts';
export { defaultRetryPolicy } from './retries.ts';
export type { RetryPolicy } from './retries.ts';
