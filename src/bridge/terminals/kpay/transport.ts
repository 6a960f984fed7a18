/** One HTTP request to a terminal, and what is certain about it when no answer comes. */
import { type Clock, peerDeadline } from '../../../base/clock.ts';
import { connectErrorMessage } from '../../../base/connect-error.ts';
import { errorText } from '../../../base/error-text.ts';
import type { RequestTransport, TransportResult } from '../framing/index.ts';
import { maxBodyBytes } from './wire/index.ts';

const { request } = process.getBuiltinModule('node:http');

export type {
  RequestTransport as KpayTransport,
  SentRequest as KpayRequest,
  TransportResult,
} from '../framing/index.ts';

export interface HttpTransportOptions {
  host: string;
  port: number;
  clock: Clock;
  /** How long a connection may take to be made, in milliseconds. */
  connectTimeoutMs?: number;
  /** How long the whole answer may take from then on, in milliseconds. */
  answerTimeoutMs?: number;
}

/**
 * Plain HTTP, as terminals speak it on the shop's network. Each request has a connection of its own, and is written only
 * once that stands: on one that is used again, nobody could tell a request that was lost with it from one that was never
 * taken.
 */
export function createHttpTransport(options: HttpTransportOptions): RequestTransport {
  const { host, port, clock, connectTimeoutMs = 3_000, answerTimeoutMs = 10_000 } = options;
  return {
    send: (message, signal) =>
      new Promise((resolve) => {
        let written = false;
        let cancelDeadline = () => {};
        const sending = request({
          host,
          port,
          method: message.method,
          path: message.uri,
          agent: false,
          headers: {
            ...message.headers,
            Connection: 'close',
            ...(message.body === null ? {} : { 'Content-Length': message.body.length }),
          },
        });
        const finish = (result: TransportResult) => {
          cancelDeadline();
          signal.removeEventListener('abort', onAbort);
          sending.destroy();
          resolve(result);
        };
        const fail = (reason: string) => {
          // Closed in the usual way, the system would go on delivering what it still has: long after it was asked about.
          if (written) sending.socket?.resetAndDestroy();
          finish({ kind: written ? 'no_answer' : 'not_sent', reason });
        };
        const onAbort = () => fail('it was no longer wanted');
        const startDeadline = (delayMs: number, reason: string) => {
          cancelDeadline();
          cancelDeadline = peerDeadline(clock, delayMs, () => fail(reason));
        };

        const address = `${host}:${port}`;
        sending.on('error', (error) =>
          fail(
            written
              ? errorText(error)
              : connectErrorMessage(error, { host, address, platform: process.platform }),
          ),
        );
        sending.on('socket', (socket) =>
          socket.once('connect', () => {
            if (sending.destroyed) return;
            startDeadline(answerTimeoutMs, `the terminal has not answered within ${answerTimeoutMs} ms`);
            written = true;
            sending.end(message.body ?? undefined);
          }),
        );
        sending.on('response', (response) => {
          const parts: Uint8Array[] = [];
          let length = 0;
          response.on('data', (part: Uint8Array) => {
            length += part.length;
            if (length > maxBodyBytes) fail(`the answer is longer than ${maxBodyBytes} bytes`);
            else parts.push(part);
          });
          response.on('error', (error) => fail(errorText(error)));
          response.on('close', () => {
            // Half an answer is none.
            if (!response.complete) return fail('the answer broke off');
            finish({ kind: 'response', status: response.statusCode ?? 0, body: Buffer.concat(parts) });
          });
        });
        signal.addEventListener('abort', onAbort);
        if (signal.aborted) onAbort();
        else startDeadline(connectTimeoutMs, `no connection within ${connectTimeoutMs} ms`);
      }),
  };
}
