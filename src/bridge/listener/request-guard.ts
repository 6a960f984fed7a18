/**
 * Who may call at all: checked for every request before anything else looks at it. One function, because every
 * request pays for it. What only commands need (token, version, body) is checked in `command-route.ts`.
 */
import type { Refusal } from '../../contract/errors.ts';
import type { IncomingMessage } from 'node:http';
import { printableLine } from '../../base/printable-text.ts';
import type { Chance } from '../../base/chance.ts';
import type { Clock } from '../../base/clock.ts';
import {
  foreignHost,
  isFollowedLink,
  isFromForeignPage,
  requestIdOf,
  type RepeatedKind,
  type RepeatedLines,
} from '../../http/index.ts';
import type { RequestContext } from './listener-context.ts';
import { holdsCardNumber, maskCardNumbers } from '../../log/index.ts';
import { maxLoggedLength } from './listener-limits.ts';
import { moneyCommandOf } from './payment-state.ts';

const wholeOriginPattern = /^https?:\/\/[^/*\s,]{1,190}$/;

/** A blocked origin is told once in this time, and so many of them, so that a page in a loop keeps no console busy. */
const blockedQuietMs = 10_000;
const maxRememberedBlocked = 20;

const foreignHostLines: RepeatedKind = {
  name: 'host',
  level: 'warn',
  message: 'refused a request for a host that is not this listener',
  many: 'requests for a host that is not this listener were refused',
};
const foreignOriginLines: RepeatedKind = {
  name: 'origin',
  level: 'warn',
  message: 'blocked a web page whose origin is not on the list',
  many: 'requests of web pages whose origin is not on the list were blocked',
};
const hiddenOriginLines: RepeatedKind = {
  name: 'hidden origin',
  level: 'warn',
  message: 'blocked a web page of another site that did not say its origin',
  many: 'requests of web pages that did not say their origin were blocked',
};

export function newRequestContext(request: IncomingMessage, clock: Clock, chance: Chance): RequestContext {
  const command = moneyCommandOf(request.url);
  return {
    requestId: requestIdOf(request.headers['x-request-id'], chance),
    arrivedAt: { nowMs: clock.now(), elapsedMs: clock.elapsed() },
    origin: null,
    path: 'other',
    terminal: null,
    money: command === null ? null : { command, reference: { kind: 'unread' } },
    gone: null,
    over: false,
    hungUp: () => request.socket.destroyed || request.socket.readableEnded,
  };
}

export interface RequestGuardOptions {
  hosts: ReadonlySet<string>;
  /** Read with each request: they may change while the listener runs. */
  allowedOrigins: () => readonly string[];
  repeatedLines: RepeatedLines;
  clock: Clock;
  onBlockedOrigin: (origin: string) => void;
}

/** Gives the reason to refuse, or null; notes an allowed origin in the request's context. */
export type RequestGuard = (request: IncomingMessage, requestContext: RequestContext) => Refusal | null;

export function createRequestGuard(options: RequestGuardOptions): RequestGuard {
  const { hosts, allowedOrigins, repeatedLines, onBlockedOrigin } = options;
  const seldom = createSeldom(options.clock);
  const isOurs = (host: string) => hosts.has(host) || hosts.has(host.toLowerCase());

  const noteOrigin = (origin: string, requestContext: RequestContext) => {
    const shown = maskCardNumbers(origin).slice(0, maxLoggedLength);
    repeatedLines.note(foreignOriginLines, origin, { origin: shown, request_id: requestContext.requestId });
    if (wholeOriginPattern.test(origin) && !holdsCardNumber(origin))
      seldom(origin, () => onBlockedOrigin(origin));
  };

  return (request, requestContext) => {
    const foreign = foreignHost(request, isOurs);
    if (foreign !== null) {
      const { host } = foreign;
      const shown = host === undefined ? undefined : maskCardNumbers(host).slice(0, maxLoggedLength);
      repeatedLines.note(foreignHostLines, shown, {
        host: shown ?? '',
        request_id: requestContext.requestId,
      });
      return hostNotAllowed(shown);
    }
    const { origin } = request.headers;
    if (origin !== undefined) {
      if (!allowedOrigins().includes(origin)) {
        noteOrigin(origin, requestContext);
        return originNotAllowed(`The web page at ${quote(origin)} may not use this bridge.`);
      }
      requestContext.origin = origin;
      return null;
    }
    if (isFromForeignPage(request) && !isFollowedLink(request)) {
      repeatedLines.note(hiddenOriginLines, request.headers['user-agent'], {
        request_id: requestContext.requestId,
      });
      return originNotAllowed('A web page of another site made this request without saying its origin.');
    }
    return null;
  };
}

function hostNotAllowed(host: string | undefined): Refusal {
  const named =
    host === undefined ? 'The request has no Host header' : `This bridge is not called ${quote(host)}`;
  return {
    code: 'host_not_allowed',
    message: `${named}. Use http://127.0.0.1 with the port of the listener, or add the name to the setting allowedHosts.`,
  };
}

function originNotAllowed(what: string): Refusal {
  return {
    code: 'origin_not_allowed',
    message: `${what} Add the whole origin, such as "https://pos.example", to the setting allowedOrigins if it should.`,
  };
}

function quote(text: string): string {
  return `"${printableLine(maskCardNumbers(text), maxLoggedLength)}"`;
}

/** Calls once in a while for each thing, and only so often for all of them, whatever a page does in a loop. */
function createSeldom(clock: Clock) {
  const calledAtMs = new Map<string, number>();
  return (what: string, call: () => void): void => {
    const nowMs = clock.elapsed();
    for (const [oldest, atMs] of calledAtMs) {
      if (nowMs - atMs < blockedQuietMs) break;
      calledAtMs.delete(oldest);
    }
    if (calledAtMs.has(what) || calledAtMs.size >= maxRememberedBlocked) return;
    calledAtMs.set(what, nowMs);
    call();
  };
}
