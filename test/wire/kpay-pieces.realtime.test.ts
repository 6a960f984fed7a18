/** KPay's frames are HTTP messages: each golden one comes over a real connection in two pieces, cut at every byte. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock as clock } from '../../src/base/clock.ts';
import { fromHex } from '../../src/bridge/terminals/framing/index.ts';
import { createHttpTransport } from '../../src/bridge/terminals/kpay/transport.ts';
import { readHttpMessage } from '../../src/bridge/terminals/kpay/wire/index.ts';
import type { KpaySimulator } from '../../src/simulator/kpay/kpay-simulator.ts';
import { serveKpaySimulator } from '../../src/simulator/kpay/serve.ts';
import { vectorsOf } from './frame-kit.ts';

const host = '127.0.0.1';
const messages = vectorsOf('kpay')
  .filter(({ framing }) => framing === 'http')
  .map(({ id, hex }) => {
    const bytes = fromHex(hex);
    const read = readHttpMessage(bytes);
    if (!read.ok) throw new Error(read.error);
    return { id, bytes, message: read.message };
  });
const requests = messages.flatMap(({ message, ...rest }) =>
  message.kind === 'request' ? [{ ...rest, message }] : [],
);
const answers = messages.flatMap(({ message, ...rest }) =>
  message.kind === 'response' ? [{ ...rest, message }] : [],
);

/** Of the event loop, until what was written is read at the other end of a new connection, which is in this process. */
const turns = 5;

async function writeInTwo(socket: Socket, bytes: Uint8Array, cut: number): Promise<void> {
  socket.setNoDelay();
  await new Promise((resolve) => socket.write(bytes.subarray(0, cut), resolve));
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  socket.write(bytes.subarray(cut));
}

describe('a golden message of KPay in two pieces, cut at every byte', () => {
  it.each(answers)('$id is the same answer', async ({ bytes, message: { status, body } }) => {
    let cut = 0;
    const terminal = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => void writeInTwo(socket, bytes, cut));
    });
    onTestFinished(() => void terminal.close());
    await new Promise<void>((resolve) => terminal.listen(0, host, resolve));
    const { port } = terminal.address() as AddressInfo;
    const transport = createHttpTransport({ host, port, clock });
    const question = { method: 'GET', uri: '/v2/pos/query', headers: {}, body: null } as const;
    const others: unknown[] = [];
    for (cut = 1; cut < bytes.length; cut += 1) {
      const result = await transport.send(question, new AbortController().signal);
      const isSame =
        result.kind === 'response' && result.status === status && Buffer.compare(result.body, body) === 0;
      if (!isSame) others.push([cut, result]);
    }
    expect([cut, others]).toEqual([bytes.length, []]);
  });

  it.each(requests)('$id is the same request to the simulated terminal', async ({ bytes, message }) => {
    const seen: { method: string; uri: string; body: Uint8Array }[] = [];
    const noting: Pick<KpaySimulator, 'accepting' | 'handle' | 'close'> = {
      accepting: true,
      handle(request) {
        seen.push(request);
        return Promise.resolve({ status: 200, body: new Uint8Array() });
      },
      close() {},
    };
    const served = await serveKpaySimulator(noting as KpaySimulator, { host, port: 0 });
    onTestFinished(() => served.close());
    const wrong: number[] = [];
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const socket = connect(served.port, host);
      const answered = new Promise<void>((resolve, reject) => {
        socket.once('data', () => resolve());
        socket.once('error', reject);
        socket.once('close', () => reject(new Error(`no answer, cut at ${cut}`)));
      });
      socket.once('connect', () => void writeInTwo(socket, bytes, cut));
      await answered;
      socket.destroy();
      const [request, ...more] = seen.splice(0);
      const { method, uri, body } = message;
      const isSame =
        request?.method === method && request.uri === uri && Buffer.compare(request.body, body) === 0;
      if (!isSame || more.length > 0) wrong.push(cut);
    }
    expect(wrong).toEqual([]);
  });
});
