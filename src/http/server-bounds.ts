import type { ServerOptions } from 'node:http';

export interface ServerBounds {
  /** From the first byte of a request to the end of its headers. */
  headersTimeoutMs: number;
  /** From the first byte of a request to the end of its body. */
  requestTimeoutMs: number;
  keepAliveTimeoutMs: number;
  /** How often connections are checked against the two request timeouts. */
  checkIntervalMs: number;
  maxHeaderBytes: number;
}

/** What every server of ours asks of Node's HTTP parser: bounds, and no leniency. */
export function serverBounds(bounds: ServerBounds): ServerOptions {
  return {
    headersTimeout: bounds.headersTimeoutMs,
    requestTimeout: bounds.requestTimeoutMs,
    keepAliveTimeout: bounds.keepAliveTimeoutMs,
    connectionsCheckingInterval: bounds.checkIntervalMs,
    maxHeaderSize: bounds.maxHeaderBytes,
    // A header that comes twice must not be half ignored: joined, it matches nothing.
    joinDuplicateHeaders: true,
    // A missing Host is answered by a guard, in our own words.
    requireHostHeader: false,
    insecureHTTPParser: false,
  };
}
