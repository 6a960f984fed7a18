/**
 * Where the service is, and whether it is a sandbox. A base address is https, or http to this computer, and ends in /v1.
 */
import { isIP } from 'node:net';
import { pathPrefix, sandboxHeader, sandboxProbePath } from '../catalogue/index.ts';
import { notSent } from './errors.ts';
import type { HttpRequest, HttpResult } from './http.ts';

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
  return isIP(hostname) === 4 && hostname.startsWith('127.');
}

export type SandboxCheck = 'sandbox' | 'not-loopback' | 'not-a-sandbox' | 'no-answer';

/**
 * Finds out whether the service is a sandbox. Two things must hold: the base address is this computer's own, and what
 * answers there says so with the header x-tillbridge-sandbox. Loopback alone would not do: a tunnel to a real service
 * ends on loopback too. The request carries neither token nor body.
 *
 * Asked anew each time: what listens on a port of this computer may be another one a moment later. Who asks while a
 * request is under way shares its response.
 */
export function createSandboxGuard(
  base: BaseUrl,
  send: (request: HttpRequest) => Promise<HttpResult>,
): () => Promise<SandboxCheck> {
  let underway: Promise<SandboxCheck> | null = null;

  async function ask(): Promise<SandboxCheck> {
    const result = await send({
      url: `${base.text}${sandboxProbePath}`,
      method: 'GET',
      headers: { accept: 'application/json' },
      body: null,
    });
    if (result.kind === 'failed') return 'no-answer';
    return result.headers.get(sandboxHeader) === 'true' ? 'sandbox' : 'not-a-sandbox';
  }

  return async () => {
    if (!base.loopback) return 'not-loopback';
    underway ??= ask().finally(() => {
      underway = null;
    });
    return await underway;
  };
}
