import type { EventStreamLimits, ServerBounds } from '../../http/index.ts';

/** Every bound of the listener, with its unit. Tests inject shorter ones; nothing else changes them. */
export interface ListenerLimits extends ServerBounds, EventStreamLimits {
  /** Requests in flight on one connection (HTTP/1.1 pipelining). */
  maxPipelined: number;
  /**
   * Requests that wait for the terminal at once; beyond it they are answered with what is known. Half the connections, so
   * that those who wait keep nobody out.
   */
  maxLongPolls: number;
  /** How long a stop lets voids, batch closes and cancels finish before they are answered with a time-out. */
  stopGraceMs: number;
  /** How long after that the remaining connections are cut. */
  stopCutMs: number;
  /** How old the knowledge of the file of POS tokens may be. */
  tokensAgeMs: number;
  /** Events read from the journal at once during a replay. */
  eventReplayBatch: number;
  /** How long a replay waits for a reader that does not read. */
  eventDrainMs: number;
}

export const defaultListenerLimits: ListenerLimits = {
  headersTimeoutMs: 10_000,
  // A wait for the terminal is response time, and not in it.
  requestTimeoutMs: 20_000,
  // Long, so that a POS rarely posts into a connection that is just being closed.
  keepAliveTimeoutMs: 65_000,
  checkIntervalMs: 5_000,
  maxHeaderBytes: 16 * 1024,
  maxConnections: 256,
  maxPipelined: 16,
  lingerBytes: 4 * 1024 * 1024,
  lingerMs: 2_000,
  maxLongPolls: 128,
  stopGraceMs: 5_000,
  stopCutMs: 1_000,
  tokensAgeMs: 100,
  maxEventStreams: 16,
  eventBufferBytes: 1024 * 1024,
  eventReplayBatch: 100,
  eventKeepAliveMs: 15_000,
  eventDrainMs: 30_000,
};

/** How much of a caller's own words (a path, a field name, an origin) goes into the log, in characters. */
export const maxLoggedLength = 200;
/** How many names of unknown fields go into the log. */
export const maxLoggedFields = 10;
/** How much of a command's body and of its response goes into the log, in characters. */
export const maxLoggedBody = 2_000;
/** The same in lines that anybody can have written again and again: polls, repeats, refusals. */
export const maxRepeatedBody = 300;
