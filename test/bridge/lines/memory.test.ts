import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxWaitingBytes } from '../../../src/bridge/lines/connection-events.ts';
import { LineError, type LineConnection } from '../../../src/bridge/lines/line.ts';
import { createMemoryLine, createMemoryPair } from '../../../src/bridge/lines/memory.ts';
import { silentLog } from '../../../src/log/log.ts';
import { bytes, never, turns, watch } from './connection-watch.ts';

describe('createMemoryPair', () => {
  it('moves bytes both ways, in order and in pieces as written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.boolean(), fc.string({ maxLength: 5 }))), async (writes) => {
        const ends = createMemoryPair();
        const watched = ends.map(watch);
        for (const [first, text] of writes) expect(ends[first ? 0 : 1]?.write(bytes(text))).toBe(true);
        await turns();
        const sent = (first: boolean) =>
          writes.filter(([from]) => from === first).map(([, text]) => latin1(text));
        expect(watched[1]?.pieces).toEqual(sent(true));
        expect(watched[0]?.pieces).toEqual(sent(false));
      }),
    );
  });

  it('is never re-entrant: a write calls nobody', async () => {
    const [near, far] = createMemoryPair();
    const order: string[] = [];
    far.onData(() => {
      order.push('far begins');
      far.write(bytes('answer'));
      order.push('far ends');
    });
    near.onData(() => order.push('near'));
    near.write(bytes('question'));
    order.push('written');
    await turns(5);
    expect(order).toEqual(['written', 'far begins', 'far ends', 'near']);
  });

  it('keeps its own copy of the bytes', async () => {
    const [near, far] = createMemoryPair();
    const { text } = watch(far);
    const mine = bytes('abc');
    near.write(mine);
    mine.fill(0);
    await turns();
    expect(text()).toBe('abc');
  });

  it('keeps bytes until there is a reader, then in order with later ones', async () => {
    const [near, far] = createMemoryPair();
    near.write(bytes('1'));
    await turns();
    near.write(bytes('2'));
    await turns();
    const watched = watch(far);
    near.write(bytes('3'));
    expect(watched.text()).toBe('');
    await turns();
    expect(watched.text()).toBe('123');
  });

  it('closes the other side after the bytes under way, each told once', async () => {
    const [near, far] = createMemoryPair();
    const nearWatched = watch(near);
    const farWatched = watch(far);
    near.write(bytes('last'));
    await near.close();
    await near.close();
    expect(near.closed).toBe(true);
    expect(near.write(bytes('late'))).toBe(false);
    await turns();
    expect(farWatched.text()).toBe('last');
    expect(far.closed).toBe(true);
    expect(far.write(bytes('late'))).toBe(false);
    await turns();
    expect(nearWatched.closeReasons).toEqual(['closed on this side']);
    expect(farWatched.closeReasons).toEqual(['closed by the other side']);
    expect(nearWatched.text()).toBe('');
  });

  it('lets a late reader have what came before the end, and every close handler the reason', async () => {
    const [near, far] = createMemoryPair();
    near.write(bytes('last'));
    await near.close();
    await turns();
    expect(far.closed).toBe(true);
    const told: string[] = [];
    far.onClose((reason) => told.push(reason));
    far.onClose((reason) => told.push(reason));
    const watched = watch(far);
    await turns();
    expect(watched.text()).toBe('last');
    expect(told).toEqual(['closed by the other side', 'closed by the other side']);
    far.onClose(() => told.push('later'));
    await turns();
    expect(told).toHaveLength(3);
  });

  it('reads nothing after it was closed here', async () => {
    const [near, far] = createMemoryPair();
    const watched = watch(near);
    far.write(bytes('under way'));
    await near.close();
    await turns();
    expect(watched.text()).toBe('');
  });

  it('does not keep bytes without end for a reader that never comes', async () => {
    const [near, far] = createMemoryPair();
    const nearWatched = watch(near);
    for (let sent = 0; sent <= maxWaitingBytes && !far.closed; sent += 64 * 1024) {
      near.write(new Uint8Array(64 * 1024));
      await turns(1);
    }
    await turns();
    expect(far.closed).toBe(true);
    expect(nearWatched.closeReasons[0]).toMatch(/nobody read/);
  });

  it('refuses a write that is larger than may be under way', async () => {
    const [near, far] = createMemoryPair();
    const farWatched = watch(far);
    expect(near.write(new Uint8Array(maxWaitingBytes + 1))).toBe(false);
    expect(near.closed).toBe(true);
    await turns();
    expect(farWatched.pieces).toEqual([]);
    expect(farWatched.closeReasons).toHaveLength(1);
  });

  it('has one reader', () => {
    const [near] = createMemoryPair();
    near.onData(() => {});
    expect(() => near.onData(() => {})).toThrow(/one reader/);
  });

  it('ends when its reader fails, and says so in the log', async () => {
    const lines: unknown[] = [];
    const [near, far] = createMemoryPair({ ...silentLog, error: (message) => lines.push(message) });
    const nearWatched = watch(near);
    far.onData(() => {
      throw new Error('broken');
    });
    const told: string[] = [];
    far.onClose(() => {
      throw new Error('broken too');
    });
    far.onClose((reason) => told.push(reason));
    near.write(bytes('1'));
    near.write(bytes('2'));
    await turns(5);
    expect(far.closed).toBe(true);
    expect(told).toEqual(['an internal error while the bridge read; see the log']);
    expect(nearWatched.closeReasons).toHaveLength(1);
    expect(lines).toEqual(['the reader of a line failed', 'a close handler failed']);
  });
});

describe('createMemoryLine', () => {
  it('makes a new connection for each opening', async () => {
    const far: LineConnection[] = [];
    const line = createMemoryLine('simulator', (end) => void far.push(end));
    expect(line.name).toBe('memory:simulator');
    const first = await line.open(never());
    first.write(bytes('old'));
    await first.close();
    const second = await line.open(never());
    second.write(bytes('new'));
    const watched = far.map(watch);
    await turns();
    expect(watched.map(({ text }) => text())).toEqual(['old', 'new']);
    expect(second).not.toBe(first);
  });

  it('can refuse, and does not open when it is no longer wanted', async () => {
    const line = createMemoryLine('off', () => 'refused');
    await expect(line.open(never())).rejects.toThrow(LineError);
    const accepted: LineConnection[] = [];
    const wanted = createMemoryLine('on', (end) => void accepted.push(end));
    await expect(wanted.open(AbortSignal.abort())).rejects.toThrow(LineError);
    expect(accepted).toEqual([]);
  });
});

function latin1(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}
