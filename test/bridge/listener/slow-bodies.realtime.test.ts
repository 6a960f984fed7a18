/** Bodies that come too slowly, or too late: how long the listener bears with them is the machine's time. */
import { describe, expect, it } from 'vitest';
import { createRealTime } from '../../support/real-time.ts';
import { post, raw, rawPost, rawSocket } from './http.ts';
import { startListener } from './set-up.ts';

const sale = { amount: '12.00', retrieval_reference_number: 'A-1' };

describe('a body', () => {
  it.each([
    ['bytes', { lingerBytes: 300_000, lingerMs: 600_000 }],
    ['time', { lingerBytes: 1e12, lingerMs: 50 }],
  ])('reads on after a body that is too large, bounded in %s', async (_name, limits) => {
    const { port } = await startListener({ clock: createRealTime(), limits });
    const socket = rawSocket(port);
    socket.on('error', () => {});
    socket.write(
      rawPost(port, '/CreatePayment', 'x').replace('Content-Length: 1', 'Content-Length: 999999999999'),
    );
    const sending = setInterval(() => socket.write(Buffer.alloc(10_000)), 1);
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    await new Promise((resolve) => socket.on('close', resolve));
    clearInterval(sending);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect((await post(port, '/CreatePayment', sale)).status).toBe(200);
  });

  it('asked first (Expect), refuses a large body before it is sent and lets a small one come', async () => {
    const { port } = await startListener({ clock: createRealTime(), limits: { lingerMs: 20 } });
    const head = `POST /CreatePayment HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nx-api-version: v1\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n`;
    const large = await raw(port, `${head}Content-Length: 1000000\r\n\r\n`);
    expect(large).toMatch(/^HTTP\/1\.1 413 /);
    const small = await post(port, '/CreatePayment', sale, { headers: { expect: '100-continue' } });
    expect(small.status).toBe(200);
  });

  it('answers a chunked body that breaks off at once', async () => {
    const { port } = await startListener({ clock: createRealTime(), limits: { lingerMs: 20 } });
    const head = `POST /CreatePayment HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nx-api-version: v1\r\nContent-Type: application/json\r\n`;
    const answer = await raw(port, `${head}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nZZ\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*not a proper HTTP/s);
    expect(answer.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
  });

  it('answers 408 to a Content-Length that is too large, once the time is over', async () => {
    const { port } = await startListener({
      clock: createRealTime(),
      limits: { headersTimeoutMs: 30, requestTimeoutMs: 30, checkIntervalMs: 10, lingerMs: 20 },
    });
    const lying = rawPost(port, '/QueryPayment', '{}').replace('Content-Length: 2', 'Content-Length: 20');
    const answer = await raw(port, lying);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('"code":"request_timeout"');
  });
});
