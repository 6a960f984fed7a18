/** HTTP as rough as the tests need it: any header, any bytes, and the answer as it came. */
import { Agent, request } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  json: Record<string, unknown> & {
    code?: string;
    message?: string;
    issues?: { path: string; message: string }[];
  };
}

export interface HttpCall {
  method?: string;
  headers?: Record<string, string | string[]>;
  /** Taken away from the usual headers. */
  without?: string[];
  body?: string | Buffer | undefined;
  agent?: Agent;
  signal?: AbortSignal;
  address?: string;
}

const usualHeaders = { 'content-type': 'application/json', 'x-api-version': 'v1' };

/** Posts `body` as JSON (a string or buffer goes as it is) with the usual headers. */
export function post(port: number, path: string, body: unknown, call: HttpCall = {}): Promise<HttpAnswer> {
  const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const headers: Record<string, string | string[]> = {
    ...usualHeaders,
    'content-length': `${Buffer.byteLength(text)}`,
    ...call.headers,
  };
  for (const name of call.without ?? []) delete headers[name];
  return send(port, path, { ...call, method: call.method ?? 'POST', headers, body: text });
}

export async function send(port: number, path: string, call: HttpCall = {}): Promise<HttpAnswer> {
  const response = await open(port, path, call);
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    json:
      response.headers['content-type']?.startsWith('application/json') === true && text !== ''
        ? JSON.parse(text)
        : {},
  };
}

/** The answer as soon as its head is there. */
export function open(port: number, path: string, call: HttpCall = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body, agent, signal, address = '127.0.0.1' } = call;
    const sent = request({
      host: address,
      port,
      path,
      method,
      headers,
      agent: agent ?? false,
      ...(signal === undefined ? {} : { signal }),
    });
    sent.on('response', resolve);
    sent.on('error', reject);
    if (body !== undefined && headers['expect'] === undefined) sent.write(body);
    if (headers['expect'] !== undefined) sent.on('continue', () => sent.end(body));
    else sent.end();
  });
}

/** Sends bytes as they are, and gives everything that comes back until the other side closes. */
export function raw(port: number, ...parts: (string | Buffer)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = rawSocket(port);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    for (const part of parts) socket.write(part);
  });
}

export function rawSocket(port: number): Socket {
  return connect({ host: '127.0.0.1', port });
}

/** The bytes of a good CreatePayment, for raw connections. */
export function rawPost(port: number, path: string, body: string, extra = ''): string {
  return (
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nx-api-version: v1\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\n${extra}\r\n${body}`
  );
}
