/** Processes of the head office on one database, and bridges that join them and send. */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { enrolResponseSchema, eventsType, knownPlaceSchema, officePaths } from '../../src/contract/office.ts';
import type { Bench } from '../world/bench.ts';
import { builtBridge } from '../world/bundle.ts';
import { startServer, type Server } from '../world/processes.ts';
import type { Batch } from './day-of-shop.ts';

export interface RunningOffice extends Server {
  base: string;
  /** The administrator's, for everything but the bridges' own paths. */
  key: string;
}

export async function startOffices(bench: Bench, url: string, count: number): Promise<RunningOffice[]> {
  const offices: RunningOffice[] = [];
  for (let i = 0; i < count; i += 1) {
    const folder = bench.folder();
    const options = ['office', `--database=${url}`, '--port=0', `--data-dir=${folder}`];
    const server = await startServer(bench, [builtBridge(), ...options]);
    const key = readFileSync(join(folder, 'administrator-key'), 'utf8').trim();
    offices.push({ ...server, base: `http://127.0.0.1:${server.port}`, key });
  }
  return offices;
}

/** A bridge of the shop of this name: where it sends, and with which key. */
export interface JoinedBridge {
  base: string;
  key: string;
}

export async function joinOffice({ base, key }: RunningOffice, shop: string): Promise<JoinedBridge> {
  const { code } = (await post(`${base}/office/v1/codes`, key, { shop })) as { code: string };
  const joined = await post(`${base}${officePaths.enrol}`, '', { code, computer: 'till', version: '0' });
  return { base, key: enrolResponseSchema.parse(joined).key };
}

/** A batch whose lines are compressed already: bridges do that on computers of their own. */
export interface PackedBatch extends Omit<Batch, 'lines'> {
  packed: Buffer;
}

export function* packed(batches: Iterable<Batch>): Generator<PackedBatch> {
  for (const batch of batches) yield pack(batch);
}

function pack({ lines, ...batch }: Batch): PackedBatch {
  return { ...batch, packed: gzipSync(lines, { level: 1 }) };
}

/** One batch after the other, as a bridge does it. Rejects with what the office says when it does not take one. */
export async function sendAll(
  { base, key }: JoinedBridge,
  batches: Iterable<PackedBatch>,
  onSent: (batch: PackedBatch) => void = () => {},
): Promise<void> {
  const path = officePaths.events({ terminal: 'main', simulated: false });
  let chain: string | null = null;
  for (const batch of batches) {
    const head = `${JSON.stringify({ chain, after: batch.after })}\n`;
    // Two members of one gzip file: only the office knows the name of the chain in the first.
    const answer = await sendBatch(`${base}${path}`, key, [gzipSync(head), batch.packed]);
    ({ chain } = knownPlaceSchema.parse(JSON.parse(answer)));
    onSent(batch);
  }
}

const connections = new Agent({ keepAlive: true });

/** The answer. Not by `fetch`, which takes several times the work: a bridge is on another computer than the office. */
function sendBatch(url: string, key: string, members: readonly Buffer[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': eventsType,
      'content-encoding': 'gzip',
      'content-length': members.reduce((size, member) => size + member.length, 0),
    };
    const outgoing = request(url, { method: 'POST', agent: connections, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.on('error', reject);
      response.on('end', () => (response.statusCode === 200 ? resolve(text) : reject(new Error(text))));
    });
    outgoing.on('error', reject);
    for (const member of members) outgoing.write(member);
    outgoing.end();
  });
}

async function post(url: string, key: string, body: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return await response.json();
}
