/** Looks at a request by its schema, at what it refers to, and at its If-Match. Messages never quote a value: it may be a secret. */
import type { z } from 'zod';
import { isRecordToken } from './store/records.ts';
import { maxCount, readQuery, unknownsIn, type Operation } from '../catalogue/index.ts';
import { readAmount } from './money.ts';
import { RequestError, unusable, wrongField, type Issue } from './request-error.ts';
import type { Fields } from './store/records.ts';
import { resourceOfField, type SandboxContext } from './sandbox-context.ts';

/** Objects and arrays inside each other. */
const maxLevels = 100;

/** Throws RequestError with an issue for each thing that is wrong. A server does not guess: what it does not know is wrong. */
export function checkedBody<Schema extends z.ZodObject>(schema: Schema, body: unknown): z.output<Schema> {
  if (isDeeperThan(maxLevels, body)) {
    throw new RequestError('invalid_request', `The body has more than ${maxLevels} levels.`);
  }
  return checked(schema, body, 'The body');
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
}

/** What is left of "2026-03-26T08:00:00+00:00" when its plus sign was taken for a space. */
const timeWithSpace = /^\d{4}-\d\d-\d\dT[\d:.]+ \d\d:?\d\d$/;

/** Of an address's query. Throws RequestError. */
export function checkedParameters<Schema extends z.ZodObject>(
  schema: Schema,
  parameters: URLSearchParams,
): z.output<Schema> {
  const names = [...parameters.keys()];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw wrongField(twice, 'is given more than once');
  const unescaped = names.find((name) => timeWithSpace.test(parameters.get(name) ?? ''));
  if (unescaped !== undefined) {
    throw wrongField(unescaped, 'has a space where its offset begins; in an address, + is written %2B');
  }
  return checked(schema, readQuery(schema, parameters), 'The query');
}

/** The same for an operation of the catalogue. */
export function checkedQuery(operation: Operation, parameters: URLSearchParams): Fields {
  if (operation.query === null) {
    const [first] = parameters.keys();
    if (first !== undefined) throw wrongField(first, 'this operation has no query parameters');
    return {};
  }
  const query: Fields = checkedParameters(operation.query, parameters);
  const { token, count } = query;
  if (typeof token === 'string' && !isRecordToken(token)) {
    throw wrongField('token', 'is not the token of a record');
  }
  if (typeof count === 'number' && count > maxCount) throw wrongField('count', `must be at most ${maxCount}`);
  return query;
}

function checked<Schema extends z.ZodObject>(schema: Schema, value: unknown, what: string): z.output<Schema> {
  const parsed = schema.safeParse(value);
  const issues: Issue[] = parsed.success
    ? unknownsIn(schema, value).map(({ kind, path }) => ({
        path,
        message: kind === 'unknown-field' ? 'is not known here' : 'has a value that is not known here',
      }))
    : parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }));
  if (issues.length === 0 && parsed.success) return parsed.data;
  const first = issues[0];
  const about = first === undefined ? '' : ` ${first.path === '' ? '' : `${first.path}: `}${first.message}.`;
  throw new RequestError('invalid_request', `${what} has not the right form.${about}`, issues);
}

/** Every field that names a record must name one that there is. Throws RequestError. */
export function checkReferences(context: SandboxContext, body: unknown, path = ''): void {
  if (Array.isArray(body)) {
    for (const [index, element] of body.entries()) checkReferences(context, element, `${path}.${index}`);
    return;
  }
  if (typeof body !== 'object' || body === null) return;
  for (const [name, value] of Object.entries(body)) {
    const here = path === '' ? name : `${path}.${name}`;
    const resource = /_ids?$/.test(name) ? resourceOfField(context.catalogue, name) : null;
    if (resource === null) {
      checkReferences(context, value, here);
      continue;
    }
    for (const id of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (typeof id !== 'string' || context.records.get(resource, id) !== null) continue;
      throw unusable(here, `there is no ${resource} with this id`);
    }
  }
}

/** An amount beside its currency: as many places as that has. Throws RequestError. */
export function checkAmount(body: Fields): void {
  const { amount, currency_code: currencyCode } = body;
  if (typeof currencyCode !== 'string' || typeof amount !== 'string') return;
  const read = readAmount(amount, currencyCode);
  if (!read.ok) throw wrongField('amount', read.why);
}

/** The header If-Match (RFC 9110, 13.1.1): which record the sender has seen. */
export type IfMatch = { kind: 'any' } | { kind: 'tags'; tags: string[] };

const tag = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;
const list = new RegExp(`^${tag}(?:[ \t]*,[ \t]*${tag})*$`);

/** Null: the header is not there. Throws RequestError when it is neither `*` nor entity tags in their quotes. */
export function readIfMatch(header: string | null): IfMatch | null {
  if (header === null) return null;
  const value = header.trim();
  if (value === '*') return { kind: 'any' };
  if (!list.test(value)) {
    throw new RequestError(
      'invalid_request',
      'If-Match must be the etag of the record in its double quotes, or *.',
    );
  }
  return { kind: 'tags', tags: value.match(new RegExp(tag, 'g')) ?? [] };
}

/** Throws RequestError. The comparison is the strong one: a weak tag matches nothing. */
export function mustMatch(given: IfMatch | null, etag: string, needed: boolean): void {
  if (given === null) {
    if (!needed) return;
    throw new RequestError(
      'if_match_missing',
      'This operation needs the header If-Match with the etag of the record.',
    );
  }
  if (given.kind === 'any' || given.tags.includes(etag)) return;
  throw new RequestError(
    'etag_mismatch',
    'The record was changed since this etag was given out. Retrieve it again.',
  );
}
