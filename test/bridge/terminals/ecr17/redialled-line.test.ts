/** A line whose other end may hang up behind an answer: what that is taken for, and what is asked next. */
import { describe, expect, it } from 'vitest';
import type { LineConnection } from '../../../../src/bridge/lines/line.ts';
import { createMemoryPair } from '../../../../src/bridge/lines/memory.ts';
import { createRedialledLine } from '../../../../src/bridge/terminals/ecr17/redialled-line.ts';
import type { OpenLine } from '../../../../src/bridge/terminals/terminal-driver.ts';
import { createVirtualClock, settle } from '../../../support/virtual-clock.ts';

const bytes = Uint8Array.of(1, 2, 3);

function setUp() {
  const clock = createVirtualClock();
  const [first, firstFar] = createMemoryPair();
  /** The terminal's ends, oldest first. */
  const far = [firstFar];
  const ended: string[] = [];
  const hangUps: number[] = [];
  const read: Uint8Array[] = [];
  let reachable = true;
  const openLine: OpenLine = (signal, onFailure) => {
    if (reachable) {
      const [near, end] = createMemoryPair();
      far.push(end);
      return Promise.resolve(near);
    }
    onFailure('refused', 1_000);
    return new Promise<LineConnection | null>((resolve) =>
      signal.addEventListener('abort', () => resolve(null)),
    );
  };
  const line = createRedialledLine(first, openLine, clock);
  line.onData((data) => read.push(data));
  line.onClose((reason) => ended.push(reason));
  line.onHangUp(() => hangUps.push(clock.elapsed()));
  return {
    clock,
    line,
    far,
    ended,
    hangUps,
    read,
    /** A request that was answered. */
    async ask(movesMoney = false) {
      const dialled = await clock.run(line.dial(movesMoney), 'a dial');
      far.at(-1)?.write(bytes);
      await settle();
      line.rest();
      return dialled;
    },
    async terminalHangsUp() {
      await far.at(-1)?.close();
      await settle();
    },
    cannotBeReached() {
      reachable = false;
    },
  };
}

describe('a line to a terminal that hangs up', () => {
  it('is still there when it is asked next, over a new connection', async () => {
    const kit = setUp();
    expect(await kit.ask()).toBe('same');
    await kit.terminalHangsUp();
    expect([kit.line.closed, kit.line.write(bytes)]).toEqual([false, false]);
    expect(await kit.ask()).toBe('new');
    expect([kit.read.length, kit.ended]).toEqual([2, []]);
  });

  it('has one connection for each request from then on, and waits for the terminal to hang up first', async () => {
    const kit = setUp();
    await kit.ask();
    await kit.terminalHangsUp();
    await kit.ask();
    const before = kit.clock.elapsed();
    expect(await kit.ask()).toBe('new');
    expect(kit.clock.elapsed() - before).toBe(1_000);
    await kit.clock.until(() => kit.far[1]?.closed === true, 'the end of the connection before');
  });

  it('keeps one that the terminal keeps', async () => {
    const kit = setUp();
    await kit.ask();
    expect([await kit.ask(), kit.far.length]).toEqual(['same', 1]);
  });

  it('says so where a request is out that the terminal may not have had, and goes on', async () => {
    const kit = setUp();
    await kit.ask();
    await kit.line.dial(true);
    await kit.terminalHangsUp();
    expect([kit.hangUps.length, kit.ended]).toEqual([1, []]);
  });
});

describe('a line that is lost', () => {
  it.each([
    ['at the first request', async ({ line }: ReturnType<typeof setUp>) => void (await line.dial(false))],
    [
      'behind an answer that took money on its way',
      async ({ line, far, ask }: ReturnType<typeof setUp>) => {
        await ask();
        await line.dial(true);
        far.at(-1)?.write(bytes);
        await settle();
      },
    ],
    [
      'long after an answer',
      async ({ clock, ask }: ReturnType<typeof setUp>) => {
        await ask();
        await clock.advance(2_001);
      },
    ],
  ])('%s ends', async (_when, before) => {
    const kit = setUp();
    await before(kit);
    await kit.terminalHangsUp();
    expect([kit.ended, kit.hangUps, kit.line.closed]).toEqual([['closed by the other side'], [], true]);
    expect(await kit.line.dial(false)).toBe('none');
  });

  it('ends where the terminal cannot be reached again within 5 s, and says why', async () => {
    const kit = setUp();
    await kit.ask();
    await kit.terminalHangsUp();
    kit.cannotBeReached();
    const before = kit.clock.elapsed();
    expect(await kit.clock.run(kit.line.dial(false), 'a dial')).toBe('none');
    expect([kit.ended, kit.clock.elapsed() - before]).toEqual([['refused'], 5_000]);
  });

  it('ends once when it is closed here, also while it is dialled', async () => {
    const kit = setUp();
    await kit.ask();
    await kit.terminalHangsUp();
    kit.cannotBeReached();
    const dialled = kit.line.dial(false);
    await kit.line.close();
    await kit.line.close();
    expect([await dialled, kit.ended.length]).toEqual(['none', 1]);
  });
});
