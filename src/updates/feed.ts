/** Reads the list of versions of a feed. Nothing of it is believed, or even parsed, before its signature is right. */
import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import type { Release, UpdateRefusal } from '../contract/console/index.ts';
import { isSigned, signatureFileOf } from './signature.ts';
import { compareVersions, isVersion } from '../base/versions.ts';

/** What is needed of `fetch`. */
export type FeedFetch = (url: URL, init: RequestInit) => Promise<Response>;

export interface FeedOptions {
  /** The setting `updates.feed`. */
  feed: string;
  /** The setting `updates.key`; null: there is none, and nothing is asked. */
  key: string | null;
  channel: string;
  /** What runs here. */
  version: string;
  /** The highest version that the feed has shown before; null: none. */
  seen: string | null;
  /** As Node names them: `linux`, `win32`, `darwin`; `x64`, `arm64`. */
  platform: string;
  arch: string;
  fetch: FeedFetch;
  clock: Clock;
}

export interface FoundRelease extends Release {
  /** The list itself, in the form of electron-updater. */
  list: SignedList;
}

export type FeedAnswer =
  { kind: 'current' } | { kind: 'newer'; release: FoundRelease } | { kind: 'refused'; reason: UpdateRefusal };

/** A list is a few hundred bytes; notes may make it some thousand. */
const maxListBytes = 64 * 1024;
const maxSignatureBytes = 1024;
const answerTimeoutMs = 30_000;
const maxNotes = 4_000;

/** A file beside the list: no path and no other address, whoever signed it. */
const fileName = z.string().regex(/^[\w .()+-]{1,200}$/, 'must be the name of a file');
const listSchema = z.looseObject({
  version: z.string().refine(isVersion),
  files: z
    .array(z.looseObject({ url: fileName, sha512: z.base64().length(88), size: z.number().int().positive() }))
    .min(1)
    .max(20),
  path: fileName,
  sha512: z.base64().length(88),
  releaseDate: z.union([z.string().max(40), z.date()]).transform((value) => new Date(value).toISOString()),
  releaseNotes: z.string().nullish(),
  // Would name further files, of another form.
  packages: z.undefined().optional(),
});
type SignedList = z.infer<typeof listSchema>;

/** The list's file, as electron-builder names it: `latest.yml` (Windows), `latest-mac.yml`, `latest-linux-arm64.yml`. */
export function listFileOf({
  channel,
  platform,
  arch,
}: Pick<FeedOptions, 'channel' | 'platform' | 'arch'>): string {
  if (platform === 'win32') return `${channel}.yml`;
  if (platform === 'darwin') return `${channel}-mac.yml`;
  return arch === 'x64' ? `${channel}-linux.yml` : `${channel}-linux-${arch}.yml`;
}

/** The folder in which list and files are. */
export function feedFolder(feed: string): URL {
  return new URL(feed.endsWith('/') ? feed : `${feed}/`);
}

/** Never rejects. Takes a minute at most. */
export async function readFeed(options: FeedOptions): Promise<FeedAnswer> {
  const { key, version, seen } = options;
  if (key === null) return refused('no_key');
  const listFile = listFileOf(options);
  const folder = feedFolder(options.feed);
  const list = await fetchFile(new URL(listFile, folder), maxListBytes, options);
  if (!list.ok) return refused(list.reason);
  const signature = await fetchFile(new URL(signatureFileOf(listFile), folder), maxSignatureBytes, options);
  if (!signature.ok) return refused(signature.reason === 'not_found' ? 'unsigned' : signature.reason);
  const text = Buffer.from(signature.bytes).toString('utf8');
  if (!isSigned(listFile, list.bytes, text, key)) return refused('wrong_signature');
  const parsed = await parseList(list.bytes, listFile, folder);
  if (parsed === null) return refused('unreadable');
  if (compareVersions(parsed.version, version) < 0) return refused('older');
  if (seen !== null && compareVersions(parsed.version, seen) < 0) return refused('replayed');
  if (parsed.version === version) return { kind: 'current' };
  const notes = parsed.releaseNotes?.trim().slice(0, maxNotes) ?? null;
  return { kind: 'newer', release: { version: parsed.version, notes, list: parsed } };
}

async function parseList(bytes: Uint8Array, listFile: string, folder: URL): Promise<SignedList | null> {
  // Only where a feed is named and has answered.
  const { parseUpdateInfo } = await import('electron-updater/out/providers/Provider.js');
  try {
    const read: unknown = parseUpdateInfo(Buffer.from(bytes).toString('utf8'), listFile, folder);
    return listSchema.parse(read);
  } catch {
    return null;
  }
}

type Fetched = { ok: true; bytes: Uint8Array } | { ok: false; reason: UpdateRefusal };

async function fetchFile(url: URL, maxBytes: number, { fetch, clock }: FeedOptions): Promise<Fetched> {
  const ending = new AbortController();
  let tooSlow = false;
  const cancel = clock.after(answerTimeoutMs, () => {
    tooSlow = true;
    ending.abort();
  });
  try {
    // Whoever keeps the feed says its address; another one is for a person to enter.
    const response = await fetch(url, { redirect: 'manual', cache: 'no-store', signal: ending.signal });
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400))
      return { ok: false, reason: 'redirected' };
    if (response.status === 404 || response.status === 410) return { ok: false, reason: 'not_found' };
    if (response.status !== 200) return { ok: false, reason: 'unreachable' };
    const bytes = await bytesOf(response, maxBytes);
    return bytes === null ? { ok: false, reason: 'too_large' } : { ok: true, bytes };
  } catch {
    return { ok: false, reason: tooSlow ? 'too_slow' : 'unreachable' };
  } finally {
    cancel();
    ending.abort();
  }
}

/** Null when there are more than `maxBytes`; the rest is not read. */
async function bytesOf({ body }: Response, maxBytes: number): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body ?? []) {
    length += piece.byteLength;
    if (length > maxBytes) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function refused(reason: UpdateRefusal): FeedAnswer {
  return { kind: 'refused', reason };
}
