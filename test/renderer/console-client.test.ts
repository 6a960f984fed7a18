/** The window's end of the console's interface, with a transport whose answers take as long as the test wants. */
import { expect, it } from 'vitest';
import type { ConsoleTransport, ConsoleState } from '../../src/contract/console/index.ts';
import { createConsoleClient } from '../../src/renderer/store/console-client.ts';

const calm: ConsoleState = {
  version: '0.1.0',
  host: 'headless',
  bridge: { kind: 'running' },
  listener: { kind: 'off' },
  terminal: null,
  journal: { writable: true, text: '', damaged: false },
  currency: 'EUR',
  currentOperation: null,
  doubts: [],
  discrepancies: [],
  discrepancyCount: 0,
  salesHeld: false,
  heldElsewhere: null,
  doubtsElsewhere: 0,
  discrepanciesElsewhere: 0,
  lastPayment: null,
  lastEnded: null,
  blockedOrigins: [],
};
const troubled: ConsoleState = {
  ...calm,
  journal: { writable: false, text: 'The disk is full.', damaged: false },
};

it('does not take an answer that was overtaken for the latest state', async () => {
  const answer = Promise.withResolvers<unknown>();
  let emit: (change: unknown) => void = () => {};
  const transport: ConsoleTransport = {
    invoke: (name) =>
      name === 'state'
        ? answer.promise
        : Promise.resolve({ ok: false, refusal: { code: 'no_bridge', message: '' } }),
    subscribe(listener) {
      emit = listener;
      return () => {};
    },
    save: () => Promise.resolve({ kind: 'cancelled' }),
  };
  const client = createConsoleClient(transport);
  const answered = new Promise<void>((resolve) => {
    client.subscribe(() => {
      if (client.view().state !== null) resolve();
    });
  });
  emit({ kind: 'state', state: troubled });
  answer.resolve({ ok: true, value: calm });
  await answered;
  await new Promise((resolve) => setImmediate(resolve));
  expect(client.view().state).toEqual(troubled);
});

it('does not take a bridge for one that is there when its answer comes after the connection was lost', async () => {
  const settings = Promise.withResolvers<unknown>();
  let setConnected: (connected: boolean) => void = () => {};
  let isGone = false;
  const gone = { ok: false, refusal: { code: 'session_unknown', message: '' } };
  const client = createConsoleClient({
    invoke: (name) => {
      if (isGone) return Promise.resolve(gone);
      return name === 'state' ? Promise.resolve({ ok: true, value: calm }) : settings.promise;
    },
    subscribe(_, onConnection) {
      setConnected = onConnection;
      return () => {};
    },
    save: () => Promise.resolve({ kind: 'cancelled' }),
  });
  setConnected(true);
  isGone = true;
  setConnected(false);
  settings.resolve(gone);
  await new Promise((resolve) => setImmediate(resolve));
  expect(client.view()).toMatchObject({ connected: false, shutOut: 'session_unknown' });
});
