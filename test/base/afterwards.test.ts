/** What has time until the answers of a turn are out: later, one call a turn, what is urgent first. */
import { expect, it } from 'vitest';
import { createAfterwards } from '../../src/base/afterwards.ts';
import { createVirtualClock, settle } from '../support/virtual-clock.ts';

function setUp() {
  const faults: unknown[] = [];
  const clock = createVirtualClock();
  const afterwards = createAfterwards(clock, (error) => faults.push(error));
  return { afterwards, clock, faults, heard: [] as string[] };
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

it('carries nothing out while it rests, and then all that has waited', async () => {
  const { afterwards, clock, heard } = setUp();
  afterwards.soon(() => heard.push('a'));
  afterwards.rest(5);
  afterwards.first(() => heard.push('urgent'));
  await clock.advance(4);
  expect(heard).toStrictEqual([]);
  await clock.advance(1);
  expect(heard).toStrictEqual(['urgent', 'a']);
});

it('rests longer when that is said again', async () => {
  const { afterwards, clock, heard } = setUp();
  afterwards.rest(5);
  afterwards.soon(() => heard.push('a'));
  await clock.advance(3);
  afterwards.rest(5);
  await clock.advance(4);
  expect(heard).toStrictEqual([]);
  await clock.advance(1);
  expect(heard).toStrictEqual(['a']);
});

it('waits on when its timer comes early, as those of Node do by up to a millisecond', async () => {
  const { clock, heard } = setUp();
  let early = true;
  const hasty = createAfterwards(
    { ...clock, after: (delayMs, call) => clock.after(early ? delayMs / 2 : delayMs, call) },
    () => {},
  );
  hasty.rest(4);
  hasty.soon(() => heard.push('a'));
  await clock.advance(2);
  expect(heard).toStrictEqual([]);
  early = false;
  await clock.advance(2);
  expect(heard).toStrictEqual(['a']);
});
