/** Which `Host` headers name this listener: the guard against DNS rebinding. */

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];
const everyAddress = new Set(['0.0.0.0', '::', '[::]']);
const defaultHttpPort = 80;

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

/** An IPv6 address stands in brackets in `Host`. */
export function bracketed(host: string): string {
  return !host.startsWith('[') && host.split(':').length > 2 ? `[${host}]` : host;
}
