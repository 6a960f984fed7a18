/** From a caller's arguments to an HTTP request. */
import type { z } from 'zod';
import { formats, unknownsIn, versionHeader, writeQuery, type Operation } from '../catalogue/index.ts';
import type { CallArguments, CallContext, CallOptions } from './call-context.ts';
import { notSent, type RemoteError } from './errors.ts';
import type { HttpRequest } from '../../base/fetch-once.ts';

/** Throws when the arguments cannot be a request. */
export function requestOf(
  context: CallContext,
  operation: Operation,
  given: CallArguments,
  options: CallOptions,
): HttpRequest {
  const facts = { operation: operation.id, version: operation.version };
  const wrong: Wrong = (message, issues = []) =>
    notSent('invalid-request', `${operation.title}: ${message}`, { ...facts, issues });
  const needsId = operation.pathParameters.length > 0;
  if (needsId && (given.id === undefined || given.id === '')) {
    throw wrong(`${operation.pathParameters.join(', ')} is missing.`);
  }
  // "." and ".." would be read as steps in the path, however they are written.
  if (needsId && /^\.{1,2}$/.test(given.id ?? '')) throw wrong('this cannot be an id.');
  if (operation.request !== null) refuseMisfit(operation.request, given.body, wrong);
  const query = withoutDates(given.query ?? {}, wrong);
  if (operation.query !== null) refuseMisfit(operation.query, query, wrong);
  const path = operation.path.replace(/\{[^}]+\}/, () => encodeURIComponent(given.id ?? ''));
  return {
    url: `${context.base.text}${path}${operation.query === null ? '' : writeQuery(query)}`,
    method: operation.method,
    headers: {
      ...context.headers,
      ...options.headers,
      ...idempotencyOf(context, operation, options, wrong),
      accept: 'application/json',
      [versionHeader]: operation.version,
      ...(operation.request === null ? {} : { 'content-type': 'application/json' }),
      ...ifMatchOf(operation, given),
    },
    body: operation.request === null ? null : jsonOf(given.body, wrong),
  };
}

type Wrong = (message: string, issues?: { path: string; message: string }[]) => RemoteError;

/** A moment of the caller's, as ISO 8601 in UTC. */
function withoutDates(query: Readonly<Record<string, unknown>>, wrong: Wrong): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      if (!(value instanceof Date)) return [name, value];
      if (Number.isNaN(value.getTime())) throw wrong(`${name}: this Date is invalid.`);
      return [name, value.toISOString()];
    }),
  );
}

/** A big integer and a circle have no JSON. */
function jsonOf(body: unknown, wrong: Wrong): string {
  try {
    return JSON.stringify(body);
  } catch {
    throw wrong('the body cannot be written as JSON: it holds a BigInt, or itself.');
  }
}

/** One key for all attempts of a call. What a step may be repeated by is its etag. */
function idempotencyOf(
  { idempotency }: CallContext,
  operation: Operation,
  { idempotencyKey }: CallOptions,
  wrong: Wrong,
): Record<string, string> {
  if (idempotency === null) {
    if (idempotencyKey === undefined) return {};
    throw wrong('an idempotency key was given, and no idempotencyHeader to send it in.');
  }
  if (idempotencyKey === undefined && operation.kind !== 'create') return {};
  return { [idempotency.header]: idempotencyKey ?? idempotency.newKey() };
}

function refuseMisfit(schema: z.ZodType, value: unknown, wrong: Wrong): void {
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

function ifMatchOf(operation: Operation, given: CallArguments): Record<string, string> {
  if (given.etag !== undefined && given.etag !== '*' && !formats.entityTag.safeParse(given.etag).success) {
    throw notSent('invalid-request', `${operation.title}: an etag is written in its double quotes.`, {
      operation: operation.id,
      version: operation.version,
    });
  }
  if (!operation.needsIfMatch) return given.etag === undefined ? {} : { 'if-match': given.etag };
  if (given.etag === undefined) {
    throw notSent(
      'etag-unknown',
      `${operation.title}: needs the etag of the record as you saw it. Give the record, not its id alone.`,
      { operation: operation.id, version: operation.version },
    );
  }
  return { 'if-match': given.etag };
}
