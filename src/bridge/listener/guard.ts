/**
 * Who may call at all: checked for every request before anything else looks at it. One function, because every
 * request pays for it. What only commands need (token, version, body) is checked in `command-route.ts`.
 */
import type { IncomingMessage } from 'node:http';
import type { Chance } from '../../contract/chance.ts';
import type { Clock } from '../../contract/clock.ts';
import type { Log } from '../log/log.ts';
import type { Failure } from './answers.ts';
import type { Exchange } from './context.ts';
import { maxLoggedLength, maxRequestIdLength } from './limits.ts';
import { moneyCommandOf } from './payment-state.ts';

/** Visible ASCII without blanks: harmless in a header, a log line and a terminal. */
const requestIdPattern = new RegExp(`^[\\x21-\\x7e]{1,${maxRequestIdLength}}$`);
const wholeOriginPattern = /^https?:\/\/[^/*\s,]{1,190}$/;

/** A blocked host or origin is told once in this time, so that a page in a loop fills no log. */
const blockedQuietMs = 10_000;
const maxRememberedBlocked = 50;

/** Takes over the caller's request id if it is sane, or makes one. */
export function newExchange(request: IncomingMessage, clock: Clock, chance: Chance): Exchange {
  const given = request.headers['x-request-id'];
  const command = moneyCommandOf(request.url);
  return {
    requestId: typeof given === 'string' && requestIdPattern.test(given) ? given : chance.uuid(),
    arrivedAt: { nowMs: clock.now(), elapsedMs: clock.elapsed() },
    origin: null,
    path: 'other',
    money: command === null ? null : { command, reference: { kind: 'unread' } },
    gone: null,
    over: false,
    hungUp: () => request.socket.destroyed || request.socket.readableEnded,
  };
}

export interface GuardOptions {
  hosts: ReadonlySet<string>;
  /** Read with each request: its owner may change it while the listener runs. */
  allowedOrigins: readonly string[];
  log: Log;
  clock: Clock;
  onBlockedOrigin: (origin: string) => void;
}

/** Gives the reason to refuse, or null; notes an allowed origin in the exchange. */
export type Guard = (request: IncomingMessage, exchange: Exchange) => Failure | null;

export function createGuard(options: GuardOptions): Guard {
  const { hosts, allowedOrigins, log, onBlockedOrigin } = options;
  const quietly = createQuietTeller(options.clock);

  const tellHost = (host: string, exchange: Exchange) => {
    const shown = host.slice(0, maxLoggedLength);
    quietly(`host ${shown}`, () =>
      log.warn('Refused a request for a host that is not this listener', {
        host: shown,
        request_id: exchange.requestId,
      }),
    );
  };
  const tellOrigin = (origin: string, exchange: Exchange) => {
    const shown = origin.slice(0, maxLoggedLength);
    quietly(`origin ${shown}`, () => {
      log.warn('Blocked a web page whose origin is not on the list', {
        origin: shown,
        request_id: exchange.requestId,
      });
      if (wholeOriginPattern.test(origin)) onBlockedOrigin(origin);
    });
  };

  return (request, exchange) => {
    const { host, origin } = request.headers;
    if (host === undefined || (!hosts.has(host) && !hosts.has(host.toLowerCase()))) {
      tellHost(host ?? '', exchange);
      return hostNotAllowed(host);
    }
    if (origin !== undefined) {
      if (!allowedOrigins.includes(origin)) {
        tellOrigin(origin, exchange);
        return originNotAllowed(`The web page at ${quote(origin)} may not use this bridge.`);
      }
      exchange.origin = origin;
      return null;
    }
    // A page can make a browser send a GET without Origin (an image, a script). Following a link is left alone.
    const site = request.headers['sec-fetch-site'];
    if ((site === 'cross-site' || site === 'same-site') && !isFollowedLink(request)) {
      return originNotAllowed('A web page of another site made this request without saying its origin.');
    }
    return null;
  };
}

function isFollowedLink(request: IncomingMessage): boolean {
  return request.headers['sec-fetch-mode'] === 'navigate' && request.headers['sec-fetch-dest'] === 'document';
}

function hostNotAllowed(host: string | undefined): Failure {
  const named =
    host === undefined ? 'The request has no Host header' : `This bridge is not called ${quote(host)}`;
  return {
    code: 'host_not_allowed',
    message: `${named}. Use http://127.0.0.1 with the port of the listener, or add the name to the setting allowedHosts.`,
  };
}

function originNotAllowed(what: string): Failure {
  return {
    code: 'origin_not_allowed',
    message: `${what} Add the whole origin, such as "https://pos.example", to the setting allowedOrigins if it should.`,
  };
}

function quote(text: string): string {
  const short = text.length > maxLoggedLength ? `${text.slice(0, maxLoggedLength)}…` : text;
  return `"${short}"`;
}

/** Tells of what was refused, each thing once in a while and only so many, whatever a page does in a loop. */
function createQuietTeller(clock: Clock) {
  const toldAtMs = new Map<string, number>();
  return (what: string, tell: () => void): void => {
    const nowMs = clock.elapsed();
    const lastMs = toldAtMs.get(what);
    if (lastMs !== undefined && nowMs - lastMs < blockedQuietMs) return;
    toldAtMs.delete(what);
    toldAtMs.set(what, nowMs);
    for (const oldest of toldAtMs.keys()) {
      if (toldAtMs.size <= maxRememberedBlocked) break;
      toldAtMs.delete(oldest);
    }
    tell();
  };
}
