/** The base address of a service: https, or http to this computer, ending in /v1. */
import { isIP } from 'node:net';
import { pathPrefix } from '../catalogue/index.ts';
import { notSent } from './errors.ts';

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
