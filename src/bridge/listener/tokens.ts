/**
 * POS tokens: one JSON file `{"tokens": [{"name", "sha256", "createdAt"}]}`, readable by its owner only. It holds
 * hashes; the token itself is shown once, when it is made. No file, or no token in it: commands need none.
 */
import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../../base/atomic-file.ts';
import { isForbidden } from '../../base/forbidden.ts';
import { preparePrivateFolder, readPlainFile, UnsafeFileError } from '../../base/private-files.ts';
import type { Chance } from '../../base/chance.ts';
import type { Clock } from '../../base/clock.ts';
import { holdsCardNumber } from '../../log/index.ts';
import { acquireExclusiveLock } from '../locks/index.ts';

const tokenNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}$/, 'must be 1 to 40 letters, digits, blanks, ".", "_" and "-"');
const tokenFileSchema = z.object({
  tokens: z.array(
    z.object({
      name: tokenNameSchema,
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
      createdAt: z.string(),
    }),
  ),
});
export type StoredToken = z.infer<typeof tokenFileSchema>['tokens'][number];

export const maxTokens = 100;
const maxFileBytes = 256 * 1024;
/** 256 bits: nothing that can be guessed, so a plain hash is enough to store. */
const tokenBytes = 32;
const fileNames = /^tokens\.json/;
/** A change takes some milliseconds. */
const lockWaitMs = 500;

export type TokenResult<T> = ({ ok: true } & T) | { ok: false; message: string };

/**
 * Makes a token called `name` and gives it: the only time that it is known in plain form. Fails when the name is taken
 * or of the wrong form, when there are 100, or when the file is damaged or cannot be written.
 */
export function createToken(
  file: string,
  name: string,
  { clock, chance }: { clock: Clock; chance: Chance },
): TokenResult<{ token: string }> {
  const wrong = nameProblem(name);
  if (wrong !== null) return { ok: false, message: wrong };
  const token = newToken(chance);
  const changed = change(file, (tokens) => {
    if (tokens.some((stored) => stored.name === name))
      return `There is a token called "${name}". Choose another name.`;
    if (tokens.length >= maxTokens) return `There are ${maxTokens} tokens. Remove one first.`;
    return [...tokens, { name, sha256: hashToken(token), createdAt: new Date(clock.now()).toISOString() }];
  });
  return changed.ok ? { ok: true, token } : changed;
}

/** A token that nobody can guess, in the form that is sent. It counts once its hash is stored. */
export function newToken(chance: Chance): string {
  return `tb_${Buffer.from(chance.bytes(tokenBytes)).toString('base64url')}`;
}

/**
 * Stores a token that was made elsewhere, by its hash (lower-case hex), in the place of one of the same name. `changed` is
 * false when it is stored already; with `checkOnly` nothing is written. Fails as `createToken` does.
 */
export function putToken(
  file: string,
  { name, sha256 }: { name: string; sha256: string },
  { clock, checkOnly }: { clock: Clock; checkOnly: boolean },
): TokenResult<{ changed: boolean }> {
  const wrong = nameProblem(name);
  if (wrong !== null) return { ok: false, message: wrong };
  const read = readTokens(file);
  if (!read.ok) return read;
  if (read.tokens.some((stored) => stored.name === name && stored.sha256 === sha256))
    return { ok: true, changed: false };
  if (checkOnly) return { ok: true, changed: true };
  const put = change(file, (tokens) => {
    const others = tokens.filter((stored) => stored.name !== name);
    if (others.length >= maxTokens) return `There are ${maxTokens} tokens. Remove one first.`;
    return [...others, { name, sha256, createdAt: new Date(clock.now()).toISOString() }];
  });
  return put.ok ? { ok: true, changed: true } : put;
}

function nameProblem(name: string): string | null {
  if (!tokenNameSchema.safeParse(name).success)
    return 'The name of a token must be 1 to 40 letters, digits, blanks, ".", "_" and "-".';
  // Names are written down as they are.
  return holdsCardNumber(name) ? 'The name of a token must not be a card number.' : null;
}

/** Names and times of the tokens, oldest first; never the tokens. */
export function listTokens(file: string): TokenResult<{ tokens: { name: string; createdAt: string }[] }> {
  const read = readTokens(file);
  if (!read.ok) return read;
  return { ok: true, tokens: read.tokens.map(({ name, createdAt }) => ({ name, createdAt })) };
}

/** Removes the token called `name`. With `remaining` 0 the commands need no token any more; the caller says so. */
export function removeToken(file: string, name: string): TokenResult<{ remaining: number }> {
  const changed = change(file, (tokens) => {
    const kept = tokens.filter((stored) => stored.name !== name);
    return kept.length === tokens.length ? `There is no token called "${name}".` : kept;
  });
  return changed.ok ? { ok: true, remaining: changed.tokens.length } : changed;
}

/** The hash that is stored, in lower-case hex. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** The stored tokens; none where there is no file. A file that is there and cannot be understood is a failure. */
export function readTokens(file: string): TokenResult<{ tokens: StoredToken[] }> {
  let text: string;
  try {
    text = readPlainFile(file, { maxBytes: maxFileBytes, own: true }).toString('utf8');
  } catch (error) {
    if (error instanceof UnsafeFileError)
      return { ok: false, message: `The POS tokens cannot be used. ${error.message}` };
    if (errorCode(error) === 'ENOENT') return { ok: true, tokens: [] };
    if (isForbidden(error)) return forbidden(file);
    return damaged(file, `it cannot be read: ${errorCode(error)}`);
  }
  try {
    const parsed = tokenFileSchema.safeParse(JSON.parse(text));
    return parsed.success
      ? { ok: true, tokens: parsed.data.tokens }
      : damaged(file, 'its content has another form');
  } catch {
    return damaged(file, 'it is not JSON');
  }
}

/** Reads, changes and replaces the file, one at a time of all processes: one that dies in between hinders no other. */
function change(
  file: string,
  edit: (tokens: StoredToken[]) => StoredToken[] | string,
): TokenResult<{ tokens: StoredToken[] }> {
  try {
    preparePrivateFolder(dirname(file), fileNames);
    const lock = acquireExclusiveLock(`${file}.lock`, lockWaitMs);
    if (lock.kind === 'taken')
      return { ok: false, message: 'Another change of the tokens is under way. Try again.' };
    try {
      const read = readTokens(file);
      const tokens = read.ok ? edit(read.tokens) : read.message;
      if (typeof tokens === 'string') return { ok: false, message: tokens };
      replaceFile(file, `${JSON.stringify({ tokens }, null, 2)}\n`);
      return { ok: true, tokens };
    } finally {
      lock.release();
    }
  } catch (error) {
    if (error instanceof UnsafeFileError) return { ok: false, message: error.message };
    if (isForbidden(error)) return forbidden(file);
    return { ok: false, message: `The file ${file} cannot be written: ${errorCode(error)}.` };
  }
}

function damaged(file: string, why: string): { ok: false; message: string } {
  return {
    ok: false,
    message: `The file of POS tokens ${file} cannot be used: ${why}. Repair it, or delete it and make new tokens.`,
  };
}

/** Nothing is wrong with the file; to delete it would let everybody in. */
function forbidden(file: string): { ok: false; message: string } {
  return {
    ok: false,
    message: `This user may not read or change the POS tokens in ${file}. The bridge and its commands have to run as the user that the file belongs to.`,
  };
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
