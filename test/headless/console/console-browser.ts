/** HTTP as a test wants it: every header as given (fetch would choose Host, Origin and Sec-Fetch-* by itself). */
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { linkMark } from '../../../src/contract/console/index.ts';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Parsed; throws where it is no JSON. */
  json(): unknown;
}

export interface Asking {
  method?: string;
  host?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  address?: string;
}

/** One request on a connection of its own; resolves with the answer's head. */
export function open(port: number, path: string, asking: Asking = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        agent: false,
        host: asking.address ?? '127.0.0.1',
        port,
        path,
        method: asking.method ?? 'GET',
        setHost: false,
        headers: { host: asking.host ?? `127.0.0.1:${port}`, ...asking.headers },
      },
      resolve,
    );
    request.on('error', reject);
    request.end(asking.body);
  });
}

export async function invoke(port: number, path: string, asking: Asking = {}): Promise<Answer> {
  const response = await open(port, path, asking);
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece as Buffer);
  const text = Buffer.concat(pieces).toString();
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    json: () => JSON.parse(text) as unknown,
  };
}

/** What the page does with the link that opened it. */
export function enter(link: string, headers: Record<string, string> = {}): Promise<Answer> {
  const { port, hash } = new URL(link);
  const body = JSON.stringify({ link: hash.slice(linkMark.length) });
  return invoke(Number(port), '/api/enter', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

/** Opens the link; gives what the page then shows with each request, as the header `Authorization`. */
export async function enteredBy(link: string): Promise<string> {
  const answer = await enter(link);
  const { value } = answer.json() as { value: { secret: string } };
  return `Bearer ${value.secret}`;
}

/** The events of a stream as they come; `next` gives the data of the next one, `null` when the stream is over. */
export function eventsOf(response: IncomingMessage): { next(): Promise<unknown> } {
  let text = '';
  const pieces = response[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  return {
    async next() {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end === -1) {
          const piece = await pieces.next().catch(() => ({ done: true, value: undefined }) as const);
          if (piece.done === true || piece.value === undefined) return null;
          text += piece.value.toString();
          continue;
        }
        const event = text.slice(0, end);
        text = text.slice(end + 2);
        if (event.startsWith('data: ')) return JSON.parse(event.slice('data: '.length)) as unknown;
      }
    },
  };
}
