/** The terminal's machine: each state against each event, and the ways through it that matter. */
import { describe, expect, it } from 'vitest';
import {
  silencesBeforeReconnect,
  transition,
  type TerminalEffect,
  type TerminalEvent,
  type TerminalState,
} from '../../../src/bridge/payments/terminal-machine.ts';

const operationId = '01a1ffe8-3316-7291-ad76-000000000001';

const states: Record<string, TerminalState> = {
  stopped: { kind: 'stopped' },
  connecting: { kind: 'connecting' },
  'lost, opening': { kind: 'lost', reason: 'no port', next: 'opening' },
  'lost, to open': { kind: 'lost', reason: 'unplugged', next: 'open' },
  'lost, to lock': { kind: 'lost', reason: 'taken', next: 'lock' },
  preparing: { kind: 'preparing' },
  idle: { kind: 'idle' },
  checking: { kind: 'checking', after: 'rest' },
  claimed: { kind: 'claimed', operationId, operationKind: 'sale' },
  operating: { kind: 'operating', operationId, operationKind: 'sale', lost: null },
  'operating, line lost': { kind: 'operating', operationId, operationKind: 'sale', lost: 'unplugged' },
  recovering: { kind: 'recovering', reason: 'busy', silences: 0, asking: false },
  'recovering, asking': { kind: 'recovering', reason: 'busy', silences: 0, asking: true },
  attention: {
    kind: 'attention',
    reason: 'no paper',
    requiredAction: 'service',
    batchCloseAllowed: false,
    asking: false,
  },
  'attention, closable': {
    kind: 'attention',
    reason: 'close',
    requiredAction: 'batch_close',
    batchCloseAllowed: true,
    asking: false,
  },
  'attention, asking': {
    kind: 'attention',
    reason: 'close',
    requiredAction: 'batch_close',
    batchCloseAllowed: true,
    asking: true,
  },
  stopping: { kind: 'stopping' },
};

const events: Record<string, TerminalEvent> = {
  start: { kind: 'start' },
  stop: { kind: 'stop' },
  'lock held': { kind: 'lock_held' },
  'lock taken': { kind: 'lock_taken', reason: 'another bridge' },
  'line open': { kind: 'line_open' },
  'open failed': { kind: 'open_failed', reason: 'no port' },
  'line lost': { kind: 'line_lost', reason: 'unplugged' },
  'polled: ready': { kind: 'polled', result: { kind: 'ready' } },
  'polled: not finished': { kind: 'polled', result: { kind: 'not_finished', reason: 'a doubt' } },
  'polled: attention': {
    kind: 'polled',
    result: { kind: 'attention', reason: 'close', requiredAction: 'batch_close', batchCloseAllowed: true },
  },
  'polled: busy': { kind: 'polled', result: { kind: 'busy', reason: 'card inside' } },
  'polled: silent': { kind: 'polled', result: { kind: 'silent', reason: 'no answer' } },
  'command: sale': { kind: 'command', operationId, operationKind: 'sale' },
  'command: batch': { kind: 'command', operationId, operationKind: 'batch_close' },
  'go ahead': { kind: 'go_ahead' },
  'too late': { kind: 'too_late' },
  answer: { kind: 'answer', inDoubt: false },
  'answer in doubt': { kind: 'answer', inDoubt: true },
  cancel: { kind: 'cancel' },
  tick: { kind: 'tick' },
  wake: { kind: 'wake' },
  closed: { kind: 'closed' },
};

const polls = {
  'polled: ready': 'idle; wait heartbeat',
  'polled: not finished': 'recovering; wait retry',
  'polled: attention': 'attention; wait attention',
  'polled: busy': 'recovering; wait retry',
  'polled: silent': 'recovering; wait retry',
};
const lost = 'lost; announce_lost, close_line, wait retry';
const stop = { stop: 'stopping; close_line' };

