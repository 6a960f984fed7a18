import { expect, it } from 'vitest';
import { inParts } from '../../../src/host/views/in-parts.ts';

function* threeParts(done: string[]): Generator<undefined, string> {
  for (const part of ['one', 'two']) {
    done.push(part);
    yield;
  }
  done.push('three');
  return 'all';
}

it('gives way to the rest of the event loop after each part', async () => {
  const done: string[] = [];
  const other = () => {
    done.push('other');
    if (done.length < 6) setImmediate(other);
  };
  setImmediate(other);
  expect(await inParts(threeParts(done), () => true)).toBe('all');
  expect(done).toEqual(['one', 'other', 'two', 'other', 'three']);
});

it('ends where there is nothing left to look at', async () => {
  const done: string[] = [];
  expect(await inParts(threeParts(done), () => false)).toBeNull();
  expect(done).toEqual(['one']);
});
