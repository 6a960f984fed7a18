/** The computer wakes up, or goes to sleep, while a bridge is being started. */
import { expect, it } from 'vitest';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { newHostOn, type HostKit } from './host-kit.ts';

/** A start asks what time it is again and again. `act` is called the `nth` time; false: it did not ask so often. */
async function startedHost(nth: number, before: (kit: HostKit) => unknown, act: (kit: HostKit) => unknown) {
  const clock = createVirtualClock({ besideIo: true });
  let onAsked = () => {};
  const now = () => {
    onAsked();
    return clock.now();
  };
  const kit = newHostOn({ ...clock, now }, { flags: { terminal: 'simulator' } });
  await before(kit);
  let asked = 0;
  onAsked = () => {
    asked += 1;
    if (asked === nth) void act(kit);
  };
  expect(await kit.host.start()).toMatchObject({ kind: 'running' });
  onAsked = () => {};
  return { kit, interrupted: asked >= nth };
}

const sleep = ({ host }: HostKit) => host.suspend();
const wake = ({ host }: HostKit) => host.resume();

it.each([
  ['wakes up', 'has its terminal', sleep, wake, 'ready'],
  ['goes to sleep', 'has no line to its terminal', () => {}, sleep, 'lost'],
] as const)(
  'a computer that %s while the bridge starts %s, at whichever moment that is',
  async (_what, _then, before, act, connection) => {
    const found: (string | undefined)[] = [];
    for (let nth = 1; ; nth += 1) {
      const { kit, interrupted } = await startedHost(nth, before, act);
      if (!interrupted) break;
      await kit.clock.advance(60_000);
      found.push(kit.host.state().terminal?.connection);
      await kit.host.stop();
    }
    expect(found.length).toBeGreaterThan(0);
    expect(found).toEqual(found.map(() => connection));
  },
);
