/** The requests of a bridge to its head office, each bounded in time and size; what an answer means is for the caller. */
import { hostname } from 'node:os';
import type { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { fetchOnce } from '../../base/fetch-once.ts';
import { parseJson } from '../../base/parse-json.ts';
import { printableLine } from '../../base/printable-text.ts';
import {
  enrolResponseSchema,
  eventsResponseSchema,
  eventsType,
  headsResponseSchema,
  officePaths,
  officeProtocol,
  officeRefusalSchema,
  placeResponseSchema,
  protocolHeader,
  type ChainPlace,
  type EnrolResponse,
  type Heartbeat,
  type JournalName,
  type KnownPlace,
  type OfficeRefusal,
} from '../../contract/office.ts';

export type OfficeAnswer<T> =
  | { kind: 'answer'; value: T }
  | { kind: 'refused'; code: OfficeRefusal['error']; message: string; seq: number | null }
  /** Nobody knows whether the office has done what was asked. */
  | { kind: 'unreachable'; message: string; tookTooLong: boolean }
  /** It answered with something that is no answer. */
  | { kind: 'unusable'; message: string };

export interface OfficeClient {
  /** `key`: the one that the bridge has made for itself. An older office gives it another one. */
  enrol(code: string, key: string, signal: AbortSignal): Promise<OfficeAnswer<EnrolResponse>>;
  /** Requests with the key of this bridge, all of which `signal` ends. */
  as(key: string, signal: AbortSignal): OfficeRequests;
}

export interface OfficeRequests {
  heads(journal: JournalName): Promise<OfficeAnswer<{ heads: KnownPlace[] }>>;
  place(
    journal: JournalName,
    points: readonly ChainPlace[],
  ): Promise<OfficeAnswer<{ place: KnownPlace | null }>>;
  /** `batch` is gzipped. */
  events(journal: JournalName, batch: Uint8Array<ArrayBuffer>): Promise<OfficeAnswer<KnownPlace>>;
  heartbeat(heartbeat: Heartbeat): Promise<OfficeAnswer<true>>;
}

/** Also for a batch over a slow line; see `batchBytes` in `journal-sender.ts`. */
const requestTimeoutMs = 30_000;
const maxAnswerBytes = 256 * 1024;
/** The office's own words. */
const maxMessageCharacters = 300;
const maxVersionCharacters = 64;
const maxComputerCharacters = 255;

export function createOfficeClient(options: {
  /** With or without a slash at its end. */
  url: string;
  version: string;
  clock: Clock;
  fetch: typeof fetch;
}): OfficeClient {
  const { version, clock } = options;
  const base = options.url.replace(/\/+$/, '');

  /** What `read` makes of the body of an answer that is a success; null: that is no answer of an office. */
  async function ask<T>(
    path: string,
    { key, content, batch, signal }: Asked,
    read: (body: string) => T | null,
  ): Promise<OfficeAnswer<T>> {
    const headers: Record<string, string> = {
      accept: 'application/json',
      [protocolHeader]: String(officeProtocol),
    };
    if (key !== undefined) headers['authorization'] = `Bearer ${key}`;
    if (content !== undefined) headers['content-type'] = 'application/json';
    if (batch !== undefined) Object.assign(headers, batchHeaders);
    const body = batch ?? (content === undefined ? null : JSON.stringify(content));
    const result = await fetchOnce(
      { url: base + path, method: body === null ? 'GET' : 'POST', headers, body },
      { fetch: options.fetch, clock, timeoutMs: requestTimeoutMs, signal, maxResponseBytes: maxAnswerBytes },
    );
    if (result.kind === 'failed') {
      if (result.reason === 'too-large') return { kind: 'unusable', message: result.detail };
      return { kind: 'unreachable', message: result.detail, tookTooLong: result.reason === 'timeout' };
    }
    if (result.status < 200 || result.status > 299) return refusalOf(result.status, result.body);
    const value = read(result.body);
    if (value !== null) return { kind: 'answer', value };
    return { kind: 'unusable', message: `The answer to ${path} is not one of a head office.` };
  }

  return {
    enrol(code, key, signal) {
      const computer = hostname().slice(0, maxComputerCharacters);
      const content = { code, computer, version: version.slice(0, maxVersionCharacters), key };
      return ask(officePaths.enrol, { content, signal }, readAs(enrolResponseSchema));
    },
    as: (key, signal) => ({
      heads: (journal) => ask(officePaths.heads(journal), { key, signal }, readAs(headsResponseSchema)),
      place: (journal, points) =>
        ask(officePaths.place(journal), { key, signal, content: { points } }, readAs(placeResponseSchema)),
      events: (journal, batch) =>
        ask(officePaths.events(journal), { key, signal, batch }, readAs(eventsResponseSchema)),
      heartbeat: (content) => ask(officePaths.heartbeat, { key, signal, content }, () => true),
    }),
  };
}

interface Asked {
  key?: string;
  /** As JSON. */
  content?: unknown;
  batch?: Uint8Array<ArrayBuffer>;
  signal: AbortSignal;
}

const batchHeaders = { 'content-type': eventsType, 'content-encoding': 'gzip' };

function readAs<T>(schema: z.ZodType<T>): (body: string) => T | null {
  return (body) => {
    const parsed = parseJson(body);
    return parsed.ok ? (schema.safeParse(parsed.value).data ?? null) : null;
  };
}

function refusalOf(status: number, body: string): OfficeAnswer<never> {
  const refusal = readAs(officeRefusalSchema)(body);
  if (refusal !== null) {
    const { error: code, message, seq = null } = refusal;
    return { kind: 'refused', code, message: printableLine(message, maxMessageCharacters), seq };
  }
  // What stands before the office may find a batch too large, and says so in its own way.
  if (status === 413)
    return { kind: 'refused', code: 'body_too_large', message: 'The request is too large.', seq: null };
  return { kind: 'unusable', message: `The answer has the status ${status}.` };
}
