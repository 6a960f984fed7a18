import type { EventStreamLimits, ServerBounds } from '../../http/index.ts';

/** Every bound of the console's port, with its unit. Tests inject shorter ones; nothing else changes them. */
export interface ConsoleLimits extends ServerBounds, EventStreamLimits {
  maxBodyBytes: number;
  /** How long a file waits for a reader that does not read. */
  fileStallMs: number;
  /** How long a link waits to be opened. */
  linkLifeMs: number;
  /** How long a window may be closed, or asleep, before it needs another link. */
  idleWindowMs: number;
  maxLinks: number;
  maxWindows: number;
  /** How long a close lets requests in flight end before their connections are cut. */
  closeGraceMs: number;
}

export const defaultConsoleLimits: ConsoleLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 20_000,
  keepAliveTimeoutMs: 65_000,
  checkIntervalMs: 5_000,
  maxHeaderBytes: 16 * 1024,
  maxConnections: 128,
  maxBodyBytes: 256 * 1024,
  lingerBytes: 1024 * 1024,
  lingerMs: 2_000,
  maxEventStreams: 16,
  // One change can be 500 long log lines.
  eventBufferBytes: 4 * 1024 * 1024,
  eventKeepAliveMs: 15_000,
  fileStallMs: 30_000,
  linkLifeMs: 60 * 60_000,
  idleWindowMs: 12 * 60 * 60_000,
  maxLinks: 32,
  maxWindows: 64,
  closeGraceMs: 1_000,
};
