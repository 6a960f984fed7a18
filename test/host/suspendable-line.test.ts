import { describe, expect, it } from 'vitest';
import { createMemoryLine, type LineConnection } from '../../src/bridge/lines/index.ts';
import type { Unsent } from '../../src/bridge/lines/line.ts';
import { createSuspendableLine } from '../../src/host/suspendable-line.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

function makeLine() {
  const fars: LineConnection[] = [];
  const heard: number[] = [];
  const inner = createMemoryLine('test', (far) => void fars.push(far));
  const clock = createVirtualClock();
  const suspendable = createSuspendableLine(inner, clock, () => heard.push(1));
  return {
    fars,
    heard,
    clock,
    suspendable,
    open: (signal = new AbortController().signal) => suspendable.line.open(signal),
  };
}

describe('a line that can be suspended', () => {
  it('carries bytes both ways and notes when they came', async () => {
    const { clock, fars, heard, suspendable, open } = makeLine();
    const near = await open();
    expect(suspendable.lastHeardMs).toBe(null);
    const sent = new Promise<string>((resolve) => {
      fars[0]?.onData((bytes) => resolve(Buffer.from(bytes).toString()));
    });
    near.write(Buffer.from('out'));
    expect(await sent).toBe('out');
    const got = new Promise<string>((resolve) => {
      near.onData((bytes) => resolve(Buffer.from(bytes).toString()));
    });
    fars[0]?.write(Buffer.from('in'));
    expect(await got).toBe('in');
    expect(suspendable.lastHeardMs).toBe(clock.now());
    expect(heard).toEqual([1]);
  });

  it('hands on what becomes of bytes that are still unsent when it is closed', async () => {
    const closed: unknown[] = [];
    const inner = createMemoryLine('test', () => {});
    const open = async (signal: AbortSignal) => {
      const connection = await inner.open(signal);
      const close = connection.close.bind(connection);
      return Object.assign(connection, {
        close: (unsent?: Unsent) => {
          closed.push(unsent);
          return close(unsent);
        },
      });
    };
    const suspendable = createSuspendableLine({ ...inner, open }, createVirtualClock(), () => {});
    const near = await suspendable.line.open(new AbortController().signal);
    await near.close('drop');
    expect(closed).toEqual(['drop']);
  });

  it('asleep closes what is open and tells why, once; then whoever opens it waits for the end of sleep', async () => {
    const { fars, suspendable, open } = makeLine();
    const near = await open();
    const reason = new Promise<string>((resolve) => near.onClose(resolve));
    await suspendable.suspend();
    expect(await reason).toBe('The computer sleeps.');
    expect(near.closed).toBe(true);
    await expect(open()).rejects.toThrow('The computer sleeps.');
    const waiting = open();
    await suspendable.suspend();
    expect(fars).toHaveLength(1);
    suspendable.resume();
    expect((await waiting).closed).toBe(false);
    expect(fars).toHaveLength(2);
  });

  it('lets go of whoever no longer wants it', async () => {
    const { suspendable, open } = makeLine();
    await suspendable.suspend();
    await expect(open()).rejects.toThrow('The computer sleeps.');
    const unwanted = new AbortController();
    const waiting = open(unwanted.signal);
    unwanted.abort();
    await expect(waiting).rejects.toThrow('no longer wanted');
  });

  it('ends an attempt that is under way', async () => {
    const inner = {
      name: 'memory:never',
      open: (signal: AbortSignal) =>
        new Promise<LineConnection>((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')));
        }),
    };
    const suspendable = createSuspendableLine(inner, createVirtualClock());
    const opening = suspendable.line.open(new AbortController().signal);
    await suspendable.suspend();
    await expect(opening).rejects.toThrow('The computer sleeps.');
  });
});
