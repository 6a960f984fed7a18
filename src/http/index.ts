/** What our HTTP servers share: bounds, who may call and who gives way, bodies, server-sent events, bounded log lines. */
export {
  cutReading,
  endAndClose,
  hasBody,
  isEncoded,
  isJson,
  parseJsonObject,
  readBody,
  readJsonObject,
} from './body.ts';
export type { JsonRefusal, Linger } from './body.ts';
export { createConnectionPool } from './connection-pool.ts';
export type { ConnectionPool } from './connection-pool.ts';
export { createEventStreams, eventMessage, eventStreamType } from './event-streams.ts';
export type { EventStream, EventStreamLimits } from './event-streams.ts';
export {
  bracketed,
  foreignHost,
  hostValues,
  isFollowedLink,
  isFromForeignPage,
  isLoopback,
  nameInAddress,
} from './host-and-origin.ts';
export { createRepeatedLines } from './repeated-lines.ts';
export type { RepeatedKind, RepeatedLines } from './repeated-lines.ts';
export { requestIdOf } from './request-id.ts';
export { closeServer, closeServers, createBoundedServer, openSockets } from './servers.ts';
export type { ListenFailureCode, ServerBounds } from './servers.ts';
