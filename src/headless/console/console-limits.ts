/** Every bound of the console's port, with its unit. Tests inject shorter ones; nothing else changes them. */
export interface ConsoleLimits {
  /** From the first byte of a request to the end of its headers. */
  headersTimeoutMs: number;
  /** From the first byte of a request to the end of its body. */
  requestTimeoutMs: number;
  keepAliveTimeoutMs: number;
  /** How often connections are checked against the two request timeouts. */
  checkIntervalMs: number;
  maxHeaderBytes: number;
  /** Per address. */
  maxConnections: number;
  maxBodyBytes: number;
  maxStreams: number;
  /** A stream whose reader leaves more than this unread is dropped. One change can be 500 long log lines. */
  streamBufferBytes: number;
  streamKeepAliveMs: number;
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
  maxStreams: 16,
  streamBufferBytes: 4 * 1024 * 1024,
  streamKeepAliveMs: 15_000,
  fileStallMs: 30_000,
  linkLifeMs: 60 * 60_000,
  idleWindowMs: 12 * 60 * 60_000,
  maxLinks: 32,
  maxWindows: 64,
  closeGraceMs: 1_000,
};
