/** The end of a Windows session is held up while an operation is on the terminal, and a person sees why. */
import { expect, test } from 'vitest';
import {
  currentOperations,
  type ConsoleChange,
  type ConsoleState,
} from '../../src/contract/console/index.ts';
import { translatorFor } from '../../src/locales/index.ts';
import { createSessionEnd } from '../../src/main/session-end.ts';
import { consoleState, currentOperationView } from '../support/console-data.ts';
import { createNotingLog } from '../support/noting-log.ts';

function setUp() {
  const seen: string[] = [];
  const listeners = new Set<(change: ConsoleChange) => void>();
  let state = consoleState({});
  const sessionEnd = createSessionEnd({
    bridge: {
      onTerminals: () => currentOperations(state),
      console: {
        subscribe(listener: (change: ConsoleChange) => void) {
          listeners.add(listener);
          return () => void listeners.delete(listener);
        },
      } as never,
    },
    show: () => void seen.push('shown'),
    setTitle: (title) => void seen.push(title),
    t: () => translatorFor('en'),
    tell: (title) => void seen.push(title),
    log: createNotingLog((level, message) => void seen.push(`${level}: ${message}`)),
  });
  return {
    seen,
    listeners,
    query: sessionEnd.query,
    tell(currentOperation: ConsoleState['currentOperation']) {
      state = consoleState({ currentOperation });
      for (const listener of listeners) listener({ kind: 'state', state });
    },
  };
}

const held = [
  'warn: the end of the session is held up: an operation is on the terminal',
  'shown',
  'Tillbridge: please wait, the terminal is still working',
];

test('with nothing on the terminal it goes on', () => {
  const { query, seen, listeners } = setUp();
  expect([query(), seen, listeners.size]).toEqual([false, [], 0]);
});

test('while an operation is there it is held up by a window that says why; then a person may go on', () => {
  const { query, seen, tell, listeners } = setUp();
  tell(currentOperationView());
  expect([query(), seen]).toEqual([true, held]);
  // Asked once more, and something else changes.
  expect(query()).toBe(true);
  tell(currentOperationView());
  expect(seen).toEqual([...held, ...held]);
  tell(null);
  expect(seen.slice(6)).toEqual(['Tillbridge', 'The terminal has finished']);
  expect([query(), listeners.size]).toEqual([false, 0]);
});
