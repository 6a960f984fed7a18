/** One till on one connection that stays open, and how long each of its calls takes. */
import { Agent, request } from 'node:http';

export interface Answer {
  status: number;
  text: string;
  /** From the first byte of the request to the last one of the answer, in milliseconds. */
  tookMs: number;
}

export interface Caller {
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  get(path: string): Promise<Answer>;
  close(): void;
}

/** What every command carries; bare servers get the same. */
export const commandHeaders = { 'content-type': 'application/json', 'x-api-version': 'v1' };

export function createCaller(port: number): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });

  function call(
    method: string,
    path: string,
    body: string,
    headers: Record<string, string>,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const startedMs = performance.now();
      const outgoing = request(
        {
          agent,
          host: '127.0.0.1',
          port,
          method,
          path,
          headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        },
        (response) => {
          const pieces: Buffer[] = [];
          response.on('data', (piece: Buffer) => pieces.push(piece));
          response.on('error', reject);
          response.on('end', () => {
            const tookMs = performance.now() - startedMs;
            resolve({ status: response.statusCode ?? 0, text: Buffer.concat(pieces).toString(), tookMs });
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  return {
    post: (path, body, headers = {}) =>
      call('POST', path, JSON.stringify(body), { ...commandHeaders, ...headers }),
    get: (path) => call('GET', path, '', {}),
    close: () => agent.destroy(),
  };
}

/** The answer's body, or an error that shows it: a refused call is not a measurement. */
export function demandSuccess({ status, text }: Answer): Record<string, unknown> {
  if (status !== 200) throw new Error(`a call of the benchmark was answered with ${status}: ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}
