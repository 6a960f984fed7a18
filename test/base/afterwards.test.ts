/** What has time until the answers of a turn are out: later, one call a turn, what is urgent first. */
import { expect, it } from 'vitest';
import { createAfterwards } from '../../src/base/afterwards.ts';
import { settle } from '../support/virtual-clock.ts';

function setUp() {
  const faults: unknown[] = [];
  return { afterwards: createAfterwards((error) => faults.push(error)), faults, heard: [] as string[] };
}

it('carries nothing out in this turn, then what is urgent, then the rest in its order', async () => {
  const { afterwards, heard } = setUp();
  afterwards.soon(() => heard.push('a'));
  afterwards.soon(() => heard.push('b'));
  afterwards.first(() => heard.push('urgent'));
  await Promise.resolve();
  expect(heard).toStrictEqual([]);
  await settle();
  expect(heard).toStrictEqual(['urgent', 'a', 'b']);
});

it('lets what a call sets off come before the next call, and what has become urgent before the rest', async () => {
  const { afterwards, heard } = setUp();
  afterwards.first(() => {
    heard.push('urgent');
    void Promise.resolve()
      .then(() => {})
      .then(() => heard.push('set off'));
  });
  afterwards.soon(() => {
    heard.push('a');
    afterwards.first(() => heard.push('urgent again'));
  });
  afterwards.soon(() => heard.push('b'));
  await settle();
  expect(heard).toStrictEqual(['urgent', 'set off', 'a', 'urgent again', 'b']);
});

it('does not carry out what was called off', async () => {
  const { afterwards, heard } = setUp();
  const callOff = afterwards.first(() => heard.push('urgent'));
  afterwards.first(() => heard.push('another'));
  callOff();
  callOff();
  await settle();
  expect(heard).toStrictEqual(['another']);
});

it('tells of a fault, which costs the others nothing', async () => {
  const { afterwards, faults, heard } = setUp();
  afterwards.first(() => {
    throw new Error('no');
  });
  afterwards.soon(() => heard.push('a'));
  await settle();
  expect(heard).toStrictEqual(['a']);
  expect(faults).toStrictEqual([new Error('no')]);
});
