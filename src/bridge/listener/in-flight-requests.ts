/**
 * Which requests are in hand on which connection: so that a stop knows when the last one has its answer, and so that a
 * broken connection is never told "your request was malformed" in place of the answer to a payment.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Failure } from './answers.ts';
import { cutReading } from './body.ts';
import type { Exchange } from './context.ts';

export interface InFlightRequests {
  /** Called once for each connection, before its first request. */
  connected(socket: Duplex): void;
  /** False: this connection has too many in hand, or is not ours. */
  enter(request: IncomingMessage, response: ServerResponse, exchange: Exchange): boolean;
  /**
   * Nothing more can be read from `socket`: ends the reading of a body on it with `failure`, and calls once the requests
   * that are in hand on it have their answers. False: there are none.
   */
  broken(socket: Duplex, failure: Failure, whenAnswered: () => void): boolean;
  /** Resolves when none is in hand, or when `signal` aborts. */
  whenNone(signal: AbortSignal): Promise<void>;
}

export function createInFlightRequests(maxPipelined: number): InFlightRequests {
  const connections = new Map<Duplex, Map<Exchange, IncomingMessage>>();
  const broken = new Map<Duplex, () => void>();
  const waiting = new Set<() => void>();
  let count = 0;

  const leave = (socket: Duplex, exchanges: Map<Exchange, IncomingMessage>, exchange: Exchange) => {
    if (!exchanges.delete(exchange)) return;
    exchange.over = true;
    exchange.gone?.abort();
    count -= 1;
    if (exchanges.size === 0) broken.get(socket)?.();
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

    enter(request, response, exchange) {
      const exchanges = connections.get(request.socket);
      if (exchanges === undefined || exchanges.size >= maxPipelined) return false;
      exchanges.set(exchange, request);
      count += 1;
      response.on('close', () => leave(request.socket, exchanges, exchange));
      return true;
    },

    broken(socket, failure, whenAnswered) {
      if (broken.has(socket)) return true;
      const exchanges = connections.get(socket);
      if (exchanges === undefined || exchanges.size === 0) {
        whenAnswered();
        return false;
      }
      broken.set(socket, whenAnswered);
      for (const request of exchanges.values()) cutReading(request, failure);
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
