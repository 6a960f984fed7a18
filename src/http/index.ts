/** What our HTTP servers share: addresses, host names, bounds, who gives way, and lines that nobody can flood. */
export { createConnectionPool } from './connection-pool.ts';
export type { ConnectionPool } from './connection-pool.ts';
export { bracketed, hostValues, isLoopback } from './hosts.ts';
export { gaveWay, notAccepted } from './kinds.ts';
export { endAfterLinger, hasBody } from './linger.ts';
export { createRepeatedLines } from './repeated-lines.ts';
export type { RepeatedKind, RepeatedLines } from './repeated-lines.ts';
export { serverBounds } from './server-bounds.ts';
export type { ServerBounds } from './server-bounds.ts';
export { closeServer, openSockets } from './sockets.ts';
export type { ListenFailureCode } from './sockets.ts';
