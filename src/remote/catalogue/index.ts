/** What the remote interface is: resources, operations, versions, scopes, errors; one table for client and sandbox. */
export { catalogue, createCatalogue, findOperation, operations, tables } from './catalogue.ts';
export type { Catalogue, Tables } from './catalogue.ts';
export { intent, reads, resource, undocumentedRecord, writes } from './entries.ts';
export type {
  Area,
  Assumption,
  IntentEffect,
  OperationEntries,
  OperationEntry,
  OperationKind,
  ResourceEntry,
  ResourceTable,
} from './entries.ts';
export { remoteErrorCodes, remoteErrorMeaning, remoteErrorSchema, remoteErrorStatus } from './errors.ts';
export type { RemoteErrorBody, RemoteErrorCode } from './errors.ts';
export * as formats from './formats.ts';
export {
  assumed,
  isSecret,
  secretsOf,
  knownValuesOf,
  openEnum,
  secret,
  documented,
  documentedValuesOf,
  sourceOf,
} from './marks.ts';
export type { OpenEnum, Source } from './marks.ts';
export type * from './record-types.ts';
export { camelOf, idFieldOf, pluralOf, wordsOf } from './names.ts';
export type { Camel, IdField, Plural } from './names.ts';
export type { Method, Operation } from './operations.ts';
export { defaultCount, listQuery, maxCount, readQuery, writeQuery } from './queries.ts';
export type { ListQuery } from './queries.ts';
export * as shapes from './shapes.ts';
export { tokenResponseSchema, tokenErrorSchema, tokenPath, tokenRequestSchema } from './token-endpoint.ts';
export { unknownsIn } from './unknowns.ts';
export type { Unknown } from './unknowns.ts';
export {
  apiVersions,
  latestVersion,
  pathPrefix,
  sandboxHeader,
  sandboxProbePath,
  versionHeader,
} from './versions.ts';
export type { ApiVersion } from './versions.ts';
