/** When a result is new, and what is worth a sound: from what the window is told, on a clock that stands still. */
import { describe, expect, test } from 'vitest';
import type { ConsoleState, LastEnded } from '../../src/contract/console/index.ts';
import type { ClientView } from '../../src/renderer/store/console-client.ts';
import { createTillEvents, freshMs } from '../../src/renderer/store/till-events.ts';
import {
  consoleState,
  currentOperationView,
  inDoubtView,
  nowMs,
  otherTerminalState,
  terminalState,
} from '../support/console-data.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

/** A window that has not heard of its host yet. */
function newWindow() {
  const clock = createVirtualClock();
  const startMs = clock.now();
  const listeners = new Set<() => void>();
  let chosen = 'main';
  let view: ClientView = { state: null, settings: null, connected: true, late: false, shutOut: null };
  const events = createTillEvents(
    {
      view: () => view,
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    { wanted: () => chosen },
    { now: () => nowMs + clock.now() - startMs, after: (ms, work) => clock.after(ms, work) },
  );
  const heard: string[] = [];

  events.onSignal((signal) => heard.push(signal));
  const update = (change: Partial<ClientView>) => {
    view = { ...view, ...change };
    for (const listener of listeners) listener();
  };
  return {
    events,
    heard,
    tell: (changes: Partial<ConsoleState>) => update({ state: consoleState(changes) }),
    choose(name: string) {
      chosen = name;
    },
    connect: (connected: boolean) => update({ connected }),
    pass: (ms: number) => clock.advance(ms),
    /** It ended so long before now. */
    ended: (operationId: string, outcome: LastEnded['outcome'] = 'approved', agoMs = 0): LastEnded => ({
      operationId,
      outcome,
      at: new Date(nowMs + clock.now() - startMs - agoMs).toISOString(),
    }),
  };
}

describe('a result', () => {
  test('is new for some seconds, once, and heard once', async () => {
    const window = newWindow();
    window.tell({});
    const lastEnded = window.ended('one');
    window.tell({ lastEnded });
    expect(window.events.fresh('main')).toEqual(lastEnded);
    await window.pass(freshMs - 1);
    expect(window.events.fresh('main')).toEqual(lastEnded);
    await window.pass(1);
    expect(window.events.fresh('main')).toBeNull();
    window.tell({ lastEnded });
    expect(window.events.fresh('main')).toBeNull();
    expect(window.heard).toEqual(['approved']);
  });

  test('gives way to the next payment, and does not come back after it', () => {
    const window = newWindow();
    window.tell({});
    const lastEnded = window.ended('one');
    window.tell({ lastEnded });
    window.tell({ lastEnded, currentOperation: currentOperationView() });
    expect(window.events.fresh('main')).toBeNull();
    window.tell({ lastEnded });
    expect(window.events.fresh('main')).toBeNull();
  });

  test('that comes right after another one has its own time', async () => {
    const window = newWindow();
    window.tell({});
    window.tell({ lastEnded: window.ended('one') });
    await window.pass(freshMs - 1_000);
    const second = window.ended('two', 'declined');
    window.tell({ lastEnded: second });
    await window.pass(freshMs - 1);
    expect(window.events.fresh('main')).toEqual(second);
    expect(window.heard).toEqual(['approved', 'not_approved']);
  });

  test('from before the window was opened is new only for the rest of its time, and is not heard', async () => {
    const old = newWindow();
    old.tell({ lastEnded: old.ended('one', 'approved', freshMs) });
    expect(old.events.fresh('main')).toBeNull();
    const young = newWindow();
    young.tell({ lastEnded: young.ended('one', 'approved', freshMs - 1_000) });
    expect(young.events.fresh('main')).not.toBeNull();
    await young.pass(1_000);
    expect(young.events.fresh('main')).toBeNull();
    expect([...old.heard, ...young.heard]).toEqual([]);
  });

  test('is that of its own terminal, for its own time; heard is that of the chosen one', async () => {
    const window = newWindow();
    const bar = (lastEnded: LastEnded | null) => ({ otherTerminals: [otherTerminalState({ lastEnded })] });
    const { fresh } = window.events;
    window.tell(bar(null));
    const onBar = window.ended('one');
    window.tell(bar(onBar));
    expect([fresh('main'), fresh('bar')]).toEqual([null, onBar]);
    await window.pass(1_000);
    window.choose('bar');
    expect(fresh('bar')).toEqual(onBar);
    expect(window.heard).toEqual([]);
    const onMain = window.ended('two', 'declined');
    window.tell({ ...bar(onBar), lastEnded: onMain });
    expect(window.heard).toEqual([]);
    await window.pass(freshMs - 1_000);
    expect([fresh('main'), fresh('bar')]).toEqual([onMain, null]);
    window.tell(bar(window.ended('three')));
    expect(window.heard).toEqual(['approved']);
    expect(fresh('main')).toBeNull();
  });

  test('that came while the window was cut off is new when it is back, unless it is long ago', async () => {
    const window = newWindow();
    window.tell({ currentOperation: currentOperationView() });
    window.connect(false);
    await window.pass(20_000);
    // The connection is back before what has happened meanwhile is known.
    window.connect(true);
    expect(window.events.fresh('main')).toBeNull();
    const first = window.ended('one', 'approved', 15_000);
    window.tell({ lastEnded: first });
    expect(window.events.fresh('main')).toEqual(first);
    window.connect(false);
    await window.pass(600_000);
    window.connect(true);
    window.tell({ lastEnded: window.ended('two', 'approved', 300_000) });
    expect(window.events.fresh('main')).toBeNull();
    expect(window.heard).toEqual(['approved']);
  });

  test('stays as long as it is held', async () => {
    const window = newWindow();
    window.tell({});
    window.tell({ lastEnded: window.ended('one') });
    window.events.hold('main', true);
    await window.pass(freshMs * 3);
    expect(window.events.fresh('main')).not.toBeNull();
    window.events.hold('main', false);
    expect(window.events.fresh('main')).toBeNull();
  });

  test.each([
    ['approved', 'approved'],
    ['voided', 'approved'],
    ['closed', 'approved'],
    ['declined', 'not_approved'],
    ['cancelled', 'not_approved'],
    ['failed', 'not_approved'],
    ['not_voided', 'not_approved'],
    ['not_closed', 'not_approved'],
  ] as const)('%s is heard as %s', (outcome, signal) => {
    const window = newWindow();
    window.tell({});
    window.tell({ lastEnded: window.ended('one', outcome) });
    expect(window.heard).toEqual([signal]);
  });
});

describe('that a person is needed', () => {
  const doubt = inDoubtView({ needsDecision: false });

  test('is heard once for each doubt that does not clear up by itself', () => {
    const window = newWindow();
    window.tell({});
    window.tell({ doubts: [doubt] });
    expect(window.heard).toEqual([]);
    window.tell({ doubts: [{ ...doubt, needsDecision: true }] });
    window.tell({ doubts: [{ ...doubt, needsDecision: true }], terminal: terminalState() });
    expect(window.heard).toEqual(['needs_person']);
    window.tell({ doubts: [{ ...doubt, needsDecision: true }, inDoubtView({ operationId: 'another' })] });
    expect(window.heard).toEqual(['needs_person', 'needs_person']);
  });

  test('is heard when the terminal of a doubt cannot be asked, the journal not written, the port not opened', () => {
    const lost = terminalState({ connection: 'lost' });
    const changes: Partial<ConsoleState>[] = [
      { doubts: [doubt], terminal: lost },
      { journal: { writable: false, text: 'full', damaged: false } },
      { listener: { kind: 'failed', code: 'port_in_use', port: 8080, text: '' } },
      { bridge: { kind: 'failed', text: 'no' }, terminal: null },
      { terminal: terminalState({ connection: 'attention' }) },
    ];
    for (const change of changes) {
      const window = newWindow();
      window.tell({});
      window.tell(change);
      expect(window.heard).toEqual(['needs_person']);
    }
    const evening = newWindow();
    evening.tell({});
    evening.tell({ terminal: lost });
    expect(evening.heard).toEqual([]);
  });

  test('is not heard of what was there when the window was opened', () => {
    const window = newWindow();
    window.tell({ doubts: [inDoubtView()] });
    window.tell({ doubts: [inDoubtView()], terminal: terminalState() });
    expect(window.heard).toEqual([]);
  });
});
