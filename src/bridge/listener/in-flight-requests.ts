/**
 * Which requests are in flight on which connection: so that a stop knows when the last one has its response, and so that a
 * broken connection is never told "your request was malformed" in place of the response to a payment.
 */
import type { Refusal } from '../../contract/errors.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { cutReading } from './body.ts';
import type { RequestContext } from './listener-context.ts';

export interface InFlightRequests {
  /** Called once for each connection, before its first request. */
  connected(socket: Duplex): void;
  /** False: this connection has too many in flight, or is not ours. */
  enter(request: IncomingMessage, response: ServerResponse, requestContext: RequestContext): boolean;
  /**
   * Nothing more can be read from `socket`: ends the reading of a body on it with `failure`, and calls once the requests
   * that are in flight on it have their responses. False: there are none.
   */
  broken(socket: Duplex, refusal: Refusal, whenAnswered: () => void): boolean;
  /** Resolves when none is in flight, or when `signal` aborts. */
  whenNone(signal: AbortSignal): Promise<void>;
}

export function createInFlightRequests(maxPipelined: number): InFlightRequests {
  const connections = new Map<Duplex, Map<RequestContext, IncomingMessage>>();
  const broken = new Map<Duplex, () => void>();
  const waiting = new Set<() => void>();
  let count = 0;

  const leave = (
    socket: Duplex,
    requests: Map<RequestContext, IncomingMessage>,
    requestContext: RequestContext,
  ) => {
    if (!requests.delete(requestContext)) return;
    requestContext.over = true;
    requestContext.gone?.abort();
    count -= 1;
    if (requests.size === 0) broken.get(socket)?.();
    if (count === 0) for (const resolve of waiting) resolve();
  };

  return {
    connected(socket) {
      connections.set(socket, new Map());
      socket.on('close', () => {
        connections.delete(socket);
        broken.delete(socket);
      });
    },

    enter(request, response, requestContext) {
      const requests = connections.get(request.socket);
      if (requests === undefined || requests.size >= maxPipelined) return false;
      requests.set(requestContext, request);
      count += 1;
      response.on('close', () => leave(request.socket, requests, requestContext));
      return true;
    },

    broken(socket, refusal, whenAnswered) {
      if (broken.has(socket)) return true;
      const requests = connections.get(socket);
      if (requests === undefined || requests.size === 0) {
        whenAnswered();
        return false;
      }
      broken.set(socket, whenAnswered);
      for (const request of requests.values()) cutReading(request, refusal);
      return true;
    },

    whenNone(signal) {
      return new Promise((resolve) => {
        if (count === 0 || signal.aborted) return resolve();
        const done = () => {
          waiting.delete(done);
          signal.removeEventListener('abort', done);
          resolve();
        };
        waiting.add(done);
        signal.addEventListener('abort', done);
      });
    },
  };
}
