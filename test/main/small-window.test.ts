/** When the small window is shown, and where it lies: on a clock that stands still, without Electron. */
import { describe, expect, it, vi } from 'vitest';
import type { ConsoleState } from '../../src/contract/console/index.ts';
import { createSmallWindowRule, lingerMs, type SmallWindowMode } from '../../src/main/small-window-rule.ts';
import {
  consoleState,
  currentOperationView,
  inDoubtView,
  otherTerminalState,
} from '../support/console-data.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

// Nothing of Electron is touched here; importing it outside of Electron would fail.
vi.mock('electron', () => ({}));
const { within } = await import('../../src/main/small-window.ts');

const payment = (operationId = 'one') => ({ currentOperation: currentOperationView({ operationId }) });

function rule(mode: SmallWindowMode) {
  const clock = createVirtualClock();
  const course: string[] = [];
  const made = createSmallWindowRule({
    clock,
    show: () => course.push('shown'),
    hide: () => course.push('hidden'),
  });
  made.setMode(mode);
  const tell = (changes: Partial<ConsoleState>) => made.look(consoleState(changes));
  return { ...made, tell, course, pass: (ms: number) => clock.advance(ms) };
}

describe('the small window', () => {
  it('is there during a payment, and some seconds longer', async () => {
    const small = rule('payments');
    small.tell({});
    expect(small.course).toEqual([]);
    small.tell(payment());
    await small.pass(60_000);
    small.tell({});
    await small.pass(lingerMs - 1);
    expect(small.course).toEqual(['shown']);
    await small.pass(1);
    expect(small.course).toEqual(['shown', 'hidden']);
  });

  it('stays for the next payment, and while a person is needed', async () => {
    const small = rule('payments');
    small.tell(payment());
    small.tell({});
    await small.pass(lingerMs - 1);
    small.tell(payment('two'));
    await small.pass(60_000);
    small.tell({ bridge: { kind: 'starting' } });
    await small.pass(60_000);
    small.tell({ doubts: [inDoubtView()] });
    await small.pass(60_000);
    expect(small.course).toEqual(['shown']);
    small.tell({});
    await small.pass(lingerMs);
    expect(small.course).toEqual(['shown', 'hidden']);
  });

  it('that its user has closed comes back with the next operation, not before', async () => {
    const small = rule('payments');
    small.tell(payment());
    small.closed();
    small.tell(payment());
    await small.pass(60_000);
    expect(small.course).toEqual(['shown', 'hidden']);
    small.tell(payment('two'));
    expect(small.course).toEqual(['shown', 'hidden', 'shown']);
  });

  it('comes with an operation on each terminal, and stays until the last of them ended', async () => {
    const small = rule('payments');
    const bar = (operationId: string | null) => ({
      otherTerminals: [
        otherTerminalState({
          currentOperation: operationId === null ? null : currentOperationView({ operationId }),
        }),
      ],
    });
    small.tell({ ...payment(), ...bar(null) });
    small.closed();
    small.tell({ ...payment(), ...bar('two') });
    expect(small.course).toEqual(['shown', 'hidden', 'shown']);
    small.closed();
    // What goes on where another one ended does not begin.
    small.tell(bar('two'));
    expect(small.course).toEqual(['shown', 'hidden', 'shown', 'hidden']);
    small.tell({ ...payment('three'), ...bar('two') });
    small.tell(bar('two'));
    await small.pass(60_000);
    small.tell(bar(null));
    await small.pass(lingerMs - 1);
    expect(small.course.at(-1)).toBe('shown');
    await small.pass(1);
    expect(small.course.at(-1)).toBe('hidden');
  });

  it('is always there, or never, where the settings say so', async () => {
    const always = rule('always');
    always.tell(payment());
    always.tell({});
    await always.pass(60_000);
    expect(always.course).toEqual(['shown']);
    always.setMode('off');
    expect(always.course).toEqual(['shown', 'hidden']);
    const off = rule('off');
    off.tell(payment());
    await off.pass(60_000);
    expect(off.course).toEqual([]);
  });
});

const screen = { x: 0, y: 0, width: 1_920, height: 1_040 };

it.each([
  ['where it was', { x: 100, y: 50, width: 320, height: 160 }, { x: 100, y: 50 }],
  ['beyond the right edge', { x: 1_900, y: 50, width: 320, height: 160 }, { x: 1_600, y: 50 }],
  ['on a screen that is gone', { x: -3_000, y: -900, width: 320, height: 160 }, { x: 0, y: 0 }],
  ['larger than the screen', { x: 0, y: 0, width: 4_000, height: 3_000 }, { width: 1_920, height: 1_040 }],
])('the small window is whole on the screen: %s', (_, wanted, expected) => {
  expect(within(screen, wanted, 0)).toMatchObject(expected);
});
