/** From a caller's arguments to an HTTP request. */
import type { z } from 'zod';
import { formats, unknownsIn, versionHeader, writeQuery, type Operation } from '../catalogue/index.ts';
import type { CallArguments, CallContext } from './call-context.ts';
import { notSent, type RemoteError } from './errors.ts';
import type { HttpRequest } from './http.ts';

/** Throws when the arguments cannot be a request. */
export function requestOf(context: CallContext, operation: Operation, given: CallArguments): HttpRequest {
  const facts = { operation: operation.id, version: operation.version };
  const wrong = (message: string, issues: { path: string; message: string }[] = []) =>
    notSent('invalid-request', `${operation.title}: ${message}`, { ...facts, issues });
  const needsId = operation.pathParameters.length > 0;
  if (needsId && (given.id === undefined || given.id === '')) {
    throw wrong(`${operation.pathParameters.join(', ')} is missing.`);
  }
  // "." and ".." would be read as steps in the path, however they are written.
  if (needsId && /^\.{1,2}$/.test(given.id ?? '')) throw wrong('this cannot be an id.');
  if (operation.request !== null) refuseMisfit(operation.request, given.body, wrong);
  if (operation.query !== null) refuseMisfit(operation.query, given.query ?? {}, wrong);
  const path = operation.path.replace(/\{[^}]+\}/, () => encodeURIComponent(given.id ?? ''));
  return {
    url: `${context.base.text}${path}${operation.query === null ? '' : writeQuery(given.query ?? {})}`,
    method: operation.method,
    headers: {
      accept: 'application/json',
      [versionHeader]: operation.version,
      ...(operation.request === null ? {} : { 'content-type': 'application/json' }),
      ...ifMatchOf(operation, given),
    },
    body: operation.request === null ? null : JSON.stringify(given.body),
  };
}

function refuseMisfit(
  schema: z.ZodType,
  value: unknown,
  wrong: (message: string, issues: { path: string; message: string }[]) => RemoteError,
): void {
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
