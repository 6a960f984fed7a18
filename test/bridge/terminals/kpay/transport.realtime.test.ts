/** Real connections on loopback: what is certain when a request gets no answer. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock as clock } from '../../../../src/base/clock.ts';
import { createHttpTransport } from '../../../../src/bridge/terminals/kpay/transport.ts';
import { maxBodyBytes } from '../../../../src/bridge/terminals/kpay/wire/index.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function serve(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<number> {
  const server = createServer(handle);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const message = {
  method: 'POST',
  uri: '/v2/pos/sales?a=%20',
  headers: { nonceStr: 'n' },
  body: Buffer.from('{"remark":"枱"}'),
} as const;
const never = new AbortController().signal;
const host = '127.0.0.1';

describe('a request to a terminal', () => {
  it('arrives with the bytes that were signed, and gives status and body', async () => {
    const seen: unknown[] = [];
    const port = await serve((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        seen.push([request.method, request.url, request.headers['noncestr'], Buffer.concat(parts)]);
        response.writeHead(201).end('{"code":1}');
      });
    });
    const result = await createHttpTransport({ host, port, clock }).send(message, never);
    expect(result).toStrictEqual({ kind: 'response', status: 201, body: Buffer.from('{"code":1}') });
    expect(seen).toStrictEqual([['POST', message.uri, 'n', message.body]]);
  });

  it('is certainly not sent where nobody listens', async () => {
    const port = await serve(() => {});
    const [server] = servers.splice(0);
    await new Promise((resolve) => server?.close(resolve));
    const result = await createHttpTransport({ host, port, clock }).send(message, never);
    expect(result.kind).toBe('not_sent');
  });

  it('is certainly not sent when it was no longer wanted before', async () => {
    const port = await serve(() => {});
    const result = await createHttpTransport({ host, port, clock }).send(message, AbortSignal.abort());
    expect(result.kind).toBe('not_sent');
  });

  it.each<[string, (request: IncomingMessage, response: ServerResponse) => void]>([
    ['is reset after the request', (request) => request.socket.resetAndDestroy()],
    [
      'is closed in the middle of the answer',
      (request, response) => {
        response.writeHead(200, { 'Content-Length': 10 }).write('{');
        setImmediate(() => request.socket.destroy());
      },
    ],
    [
      'brings more than an answer can be',
      (_request, response) => void response.end('x'.repeat(maxBodyBytes + 1)),
    ],
  ])('has no answer when the connection %s', async (_what, handle) => {
    const port = await serve(handle);
    const result = await createHttpTransport({ host, port, clock }).send(message, never);
    expect(result.kind).toBe('no_answer');
  });

  it('is taken back when nobody waits for its answer any more: the connection is reset, not closed', async () => {
    const ended = Promise.withResolvers<string>();
    const port = await serve(({ socket }) => {
      socket.on('end', () => ended.resolve('closed'));
      socket.on('error', (error: NodeJS.ErrnoException) => ended.resolve(error.code ?? error.message));
    });
    const transport = createHttpTransport({ host, port, clock, answerTimeoutMs: 20 });
    expect(await transport.send(message, never)).toMatchObject({ kind: 'no_answer' });
    expect(await ended.promise).toBe('ECONNRESET');
  });

  it('has no answer from a terminal that is silent for too long, or that nobody waits for', async () => {
    const stop = new AbortController();
    const port = await serve((request) => {
      if (request.url === '/stop') stop.abort();
    });
    const transport = createHttpTransport({ host, port, clock, answerTimeoutMs: 20 });
    expect(await transport.send(message, never)).toMatchObject({ kind: 'no_answer' });
    const patient = createHttpTransport({ host, port, clock });
    expect(await patient.send({ ...message, uri: '/stop' }, stop.signal)).toMatchObject({
      kind: 'no_answer',
    });
  });
});
