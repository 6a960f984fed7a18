/** A listener for the fuzzer: real sockets, payments in memory that are approved at once, and no log. */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { createListener } from '../../../src/bridge/listener/index.ts';
import { silentLog } from '../../../src/log/log.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { errorCodes } from '../../../src/contract/errors.ts';
import { createMemoryPayments, type MemoryPayments } from '../../support/memory-payments.ts';
import { seededChance } from '../../support/random.ts';

export interface FuzzedListener {
  readonly port: number;
  readonly payments: MemoryPayments;
  close(): Promise<void>;
}

export async function openFuzzedListener(): Promise<FuzzedListener> {
  const payments = createMemoryPayments(systemClock);
  const listener = createListener({
    payments,
    log: silentLog,
    clock: systemClock,
    chance: seededChance(systemClock),
    version: '1.2.3',
    port: 0,
    host: '127.0.0.1',
    allowedHosts: ['fuzz'],
    allowedOrigins: ['https://pos.example'],
    currency: 'EUR',
    makeReferences: false,
    tokensFile: null,
  });
  payments.subscribe((paymentsEvent) => {
    if (paymentsEvent.kind !== 'journal_event') return;
    const { event } = paymentsEvent.stored;
    // A wait would only make the fuzzer wait.
    if (event.type === 'operation_started' && event.kind === 'sale')
      payments.decide(event.reference, 'approved');
  });
  const started = await listener.start();
  if (started.kind === 'failed') throw new Error(started.message);
  return { port: started.port, payments, close: () => listener.stop() };
}

/** Everything that comes back until the connection is closed; `send` is called when it is open. */
export function everythingFrom(
  port: number,
  send: (socket: Socket) => void | Promise<void>,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
    const chunks: Buffer[] = [];
    socket.setTimeout(maxSilenceMs, () => {
      socket.destroy();
      reject(new Error(`The connection was not closed within ${maxSilenceMs} ms.`));
    });
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('end', () => socket.end());
    socket.on('error', () => {});
    socket.on('close', () => resolve(Buffer.concat(chunks)));
    socket.on('connect', () => void send(socket));
  });
}

/** More than any bound of a request. */
const maxSilenceMs = 60_000;

export interface Answered {
  status: number;
  body: string;
}

const statusLine = /^HTTP\/1\.1 (\d{3}) [ -~]*$/;
const headerLine = /^([A-Za-z0-9-]+): ([\x20-\x7e]*)$/;

/** Reads `bytes` as whole HTTP/1.1 answers, one after the other, and throws where they are none. */
export function readAnswers(bytes: Buffer): Answered[] {
  const answers: Answered[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n');
    assert.ok(end !== -1, `no whole head: ${rest.toString('latin1').slice(0, 200)}`);
    const [first = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    rest = rest.subarray(end + 4);
    const status = Number(statusLine.exec(first)?.[1]);
    assert.ok(status >= 100 && status < 600, `no status line: ${first}`);
    const headers = new Map<string, string>();
    for (const line of lines) {
      const [, name, value] = headerLine.exec(line) ?? [];
      assert.ok(name !== undefined && value !== undefined, `no header: ${line}`);
      headers.set(name.toLowerCase(), value);
    }
    if (status === 100) continue;
    assert.equal(status === 500, false, 'a fault of the bridge');
    const chunked = headers.get('transfer-encoding') === 'chunked';
    const given = headers.get('content-length');
    // Without a length a body goes on until the connection ends (HTTP/1.0), and some answers have none.
    const length = given !== undefined ? Number(given) : status === 204 ? 0 : rest.length;
    // A HEAD has the length of what it leaves out; the next answer, or nothing, follows at once.
    const leftOut = !chunked && (rest.length === 0 || rest.subarray(0, 9).toString('latin1') === 'HTTP/1.1 ');
    const [body, after] = chunked
      ? readChunks(rest)
      : leftOut
        ? ['', rest]
        : [rest.subarray(0, length), rest.subarray(length)];
    if (!chunked && !leftOut) assert.equal(body.length, length, 'the body is as long as its length says');
    rest = after;
    const text = body.toString('utf8');
    if (text !== '' && headers.get('content-type')?.startsWith('application/json') === true)
      checkJson(text, status);
    answers.push({ status, body: text });
  }
  return answers;
}

/** Chunks up to their end, or as many as there are of a stream that was broken off. */
function readChunks(bytes: Buffer): [Buffer, Buffer] {
  const pieces: Buffer[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n');
    const size = Number.parseInt(rest.subarray(0, end).toString('latin1'), 16);
    assert.ok(end !== -1 && Number.isInteger(size), 'a chunk has a size');
    pieces.push(rest.subarray(end + 2, end + 2 + size));
    rest = rest.subarray(end + 2 + size + 2);
    if (size === 0) break;
  }
  return [Buffer.concat(pieces), rest];
}

/** What every JSON answer keeps to, but for the document about the interface. */
function checkJson(text: string, status: number): void {
  const json = JSON.parse(text) as Record<string, unknown>;
  if ('openapi' in json) return;
  assert.equal(typeof json['message'], 'string');
  assert.equal(json['success'], status === 200);
  const isCode = errorCodes.some((code) => code === json['code']);
  // /health says 503 in sentences of its own.
  assert.ok(
    status === 200 || isCode || 'listener' in json,
    `no code that is in the table: ${text.slice(0, 200)}`,
  );
}