/** State and effects after each event that has a place; every other one throws. */
const table: Record<string, Record<string, string>> = {
  stopped: { start: 'connecting; acquire_lock', stop: 'stopped', wake: 'stopped' },
  connecting: {
    ...stop,
    'lock held': 'connecting; open_line',
    'lock taken': 'lost; wait attention',
    'line open': 'preparing; prepare',
    'open failed': 'lost',
    wake: 'connecting',
  },
  'lost, opening': { ...stop, 'line open': 'preparing; prepare', 'open failed': 'lost', wake: 'lost' },
  'lost, to open': { ...stop, tick: 'connecting; open_line', wake: 'lost' },
  'lost, to lock': { ...stop, tick: 'connecting; acquire_lock', wake: 'lost' },
  preparing: { ...stop, ...polls, 'line lost': lost, wake: 'preparing' },
  idle: {
    ...stop,
    'line lost': lost,
    'command: sale': 'claimed; give_way',
    'command: batch': 'claimed; give_way',
    tick: 'checking; probe',
    wake: 'checking; probe',
  },
  checking: { ...stop, ...polls, 'line lost': lost, wake: 'checking' },
  claimed: {
    'go ahead': 'operating; operate',
    'too late': 'operating; withdraw not_started',
    cancel: 'operating; withdraw cancelled',
    'line lost': 'operating; withdraw not_started',
    stop: 'stopping; withdraw not_started, close_line',
    wake: 'claimed',
  },
  operating: {
    ...stop,
    'line lost': 'operating',
    answer: 'checking; probe',
    'answer in doubt': 'recovering; prepare',
    cancel: 'operating; cancel',
    wake: 'operating',
  },
  'operating, line lost': {
    ...stop,
    'line lost': 'operating',
    answer: lost,
    'answer in doubt': lost,
    cancel: 'operating; cancel',
    wake: 'operating',
  },
  recovering: { ...stop, 'line lost': lost, tick: 'recovering; prepare', wake: 'recovering; prepare' },
  'recovering, asking': { ...stop, ...polls, 'line lost': lost, wake: 'recovering' },
  attention: { ...stop, 'line lost': lost, tick: 'attention; prepare', wake: 'attention; prepare' },
  'attention, closable': {
    ...stop,
    'line lost': lost,
    'command: batch': 'claimed; give_way',
    tick: 'attention; prepare',
    wake: 'attention; prepare',
  },
  'attention, asking': { ...stop, ...polls, 'line lost': lost, wake: 'attention' },
  stopping: {
    stop: 'stopping',
    closed: 'stopped; release_lock',
    answer: 'stopping',
    'answer in doubt': 'stopping',
    'line lost': 'stopping',
    wake: 'stopping',
  },
};

function words(effect: TerminalEffect): string {
  if (effect.kind === 'withdraw') return `withdraw ${effect.answer.kind}`;
  return effect.kind === 'wait' ? `wait ${effect.how}` : effect.kind;
}

function outcome(state: TerminalState, event: TerminalEvent): string {
  const next = transition(state, event);
  return [next.state.kind, next.effects.map(words).join(', ')].filter((part) => part !== '').join('; ');
}

describe('the state table', () => {
  it.each(Object.entries(states))('%s', (name, state) => {
    const found: Record<string, string> = {};
    for (const [eventName, event] of Object.entries(events)) {
      try {
        found[eventName] = outcome(state, event);
      } catch (error) {
        expect(String(error)).toContain(`no "${event.kind}" in "${state.kind}"`);
      }
    }
    expect(found).toEqual(table[name]);
  });

  /** Every place in the table whose effects have `kind` among them. */
  function placesOf(kind: TerminalEffect['kind']): string[] {
    return Object.entries(states).flatMap(([name, state]) =>
      Object.entries(events).flatMap(([eventName, event]) => {
        try {
          const has = transition(state, event).effects.some((effect) => effect.kind === kind);
          return has ? [`${name}: ${eventName}`] : [];
        } catch {
          return [];
        }
      }),
    );
  }

  it('lets money move in one place only: after a command in a state in which the terminal was just seen ready', () => {
    expect(placesOf('operate')).toEqual(['claimed: go ahead']);
    expect(placesOf('give_way')).toEqual([
      'idle: command: sale',
      'idle: command: batch',
      'attention, closable: command: batch',
    ]);
  });

  it('withdraws only what was not sent', () => {
    expect(placesOf('withdraw')).toEqual([
      'claimed: stop',
      'claimed: line lost',
      'claimed: too late',
      'claimed: cancel',
    ]);
  });
});

describe('a silent terminal', () => {
  it('is connected to anew after three silent polls in a row, and a sign of life begins the count again', () => {
    const silent = events['polled: silent'] as TerminalEvent;
    const busy = events['polled: busy'] as TerminalEvent;
    let state: TerminalState = { kind: 'preparing' };
    const play = (...played: TerminalEvent[]) => {
      for (const event of played) state = transition(state, event).state;
      return state.kind;
    };
    for (let result = 1; result < silencesBeforeReconnect; result += 1) {
      expect(play(silent)).toBe('recovering');
      play({ kind: 'tick' });
    }
    expect(play(busy)).toBe('recovering');
    play({ kind: 'tick' });
    for (let result = 1; result < silencesBeforeReconnect; result += 1) {
      expect(play(silent)).toBe('recovering');
      play({ kind: 'tick' });
    }
    expect(play(silent)).toBe('lost');
  });
});

describe('what is signed off', () => {
  it('is a terminal at rest, never one that works on an operation', () => {
    const signsOff = (state: TerminalState) =>
      transition(state, { kind: 'stop' }).effects.some(
        (effect) => effect.kind === 'close_line' && effect.signOff,
      );
    expect(signsOff({ kind: 'idle' })).toBe(true);
    expect(signsOff({ kind: 'operating', operationId, operationKind: 'sale', lost: null })).toBe(false);
  });
});
