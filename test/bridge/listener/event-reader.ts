/** Reads `/events` as an EventSource does; the streams of a test end with it. */
import type { IncomingMessage } from 'node:http';
import { afterEach, expect } from 'vitest';
import { open } from './http.ts';

export interface Reader {
  response: IncomingMessage;
  /** `id`: the number in it. */
  events: { name: string; id: number | null; data: Record<string, unknown> }[];
  comments: string[];
  ended: boolean;
}

const readers: Reader[] = [];
afterEach(() => readers.splice(0).forEach(({ response }) => response.destroy()));

export async function read(port: number, headers: Record<string, string> = {}): Promise<Reader> {
  const response = await open(port, '/events', { headers });
  expect(response.statusCode).toBe(200);
  const reader: Reader = { response, events: [], comments: [], ended: false };
  readers.push(reader);
  let rest = '';
  response.setEncoding('utf8');
  response.on('data', (text: string) => {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) take(reader, block);
  });
  response.on('close', () => (reader.ended = true));
  response.on('error', () => {});
  return reader;
}

function take(reader: Reader, block: string) {
  const fields = new Map(
    block
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const data = fields.get('data');
  if (data === undefined) {
    reader.comments.push(block);
    return;
  }
  const id = fields.get('id');
  reader.events.push({
    name: fields.get('event') ?? 'message',
    id: id === undefined ? null : Number(id.split('-')[0]),
    data: JSON.parse(data) as Record<string, unknown>,
  });
}
