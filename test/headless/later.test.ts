import { describe, expect, it } from 'vitest';
import { printLater } from '../../src/headless/later.ts';

describe('printing that nobody waits for', () => {
  it('prints in order, once what runs now is done', async () => {
    const printed: string[] = [];
    const later = printLater((line) => printed.push(line));
    later.say('one');
    later.say('two');
    await Promise.resolve();
    expect(printed).toEqual([]);
    await new Promise(setImmediate);
    expect(printed).toEqual(['one', 'two']);
    later.say('three');
    await new Promise(setImmediate);
    expect(printed).toEqual(['one', 'two', 'three']);
  });

  it('prints at once what waits when it is flushed, and not again', async () => {
    const printed: string[] = [];
    const later = printLater((line) => printed.push(line));
    later.say('one');
    later.flush();
    expect(printed).toEqual(['one']);
    await new Promise(setImmediate);
    expect(printed).toEqual(['one']);
  });
});
