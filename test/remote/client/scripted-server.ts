/** A small HTTP server on loopback that answers as a test says, and remembers what came. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Heard {
  method: string;
  /** With the query. */
  path: string;
  headers: IncomingMessage['headers'];
  text: string;
  /** Null when it is not JSON. */
  json: unknown;
}

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  /** Sent as JSON, a string as it is. */
  body?: unknown;
}

/** "hang": no answer; "drop": the connection is cut. */
export type Script = (
  request: Heard,
  index: number,
) => Reply | 'hang' | 'drop' | Promise<Reply | 'hang' | 'drop'>;

export interface ScriptedServer {
  baseUrl: string;
  heard: Heard[];
  close(): Promise<void>;
}

export async function startScriptedServer(script: Script): Promise<ScriptedServer> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const one: Heard = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        text,
        json: jsonOf(text),
      };
      heard.push(one);
      void Promise.resolve(script(one, heard.length - 1)).then((reply) => {
        if (reply === 'hang') return;
        if (reply === 'drop') return void request.socket.destroy();
        const body = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? {});
        response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
        response.end(body);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    heard,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
