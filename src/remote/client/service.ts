/**
 * Where the service is, and whether it is a sandbox. A base address is https, or http to this computer, and ends in /v1.
 */
import { pathPrefix, sandboxHeader, sandboxProbePath } from '../catalogue/index.ts';
import { notSent } from './errors.ts';
import type { HttpResult } from '../../base/fetch-once.ts';
import { sendRepeated, type Repeats } from './repeats.ts';

export interface BaseUrl {
  /** Without a slash at the end. */
  text: string;
  /** The address is this computer's own: a literal loopback address, or localhost. */
  loopback: boolean;
}

/** Throws RemoteError "configuration" with what is wrong. */
export function readBaseUrl(value: string): BaseUrl {
  const url = readUrl('baseUrl', value);
  const path = url.pathname.replace(/\/+$/, '');
  if (!path.endsWith(pathPrefix)) {
    throw notSent(
      'configuration',
      `baseUrl: every base address ends with ${pathPrefix}, this one does not: ${url.origin}${url.pathname}`,
    );
  }
  return { text: `${url.origin}${path}`, loopback: isLoopback(url.hostname) };
}

/** Of the token end point. */
export function readTokenUrl(value: string): string {
  return readUrl('tokenUrl', value).href;
}

function readUrl(name: string, value: string): URL {
  if (!URL.canParse(value)) throw notSent('configuration', `${name}: this is not an address.`);
  const url = new URL(value);
  if (url.username !== '' || url.password !== '') {
    throw notSent('configuration', `${name}: credentials do not belong in an address; use "auth".`);
  }
  if (url.search !== '' || url.hash !== '') {
    throw notSent('configuration', `${name}: must have neither "?" nor "#".`);
  }
  const secure = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  if (!secure) {
    throw notSent(
      'configuration',
      `${name}: must be https; http only to this computer (127.0.0.1, localhost).`,
    );
  }
  return url;
}

/** Names below localhost are not: the resolver of many systems asks the network for them. */
function isLoopback(hostname: string): boolean {
  if (hostname === 'localhost' || hostname === '[::1]') return true;
  // URL writes every form of an IPv4 address as four numbers.
  return /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);
}

/** `detail`: why there was no answer. */
export type SandboxCheck =
  { kind: 'sandbox' | 'not-loopback' | 'not-a-sandbox' } | { kind: 'no-answer'; detail: string };

export interface SandboxGuard {
  /** Who asks while a request is under way shares its answer. Never rejects. */
  check(): Promise<SandboxCheck>;
  /** Every answer of the service, and every failure, tells whether it is still there. */
  note(result: HttpResult): void;
}

/** So long after the last answer of a sandbox, the next one is taken to come from it, too. */
const sureForMs = 1_000;

/**
 * Finds out whether the service is a sandbox. Two things must hold: the base address is this computer's own, and what
 * answers there says so with the header x-tillbridge-sandbox. Loopback alone would not do: a tunnel to a real service
 * ends on loopback too. The request carries neither token nor body.
 *
 * What listens on a port of this computer may be another one a moment later: it is asked again unless its last answer
 * came just now.
 */
export function createSandboxGuard(base: BaseUrl, repeats: Repeats): SandboxGuard {
  const { clock } = repeats;
  let underway: Promise<SandboxCheck> | null = null;
  let seenAtMs: number | null = null;

  function note(result: HttpResult): void {
    const says = result.kind === 'response' && result.headers.get(sandboxHeader) === 'true';
    seenAtMs = says ? clock.elapsed() : null;
  }

  async function ask(): Promise<SandboxCheck> {
    const result = await sendRepeated(
      {
        url: `${base.text}${sandboxProbePath}`,
        method: 'GET',
        headers: { accept: 'application/json' },
        body: null,
      },
      repeats,
    );
    note(result);
    if (result.kind === 'failed') return { kind: 'no-answer', detail: result.detail };
    return { kind: seenAtMs === null ? 'not-a-sandbox' : 'sandbox' };
  }

  return {
    note,
    async check() {
      if (!base.loopback) return { kind: 'not-loopback' };
      if (seenAtMs !== null && clock.elapsed() - seenAtMs < sureForMs) return { kind: 'sandbox' };
      underway ??= ask().finally(() => {
        underway = null;
      });
      return await underway;
    },
  };
}
