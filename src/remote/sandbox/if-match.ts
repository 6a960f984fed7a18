/** The header If-Match (RFC 9110, 13.1.1): which record the sender has seen. */
import { Refused } from './refusal.ts';

export type IfMatch = { kind: 'any' } | { kind: 'tags'; tags: string[] };

const tag = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;
const list = new RegExp(`^${tag}(?:[ \t]*,[ \t]*${tag})*$`);

/** Null: the header is not there. Throws Refused when it is neither `*` nor entity tags in their quotes. */
export function readIfMatch(header: string | null): IfMatch | null {
  if (header === null) return null;
  const value = header.trim();
  if (value === '*') return { kind: 'any' };
  if (!list.test(value)) {
    throw new Refused(
      'invalid_request',
      'If-Match must be the etag of the record in its double quotes, or *.',
    );
  }
  return { kind: 'tags', tags: value.match(new RegExp(tag, 'g')) ?? [] };
}

/** Throws Refused. The comparison is the strong one: a weak tag matches nothing. */
export function mustMatch(given: IfMatch | null, etag: string, needed: boolean): void {
  if (given === null) {
    if (!needed) return;
    throw new Refused(
      'if_match_missing',
      'This operation needs the header If-Match with the etag of the record.',
    );
  }
  if (given.kind === 'any' || given.tags.includes(etag)) return;
  throw new Refused(
    'etag_mismatch',
    'The record was changed since this etag was given out. Retrieve it again.',
  );
}
