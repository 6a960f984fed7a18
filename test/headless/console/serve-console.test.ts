/** Questions, changes and files over real HTTP. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { silentLog, type Log } from '../../../src/log/index.ts';
import { maxKeepStatementBytes, methodNames } from '../../../src/contract/console/index.ts';
import { serveConsole } from '../../../src/headless/console/serve-console.ts';
import { invoke, eventsOf, open } from './console-browser.ts';
import { createFakeService, logChange } from './fake-service.ts';
import { consoleForTests, type Serving } from './setup.ts';
import { seededChance } from '../../support/random.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

const start = consoleForTests();

function post({ port, authorization }: Serving, path: string, body: string | Buffer, headers = {}) {
  const all = { authorization, 'content-type': 'application/json', ...headers };
  return invoke(port, `/api/${path}`, { method: 'POST', body, headers: all });
}

async function openStream({ port, authorization }: Serving) {
  const response = await open(port, '/api/changes', { headers: { authorization } });
  return { response, events: eventsOf(response) };
}

describe('questions', () => {
  it('go to the service, and its reply comes back as it is', async () => {
    const serving = await start();
    for (const name of methodNames) {
      const answer = await post(serving, name, '{"a":[1,"ä"]}');
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
      });
      expect(answer.json()).toEqual({ ok: true, value: { name, request: { a: [1, 'ä'] } } });
    }
    const refusal = { ok: false, refusal: { code: 'no_bridge', message: 'No bridge runs.' } } as const;
    const refusing = await start({}, createFakeService({ invoke: () => Promise.resolve(refusal) }));
    expect((await post(refusing, 'startListener', '{}')).json()).toEqual(refusal);
  });

  it('that nobody knows are not handed on', async () => {
    const serving = await start();
    for (const name of ['nothing', 'State', 'state/', 'toString', '__proto__', '%zz', '']) {
      const answer = await post(serving, name, '{}');
      expect([name, answer.status]).toEqual([name, expect.toBeOneOf([400, 404])]);
      expect(answer.json()).toMatchObject({ ok: false });
    }
    expect(serving.service.asked).toEqual([]);
  });

  it('are posted, and nothing else is', async () => {
    const serving = await start();
    const { port, authorization } = serving;
    const answer = await invoke(port, '/api/state', { headers: { authorization } });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
    expect((await invoke(port, '/api/files', { headers: { authorization } })).status).toBe(405);
    expect((await post(serving, 'changes', '{}')).status).toBe(405);
    expect(serving.service.asked).toEqual([]);
  });

  it('may have 256 KiB, with a statement 11 MiB, not more, and are JSON', async () => {
    const serving = await start();
    const filled = (bytes: number) => `{"a":"${'x'.repeat(bytes - '{"a":""}'.length)}"}`;
    expect((await post(serving, 'state', filled(256 * 1024))).status).toBe(200);
    expect((await post(serving, 'state', filled(256 * 1024 + 1))).status).toBe(413);
    // A bank's statement is larger than anything else that is asked.
    expect((await post(serving, 'keepStatement', filled(maxKeepStatementBytes))).status).toBe(200);
    expect((await post(serving, 'keepStatement', filled(maxKeepStatementBytes + 1))).status).toBe(413);
    const chunked = { 'transfer-encoding': 'chunked' };
    const large = await post(serving, 'state', filled(1024 * 1024), chunked);
    expect(large.status).toBe(413);
    expect(large.json()).toMatchObject({ ok: false, refusal: { code: 'body_too_large' } });
    for (const body of ['{', 'null', '1', '"x"']) {
      expect([body, (await post(serving, 'state', body)).status]).toEqual([body, 400]);
    }
    const packed = await post(serving, 'state', Buffer.from('1f8b', 'hex'), { 'content-encoding': 'gzip' });
    expect(packed.status).toBe(415);
    expect(serving.service.asked).toHaveLength(2);
  });

  it('whose answer is a fault say so and nothing of it', async () => {
    const broken = createFakeService({ invoke: () => Promise.reject(new Error('the inside')) });
    const answer = await post(await start({}, broken), 'state', '{}');
    expect(answer.status).toBe(500);
    expect(answer.json()).toMatchObject({ refusal: { code: 'internal_error' } });
    expect(answer.text).not.toContain('the inside');
  });
});

describe('changes', () => {
  it('come in order to every stream, from its first byte on', async () => {
    const serving = await start();
    const one = await openStream(serving);
    expect(one.response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    const other = await openStream(serving);
    const told = Array.from({ length: 50 }, (_, index) => logChange(index));
    for (const change of told) serving.service.tell(change);
    for (const { events, response } of [one, other]) {
      for (const change of told) expect(await events.next()).toEqual(change);
      response.destroy();
    }
    // Nobody reads any more, so nobody listens.
    await serving.service.whenListeners(0);
  });

  it('keep an idle stream alive', async () => {
    const clock = createVirtualClock();
    const serving = await start({ clock, limits: { eventKeepAliveMs: 20_000 } });
    const { response } = await openStream(serving);
    await clock.advance(60_000);
    let text = '';
    for await (const piece of response) {
      text += String(piece);
      if (text.split(': keep-alive\n\n').length > 3) break;
    }
    expect(text.startsWith(': hello')).toBe(true);
  });

  it('drop a reader who does not read, and no other', async () => {
    const warnings: string[] = [];
    const log: Log = { ...silentLog, with: () => log, warn: (message) => void warnings.push(message) };
    const serving = await start({ log, limits: { eventBufferBytes: 256 * 1024 } });
    const slow = await openStream(serving);
    slow.response.pause();
    const good = await openStream(serving);
    // The system's own buffers fill first; what stays with us after them is bounded.
    let last = 0;
    while (warnings.length === 0 && last < 2_000) {
      last += 1;
      serving.service.tell(logChange(last, 64 * 1024));
      expect(await good.events.next()).toMatchObject({ last });
    }
    expect(warnings).toEqual([expect.stringContaining('reads too slowly')]);
    serving.service.tell(logChange(0));
    expect(await good.events.next()).toMatchObject({ last: 0 });
    let lastRead = 0;
    for (let event = await slow.events.next(); event !== null; event = await slow.events.next())
      lastRead += 1;
    expect(lastRead).toBeLessThan(last);
  });

  it('go to sixteen streams, and to another when one has gone', async () => {
    const serving = await start();
    const streams = await Promise.all(Array.from({ length: 16 }, () => openStream(serving)));
    const refused = await invoke(serving.port, '/api/changes', {
      headers: { authorization: serving.authorization },
    });
    expect(refused.status).toBe(503);
    expect(refused.json()).toMatchObject({ refusal: { code: 'too_many_streams' } });
    for (const { response } of streams) response.destroy();
    await serving.service.whenListeners(0);
    const again = await openStream(serving);
    serving.service.tell(logChange(7));
    expect(await again.events.next()).toMatchObject({ last: 7 });
  });
});

describe('files', () => {
  it('are made as asked and saved under their name', async () => {
    const serving = await start();
    serving.service.file.name = 'support "ä".zip';
    serving.service.file.mediaType = 'application/zip';
    const answer = await post(serving, 'files', '{"kind":"support_bundle"}');
    expect(answer).toMatchObject({ status: 200, text: 'support_bundle' });
    expect(answer.headers['content-type']).toBe('application/zip');
    expect(answer.headers['content-disposition']).toMatch(
      /^attachment; .*filename\*=UTF-8''support%20%22%C3%A4%22\.zip/,
    );
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('that there are not are refused', async () => {
    const serving = await start();
    expect((await post(serving, 'files', '{"kind":"journal"}')).status).toBe(400);
    const failing = createFakeService({ makeFile: () => Promise.reject(new Error('the disk is full')) });
    const answer = await post(await start({}, failing), 'files', '{"kind":"support_bundle"}');
    expect(answer.status).toBe(500);
    expect(answer.json()).toMatchObject({
      refusal: { message: expect.stringContaining('the disk is full') },
    });
  });

  it('that break off are not taken for whole', async () => {
    const serving = await start();
    serving.service.file.content = async function* () {
      yield Buffer.from(await Promise.resolve('half'));
      throw new Error('gone');
    };
    await expect(post(serving, 'files', '{"kind":"support_bundle"}')).rejects.toThrow('aborted');
  });

  it('are not made any further for a page that has gone', async () => {
    const serving = await start();
    let isEnded = false;
    const ended = new Promise<void>((resolve) => {
      serving.service.file.content = async function* () {
        try {
          for (;;) yield Buffer.alloc(64 * 1024, await Promise.resolve('x'));
        } finally {
          isEnded = true;
          resolve();
        }
      };
    });
    const headers = { authorization: serving.authorization, 'content-type': 'application/json' };
    const body = '{"kind":"support_bundle"}';
    const response = await open(serving.port, '/api/files', { method: 'POST', headers, body });
    response.on('error', () => {});
    response.destroy();
    await ended;
    expect(isEnded).toBe(true);
  });
});

describe('the port', () => {
  it('is free after a close that ends streams and lets answers end', async () => {
    let answer: (reply: { ok: true; value: string }) => void = () => {};
    const asked = Promise.withResolvers<void>();
    const service = createFakeService({
      invoke: () =>
        new Promise((resolve) => {
          answer = resolve;
          asked.resolve();
        }),
    });
    const serving = await start({}, service);
    const stream = await openStream(serving);
    const answered = post(serving, 'state', '{}');
    await asked.promise;
    const closed = serving.close();
    expect(await stream.events.next()).toBeNull();
    answer({ ok: true, value: 'late' });
    expect((await answered).json()).toEqual({ ok: true, value: 'late' });
    await closed;
    await serving.close();
    expect(service.listeners()).toBe(0);
    const again = await start({ port: serving.port });
    expect(again.port).toBe(serving.port);
  });

  it('is given up although an answer does not come', async () => {
    const service = createFakeService({ invoke: () => new Promise(() => {}) });
    const clock = createVirtualClock();
    const serving = await start({ clock, limits: { closeGraceMs: 10_000 } }, service);
    const answered = post(serving, 'state', '{}').then(
      () => 'answered',
      () => 'cut',
    );
    const stream = await openStream(serving);
    const closed = serving.close();
    await clock.advance(10_000);
    await closed;
    expect(await answered).toBe('cut');
    stream.response.destroy();
  });

  it('that is taken is told in words', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const result = await serveConsole({
      service: createFakeService(),
      port,
      rendererFolder: '.',
      log: silentLog,
      clock: createVirtualClock(),
      chance: seededChance(createVirtualClock()),
    });
    other.close();
    expect(result).toEqual({ kind: 'failed', message: expect.stringContaining(`Port ${port} is used`) });
  });
});
