import { describe, expect, it } from 'vitest';
import { createFeed } from '../../../src/bridge/log/feed.ts';
import { silentLog } from '../../../src/bridge/log/log.ts';

/** Lets every microtask that is waiting run. */
const settled = () => new Promise((resolve) => void setImmediate(resolve));

describe('createFeed', () => {
  it('tells every listener in order, after the publisher is done', async () => {
    const feed = createFeed<number>(silentLog);
    const heard: string[] = [];
    feed.subscribe((value) => heard.push(`a${value}`));
    feed.subscribe((value) => heard.push(`b${value}`));
    feed.publish(1);
    feed.publish(2);
    expect(heard).toEqual([]);
    await settled();
    expect(heard).toEqual(['a1', 'b1', 'a2', 'b2']);
  });

  it('keeps the order for everyone when a listener publishes', async () => {
    const feed = createFeed<number>(silentLog);
    const heard: string[] = [];
    feed.subscribe((value) => {
      heard.push(`a${value}`);
      if (value === 1) feed.publish(2);
    });
    feed.subscribe((value) => heard.push(`b${value}`));
    feed.publish(1);
    await settled();
    expect(heard).toEqual(['a1', 'b1', 'a2', 'b2']);
  });

  it('tells nothing from before a subscription and nothing after its end', async () => {
    const feed = createFeed<number>(silentLog);
    const heard: number[] = [];
    feed.subscribe(() => {});
    feed.publish(1);
    const end = feed.subscribe((value) => heard.push(value));
    feed.publish(2);
    await settled();
    feed.publish(3);
    end();
    end();
    await settled();
    expect(heard).toEqual([2]);
  });

  it('logs a listener that throws, and goes on', async () => {
    const lines: unknown[] = [];
    const feed = createFeed<number>({
      ...silentLog,
      error: (message, fields) => lines.push([message, fields]),
    });
    const heard: number[] = [];
    const broken = new Error('broken');
    feed.subscribe(() => {
      throw broken;
    });
    feed.subscribe((value) => heard.push(value));
    feed.publish(1);
    await settled();
    expect(heard).toEqual([1]);
    expect(lines).toEqual([['a subscriber failed', { source: 'bridge', err: broken }]]);
  });
});
