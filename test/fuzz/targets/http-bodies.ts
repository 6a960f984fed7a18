/** Bodies of commands on one connection of the bridge's port: a line with the path, then the body. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Random } from '../../support/random.ts';
import { damaged } from '../mutate.ts';
import type { FuzzTarget } from '../target.ts';
import { openFuzzedListener, readAnswers } from './http-listener.ts';

const paths = ['/CreatePayment', '/QueryPayment', '/CancelPayment', '/VoidPayment', '/SubmitBatch'] as const;
const seeds = [
  '/CreatePayment\n{"amount":"12.00","retrieval_reference_number":"A-1"}',
  '/CreatePayment\n{"amount":"12.00","retrieval_reference_number":"A-2","condition_code":"00"}',
  '/CreatePayment\n{"amount":"12.00","retrieval_reference_number":"4111111111111111"}',
  '/CreatePayment\n{"amount":"12.00","amount":"0.01","retrieval_reference_number":"A-3"}',
  '/CreatePayment\n{"__proto__":{"amount":"12.00"},"constructor":{"prototype":{}},"retrieval_reference_number":"A-4"}',
  '/CreatePayment\n\ufeff{"amount":"9999999999.99","retrieval_reference_number":"A-5"}',
  '/QueryPayment\n{"retrieval_reference_number":"A-1"}',
  '/CancelPayment\n{}',
  '/VoidPayment\n{"retrieval_reference_number":"A-1"}',
  '/SubmitBatch\n{}',
  '/SubmitBatch\n[[[[[[[[[[[[]]]]]]]]]]]]',
].map((text) => Buffer.from(text));

const fields = [
  'amount',
  'retrieval_reference_number',
  'condition_code',
  '__proto__',
  'constructor',
  'toString',
  '',
] as const;
const values = [
  '"12.00"',
  '"0.00"',
  '"A-1"',
  '"00"',
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '"１２.00"',
  '12.00',
  '1e999',
  '-0',
  'null',
  'true',
  '[]',
  '{}',
  '{"a":{"a":{}}}',
  '"constructor"',
  '"../../x"',
  '"4111 1111 1111 1111"',
  'NaN',
  '"\u202e"',
] as const;

/** A new listener takes its place after so many, so that its payments in memory stay few. */
const inputsOfOneListener = 20_000;
const decoder = new TextDecoder('utf-8', { fatal: true });

export const httpBodies: FuzzTarget = {
  name: 'http-bodies',
  rule: 'a body is answered with a code of the table, never with a fault, and only a right one starts anything',
  seeds: () => seeds,
  triesInTests: 1_000,
  triesInChunk: 20_000,
  make: (random, corpus) => (random.chance(0.4) ? damaged(random, corpus) : madeUp(random)),

  async open() {
    let listener = await openFuzzedListener();
    let caller = await openCaller(listener.port);
    let played = 0;

    return {
      async play(input) {
        played += 1;
        if (played % inputsOfOneListener === 0) {
          caller.close();
          await listener.close();
          listener = await openFuzzedListener();
          caller = await openCaller(listener.port);
        }
        const { path, body } = split(input);
        const { payments } = listener;
        payments.asked.length = 0;
        const factsBefore = payments.facts.length;
        const answer = await caller.post(path, body);
        if (caller.closed) caller = await openCaller(listener.port);
        const started = payments.asked.find((name) => /^(create|void|cancel|submit)/.test(name));
        if (started !== undefined || payments.facts.length > factsBefore) {
          assert.ok(isRight(path, body), `${started ?? 'an operation'} from a wrong body`);
        }
        return `${path} ${answer.status} ${/"code":"\w+"/.exec(answer.body)?.[0] ?? ''}`;
      },
      async close() {
        caller.close();
        await listener.close();
      },
    };
  },
};

function madeUp(random: Random): Uint8Array {
  const body = Array.from(
    { length: random.integer(0, 4) },
    () => `"${random.pick(fields)}":${random.pick(values)}`,
  ).join(',');
  return Buffer.from(`${random.pick(paths)}\n{${body}}`);
}

function split(input: Uint8Array): { path: string; body: Buffer } {
  const bytes = Buffer.from(input);
  const end = bytes.indexOf('\n');
  const named = bytes.subarray(0, Math.max(0, end)).toString('latin1');
  const path = paths.find((known) => known === named) ?? '/CreatePayment';
  return { path, body: end === -1 ? bytes : bytes.subarray(end + 1) };
}

/** Written without the schemas that it checks. */
function isRight(path: string, body: Buffer): boolean {
  const json: unknown = JSON.parse(decoder.decode(body));
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return false;
  const own = new Map<string, unknown>(Object.entries(json));
  const fits = (name: string, form: RegExp, needed: boolean) => {
    const value = own.get(name);
    return own.has(name) ? typeof value === 'string' && form.test(value) : !needed;
  };
  const reference = (needed: boolean) => fits('retrieval_reference_number', /^[\w.-]{1,40}$/, needed);
  switch (path) {
    case '/CreatePayment':
      return (
        fits('amount', /^(?!0+\.00$)\d{1,10}\.\d\d$/, true) &&
        reference(true) &&
        fits('condition_code', /^[A-Za-z0-9]{1,8}$/, false)
      );
    case '/SubmitBatch':
      return true;
    default:
      return reference(path !== '/CancelPayment');
  }
}

/** One connection that stays open, and one request at a time on it. */
async function openCaller(port: number) {
  const socket: Socket = connect({ host: '127.0.0.1', port });
  await once(socket, 'connect');
  let pieces: Buffer = Buffer.alloc(0);
  let onPiece = () => {};
  let closed = false;
  socket.on('data', (piece: Buffer) => {
    pieces = pieces.length === 0 ? piece : Buffer.concat([pieces, piece]);
    onPiece();
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    closed = true;
    onPiece();
  });

  return {
    get closed() {
      return closed;
    },
    post: (path: string, body: Buffer) =>
      new Promise<{ status: number; body: string }>((resolve, reject) => {
        onPiece = () => {
          const wholeBytes = wholeLength(pieces);
          if (!closed && (wholeBytes === null || pieces.length < wholeBytes)) return;
          onPiece = () => {};
          const bytes = pieces;
          pieces = Buffer.alloc(0);
          try {
            const [answer, ...more] = readAnswers(bytes);
            assert.ok(answer !== undefined, 'the connection was closed without an answer');
            assert.equal(more.length, 0, 'one answer for one request');
            // Its end may come a moment later.
            if (!bytes.includes('Connection: close')) return resolve(answer);
            socket.destroy();
            closed = true;
            resolve(answer);
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)));
          }
        };
        socket.write(
          Buffer.concat([
            Buffer.from(
              `POST ${path} HTTP/1.1\r\nHost: fuzz\r\nx-api-version: v1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
            ),
            body,
          ]),
        );
      }),
    close: () => socket.destroy(),
  };
}

/** Of the answer that `bytes` begin with, as its head tells; null while that is not whole. */
function wholeLength(bytes: Buffer): number | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const length = /\r\nContent-Length: (\d+)/i.exec(bytes.subarray(0, end).toString('latin1'))?.[1];
  return end + 4 + Number(length ?? 0);
}
