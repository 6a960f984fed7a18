/**
 * Whom a request is meant for and what page made it: what every server of ours knows of DNS rebinding and of pages of
 * other sites. What is refused because of it, and in which words, is each server's own.
 */
import type { IncomingMessage } from 'node:http';

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];
const everyAddress = new Set(['0.0.0.0', '::', '[::]']);
const defaultHttpPort = 80;

const wholeUrlPattern = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;

/**
 * The name that `request` is meant for where that is none of `isOurs`, as far as it has one; null where all is well. A
 * page can give its own name this machine's address (DNS rebinding), and then its name is in `Host`.
 */
export function foreignHost(
  { headers: { host }, url }: Pick<IncomingMessage, 'headers' | 'url'>,
  isOurs: (host: string) => boolean,
): { host: string | undefined } | null {
  if (host === undefined || !isOurs(host)) return { host };
  // A whole URL as the target names the host once more, and counts for more than the header (RFC 9112 section 3.2.2).
  const named = wholeUrlPattern.exec(url ?? '')?.[1] ?? host;
  return isOurs(named) ? null : { host: named };
}

/**
 * A browser says that a page of another site, or of another port of this machine, made the request. Some of those have
 * no Origin: an image, a script, a followed link. Programs that are no browser say nothing of the kind.
 */
export function isFromForeignPage({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/** Somebody has followed a link, and sees the response as a page of its own. */
export function isFollowedLink({ method, headers }: Pick<IncomingMessage, 'headers' | 'method'>): boolean {
  return (
    method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  );
}

/** True when only this machine can reach `host`; null is the usual 127.0.0.1 and ::1. */
export function isLoopback(host: string | null): boolean {
  if (host === null) return true;
  return (
    host === 'localhost' ||
    host === '::1' ||
    host === '[::1]' ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)
  );
}

/**
 * The values of `Host` that are answered, in lower case: the loopback names with `port`, the configured `host` if it is
 * one address or name, and `allowedHosts`. An allowed host without a port is taken as it stands (a proxy on the usual
 * port) and with the listener's port.
 */
export function hostValues(port: number, host: string | null, allowedHosts: readonly string[]): Set<string> {
  const values = new Set<string>();
  const own = host === null || everyAddress.has(host) ? loopbackNames : [...loopbackNames, bracketed(host)];
  for (const name of own) {
    values.add(`${name.toLowerCase()}:${port}`);
    // The port is left out of Host where it is the scheme's own (RFC 9110 section 7.2).
    if (port === defaultHttpPort) values.add(name.toLowerCase());
  }
  for (const allowed of allowedHosts) {
    const name = bracketed(allowed.trim().toLowerCase());
    values.add(name);
    if (!/:\d{1,5}$/.test(name)) values.add(`${name}:${port}`);
  }
  return values;
}

/** What this machine calls a server that listens at `host`, as it stands in an address. Null is the usual 127.0.0.1. */
export function nameInAddress(host: string | null): string {
  return host === null || everyAddress.has(host) ? '127.0.0.1' : bracketed(host);
}

/** An IPv6 address stands in brackets in `Host`, and in an address. */
export function bracketed(host: string): string {
  return !host.startsWith('[') && host.split(':').length > 2 ? `[${host}]` : host;
}
