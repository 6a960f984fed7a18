/** What the parts of the listener share, and what they know of one request. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import type { RepeatedLines } from '../../http/index.ts';
import type { Log } from '../../log/index.ts';
import type { MoneyCommand } from '../payments/index.ts';
import type { ListenerLimits } from './listener-limits.ts';
import type { ListenerMetrics } from './metrics.ts';
import type { RecentCalls } from './recent-calls.ts';
import type { ListenerTerminal, TerminalTable } from './terminal-table.ts';
import type { TokenGuard } from './token-guard.ts';

/** Somebody who watches what callers do: the examination of a POS. Calls are synchronous and must not throw. */
export interface CallObserver {
  /** A request has come; nothing has looked at it yet, nor read its body. */
  came(response: ListenerResponse): void;
  /** Its response is about to be written, unless the caller is hung up on now. */
  answering(response: ListenerResponse): void;
}

export interface ListenerContext {
  /** Null: nobody watches. */
  readonly observer: CallObserver | null;
  readonly terminals: TerminalTable;
  readonly log: Log;
  /** For lines that any caller can cause as often as it likes. */
  readonly repeatedLines: RepeatedLines;
  /** The same for QueryPayment, which a till may well send again and again. */
  readonly queryLines: RepeatedLines;
  readonly clock: Clock;
  readonly version: string;
  readonly limits: ListenerLimits;
  readonly makeReferences: boolean;
  readonly tokens: TokenGuard;
  readonly metrics: ListenerMetrics;
  readonly recentCalls: RecentCalls;
  /** Of the present run; a new one at each start. */
  readonly shutdown: () => ShutdownSignal;
  readonly port: () => number | null;
  /** True while no real money moves; every response says so. */
  readonly simulated: () => boolean;
}

/** What is known of the reference that a command names. */
export type NamedReference =
  /** Nothing of the body is known, or what stands there has not the form of a reference. */
  { kind: 'unread' } | { kind: 'none' } | { kind: 'read'; reference: string };

/** One request and its response. */
export interface RequestContext {
  readonly requestId: string;
  /** Both clocks at its arrival, in milliseconds. */
  readonly arrivedAt: { nowMs: number; elapsedMs: number };
  /** The allowed origin that made it; null where the caller is no web page. */
  origin: string | null;
  /** The path that it is counted under; `other` until one of ours has taken it. */
  path: string;
  /** The terminal that a command is for; null for the other requests, and until it is known. */
  terminal: ListenerTerminal | null;
  /** What it asks for, and what is known of its reference; null where it moves no money. */
  readonly money: { readonly command: MoneyCommand; reference: NamedReference } | null;
  /** Aborted when the caller has gone or has its response. Made on demand, because few requests wait. */
  gone: AbortController | null;
  over: boolean;
  /** What it asked, as JSON: the fields that its command knows. Absent until they have been read. */
  asked?: () => string;
  /** The body of its response, as it was sent. */
  answered?: string;
  /** The caller has closed its end of the connection, as far as what has arrived tells. */
  readonly hungUp: () => boolean;
}

/** Node's own, because the usual requests do not come through Express. */
export type ListenerRequest = IncomingMessage;
export type ListenerResponse = ServerResponse & {
  req: IncomingMessage;
  locals: { requestContext: RequestContext };
};

/** The signal that ends what a request waits for once its caller has gone. */
export function goneSignal(requestContext: RequestContext): AbortSignal {
  requestContext.gone ??= new AbortController();
  if (requestContext.over) requestContext.gone.abort();
  return requestContext.gone.signal;
}

/**
 * The end of one run of the listener, in two steps: `began` ends what only waits (event streams, `Prefer: wait`),
 * `cutOff` ends what was allowed to finish.
 */
export interface ShutdownSignal {
  readonly began: AbortSignal;
  readonly cutOff: AbortSignal;
  begin(): void;
  cut(): void;
}

export function createShutdownSignal(): ShutdownSignal {
  const began = new AbortController();
  const cutOff = new AbortController();
  return {
    began: began.signal,
    cutOff: cutOff.signal,
    begin: () => began.abort(),
    cut() {
      began.abort();
      cutOff.abort();
    },
  };
}
