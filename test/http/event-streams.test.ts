/** Server-sent events: heartbeat, bounds, and ends. */
import { Writable } from 'node:stream';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createEventStreams, eventMessage } from '../../src/http/index.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

const limits = { maxEventStreams: 2, eventBufferBytes: 100, eventKeepAliveMs: 15_000 };

function prepare() {
  const clock = createVirtualClock();
  const slow: number[] = [];
  const streams = createEventStreams({ clock, limits, onSlowReader: (bytes) => slow.push(bytes) });
  return { clock, slow, streams };
}

/** A response whose reader reads once the test says so. */
function reader() {
  let text = '';
  let isReading = true;
  let pending = () => {};
  const writable = new Writable({
    highWaterMark: 16,
    write(chunk: Buffer, _encoding, done) {
      text += String(chunk);
      if (isReading) done();
      else pending = done;
    },
  });
  return {
    response: writable as unknown as ServerResponse,
    text: () => text,
    writable,
    stall: () => (isReading = false),
    read() {
      isReading = true;
      pending();
    },
  };
}

describe('a stream', () => {
  it('begins with what it is opened with, and gets what is sent to all', () => {
    const { streams } = prepare();
    const [one, other] = [reader(), reader()];
    streams.open(one.response, ': hello\n\n');
    streams.open(other.response, '').write('only you');
    streams.write('both');
    expect([one.text(), other.text()]).toEqual([': hello\n\nboth', 'only youboth']);
    expect([streams.count, streams.isFull()]).toEqual([2, true]);
  });

  it('has a heartbeat while there is one, and no timer afterwards', async () => {
    const { clock, streams } = prepare();
    const one = reader();
    const stream = streams.open(one.response, '');
    await clock.advance(2 * limits.eventKeepAliveMs);
    expect(one.text()).toBe(': keep-alive\n\n: keep-alive\n\n');
    stream.end();
    expect([clock.waiting, streams.count, one.writable.writableEnded]).toEqual([0, 0, true]);
  });

  it('ends at the heartbeat when it may not go on', async () => {
    const { clock, streams } = prepare();
    const [allowed, refused] = [reader(), reader()];
    streams.open(allowed.response, '', { mayGoOn: () => true });
    const stream = streams.open(refused.response, '', { mayGoOn: () => false });
    await clock.advance(limits.eventKeepAliveMs);
    expect([stream.ended, refused.text(), allowed.text()]).toEqual([true, '', ': keep-alive\n\n']);
  });

  it('is dropped when its reader leaves too much unread, and no other is', () => {
    const { slow, streams } = prepare();
    const [fast, stalled] = [reader(), reader()];
    streams.open(fast.response, '');
    const stream = streams.open(stalled.response, '');
    stalled.stall();
    streams.write('x'.repeat(100));
    expect(stream.ended).toBe(false);
    streams.write('y');
    expect([slow, stream.ended, stalled.writable.destroyed]).toEqual([[101], true, true]);
    expect([streams.count, fast.text().length]).toEqual([1, 101]);
  });

  it('tells its end once, whoever ends it', async () => {
    const { streams, clock } = prepare();
    let ends = 0;
    const options = { onEnd: () => (ends += 1) };
    const gone = reader();
    streams.open(gone.response, '', options);
    const stream = streams.open(reader().response, '', options);
    gone.writable.destroy();
    await clock.until(() => ends === 1, 'the end');
    streams.endAll();
    stream.drop();
    stream.write('nothing');
    expect([ends, streams.count, clock.waiting]).toEqual([2, 0, 0]);
  });
});

describe('a reader that is behind', () => {
  it('is waited for until it has read', async () => {
    const { clock, streams } = prepare();
    const one = reader();
    const stream = streams.open(one.response, '');
    one.stall();
    stream.write('x'.repeat(20));
    expect(stream.isBehind).toBe(true);
    const drained = stream.drained(30_000);
    one.read();
    await clock.run(drained, 'the reader');
    expect(stream.isBehind).toBe(false);
    stream.end();
    expect(clock.waiting).toBe(0);
  });

  it('is waited for no longer than is said', async () => {
    const { clock, streams } = prepare();
    const one = reader();
    const stream = streams.open(one.response, '');
    one.stall();
    stream.write('x'.repeat(20));
    await expect(clock.run(stream.drained(30_000), 'the reader', 31_000)).rejects.toThrow('30000 ms');
  });
});

it.each([
  [{ data: { a: 'line\nbreak' } }, 'data: {"a":"line\\nbreak"}\n\n'],
  [{ name: 'payment', id: 7, data: 1 }, 'event: payment\nid: 7\ndata: 1\n\n'],
  [{ name: 'terminal', id: null, data: 1 }, 'event: terminal\ndata: 1\n\n'],
])('an event has the form of the specification', (event, text) => {
  expect(eventMessage(event)).toBe(text);
});
