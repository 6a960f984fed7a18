/** Every bound of the listener, with its unit. Tests inject shorter ones; nothing else changes them. */
export interface ListenerLimits {
  /** From the first byte of a request to the end of its headers. */
  headersTimeoutMs: number;
  /** From the first byte of a request to the end of its body. A wait for the terminal is response time, not in it. */
  requestTimeoutMs: number;
  /** How long an idle connection is kept. Long, so that a POS rarely posts into one that is just being closed. */
  keepAliveTimeoutMs: number;
  /** How often connections are checked against the two request timeouts. */
  checkIntervalMs: number;
  maxHeaderBytes: number;
  /** Per address. */
  maxConnections: number;
  /** Requests in hand on one connection (HTTP/1.1 pipelining). */
  maxPipelined: number;
  /** After a body that is too large: how much more is read, and how long, so that the sender sees the answer. */
  lingerBytes: number;
  lingerMs: number;
  /** Requests that wait for a decision at once; beyond it `Prefer: wait` is not applied. */
  maxWaits: number;
  /** How long a stop lets voids, batch closes and cancels finish before they are answered with a time-out. */
  stopGraceMs: number;
  /** How long after that the remaining connections are cut. */
  stopCutMs: number;
  /** How old the knowledge of the file of POS tokens may be. */
  tokensAgeMs: number;
  maxEventStreams: number;
  /** A stream whose reader leaves more than this unread is dropped. */
  eventBufferBytes: number;
  /** Facts read from the journal at once during a replay. */
  eventReplayBatch: number;
  eventKeepAliveMs: number;
  /** How long a replay waits for a reader that does not read. */
  eventDrainMs: number;
}

export const defaultLimits: ListenerLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 20_000,
  keepAliveTimeoutMs: 65_000,
  checkIntervalMs: 5_000,
  maxHeaderBytes: 16 * 1024,
  maxConnections: 256,
  maxPipelined: 16,
  lingerBytes: 4 * 1024 * 1024,
  lingerMs: 2_000,
  maxWaits: 256,
  stopGraceMs: 5_000,
  stopCutMs: 1_000,
  tokensAgeMs: 100,
  maxEventStreams: 16,
  eventBufferBytes: 1024 * 1024,
  eventReplayBatch: 100,
  eventKeepAliveMs: 15_000,
  eventDrainMs: 30_000,
};

/** Longest request id that is taken over from a caller, in characters; longer ones are replaced. */
export const maxRequestIdLength = 128;
/** How much of a caller's own words (a path, a field name, an origin) goes into the log, in characters. */
export const maxLoggedLength = 200;
/** How many names of unknown fields go into the log. */
export const maxLoggedFields = 10;
