/** Node's HTTP servers as all of ours are: bounded, on all of their addresses or none, closed within a time. */
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { bracketed } from './host-and-origin.ts';
import type { RepeatedKind, RepeatedLines } from './repeated-lines.ts';

// Not imported: see `no-restricted-imports` in `.oxlintrc.json`.
const { createServer } = process.getBuiltinModule('node:http');

export interface ServerBounds {
  /** From the first byte of a request to the end of its headers. */
  headersTimeoutMs: number;
  /** From the first byte of a request to the end of its body. */
  requestTimeoutMs: number;
  keepAliveTimeoutMs: number;
  /** How often connections are checked against the two request timeouts. */
  checkIntervalMs: number;
  maxHeaderBytes: number;
  /** Per address; when there are more, those that ask nothing give way. */
  maxConnections: number;
  /** How much more of a refused request is read, and how long, so that its sender sees why. */
  lingerBytes: number;
  lingerMs: number;
}

/** What every server of ours asks of Node's HTTP parser: bounds, and no leniency. */
function serverBounds(bounds: ServerBounds): ServerOptions {
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

const notAccepted: RepeatedKind = {
  name: 'connection not accepted',
  level: 'error',
  message: 'a connection could not be accepted',
  many: 'connections could not be accepted',
};

/** A server with the bounds that keep a slow, broken or hostile connection from hurting the others; listens nowhere yet. */
export function createBoundedServer(options: {
  bounds: ServerBounds;
  pool: ConnectionPool;
  repeatedLines: RepeatedLines;
  onRequest: (request: IncomingMessage, response: ServerResponse) => void;
}): Server {
  const { bounds, pool, repeatedLines, onRequest } = options;
  const server = createServer(serverBounds(bounds), onRequest);
  pool.attach(server);
  server.on('listening', () => {
    // Before that, an error is the answer to `listen`. From now on it is about one connection (no file descriptors).
    server.on('error', (error) => repeatedLines.note(notAccepted, undefined, { err: error }));
  });
  return server;
}

/** Why an address cannot be opened, as far as a person can do something about it. */
export type ListenFailureCode = 'port_in_use' | 'port_forbidden' | 'address_unknown' | 'other';

export type Opened =
  | { kind: 'open'; port: number; servers: Server[]; addresses: string[] }
  | { kind: 'failed'; code: ListenFailureCode; message: string; error: Error };

export interface OpenOptions {
  /** 0: any free port, the same one on each address. */
  port: number;
  /** Null: 127.0.0.1 and, where the machine has it, ::1. */
  host: string | null;
  makeServer: () => Server;
  onNoIpv6: () => void;
}

/** How many connections may wait to be accepted; where fewer fit, a burst makes the others try again a second later. */
const backlog = 4_096;
const ipv4Loopback = '127.0.0.1';
const ipv6Loopback = '::1';
/** With port 0: how often another port is tried because the one that IPv4 gave is taken on IPv6. */
const maxPortAttempts = 10;
/** What a machine without IPv6 says to `listen`. */
const noIpv6Codes = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);

/** Opens every address or none. */
export async function openSockets(options: OpenOptions): Promise<Opened> {
  const { port, host, makeServer } = options;
  if (host !== null && host !== 'localhost') {
    const server = makeServer();
    const error = await listen(server, port, unbracketed(host));
    if (error !== null) return listenFailure(error, port, host);
    const opened = portOf(server);
    return {
      kind: 'open',
      port: opened,
      servers: [server],
      addresses: [addressText(unbracketed(host), opened)],
    };
  }
  for (let attempt = 1; ; attempt += 1) {
    const opened = await openLoopback(options);
    const taken = opened.kind === 'failed' && opened.code === 'port_in_use';
    const again = taken && port === 0 && attempt < maxPortAttempts;
    if (!again) return opened;
  }
}

/** Stops accepting on `server`, closes its idle connections, and resolves when the last one has ended. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // `ERR_SERVER_NOT_RUNNING` is as good: it holds no port.
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}

/** Lets requests in flight finish for `graceMs`, then cuts what is left. Resolves when no connection is open. */
export async function closeServers(servers: readonly Server[], clock: Clock, graceMs: number): Promise<void> {
  const closed = Promise.all(servers.map(closeServer));
  const cancelCut = clock.after(graceMs, () => {
    for (const server of servers) server.closeAllConnections();
  });
  await closed;
  cancelCut();
}

async function openLoopback(options: OpenOptions): Promise<Opened> {
  const ipv4 = options.makeServer();
  const ipv4Error = await listen(ipv4, options.port, ipv4Loopback);
  if (ipv4Error !== null) return listenFailure(ipv4Error, options.port, ipv4Loopback);

  const port = portOf(ipv4);
  const addresses = [addressText(ipv4Loopback, port)];
  const ipv6 = options.makeServer();
  const ipv6Error = await listen(ipv6, port, ipv6Loopback);
  if (ipv6Error === null) {
    return {
      kind: 'open',
      port,
      servers: [ipv4, ipv6],
      addresses: [...addresses, addressText(ipv6Loopback, port)],
    };
  }
  if (noIpv6Codes.has(ipv6Error.code ?? '')) {
    options.onNoIpv6();
    return { kind: 'open', port, servers: [ipv4], addresses };
  }
  const closed = closeServer(ipv4);
  ipv4.closeAllConnections();
  await closed;
  return listenFailure(ipv6Error, port, ipv6Loopback);
}

function listen(server: Server, port: number, host: string): Promise<NodeJS.ErrnoException | null> {
  return new Promise((resolve) => {
    const onError = (error: NodeJS.ErrnoException) => resolve(error);
    server.once('error', onError);
    // Exclusive: a port shared with another process would split the POS's requests between the two.
    server.listen({ port, host, backlog, exclusive: true, ipv6Only: host === ipv6Loopback }, () => {
      server.off('error', onError);
      resolve(null);
    });
  });
}

function listenFailure(error: NodeJS.ErrnoException, port: number, host: string) {
  const code = failureCodeOf(error);
  return { kind: 'failed' as const, code, message: listenMessage(code, error, port, host), error };
}

function failureCodeOf(error: NodeJS.ErrnoException): ListenFailureCode {
  switch (error.code) {
    case 'EADDRINUSE':
      return 'port_in_use';
    case 'EACCES':
      return 'port_forbidden';
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'address_unknown';
    case undefined:
    default:
      return 'other';
  }
}

function listenMessage(code: ListenFailureCode, error: Error, port: number, host: string): string {
  switch (code) {
    case 'port_in_use':
      return `Port ${port} is used by another program. Choose another port, or close that program.`;
    case 'port_forbidden':
      return `Port ${port} may not be used: the system reserves it. Choose another port, above 1023.`;
    case 'address_unknown':
      return `This machine has no address "${host}". Correct the setting host, or leave it out to listen on 127.0.0.1.`;
    case 'other':
      return `The listener cannot open port ${port} on ${host}: ${error.message}.`;
  }
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function addressText(host: string, port: number): string {
  return `http://${bracketed(host)}:${port}`;
}

function unbracketed(host: string): string {
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
}
