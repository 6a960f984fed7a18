/** A window without a stream: what it passes on is what has changed between two looks. */
import { expect, it } from 'vitest';
import type { ConsoleChange, ConsoleResult } from '../../../src/contract/console/index.ts';
import { createPoll } from '../../../src/renderer/transport/poll-changes.ts';
import { consoleState, logLine, paymentView, settingsView } from '../../support/console-data.ts';

function host() {
  const there = {
    state: consoleState(),
    settings: settingsView(),
    payments: { payments: [paymentView(2), paymentView(1)], next: null },
    log: { lines: [logLine(1)], next: null, first: 1, last: 1, sources: [] },
  };
  const refused: Record<string, 'session_unknown' | 'no_bridge' | 'internal_error'> = {};
  const poll = createPoll((name) => {
    const code = refused[name];
    const answer: ConsoleResult<unknown> =
      code === undefined
        ? { ok: true, value: structuredClone(there[name as keyof typeof there]) }
        : { ok: false, refusal: { code, message: '' } };
    return Promise.resolve(answer as never);
  });
  const look = async () => {
    const told: ConsoleChange[] = [];
    return { end: await poll((change) => told.push(change)), told };
  };
  return { there, refused, look };
}

it('tells nothing at first, and nothing where nothing has changed', async () => {
  const { look } = host();
  expect(await look()).toEqual({ end: 'answered', told: [] });
  expect(await look()).toEqual({ end: 'answered', told: [] });
});

it('tells what has changed as the host would, the older first', async () => {
  const { there, look } = host();
  await look();
  there.state = consoleState({ salesHeld: true });
  there.settings.settings.app.language = 'de';
  const [newest, second] = [paymentView(4), paymentView(3)];
  const voided = { ...paymentView(2), status: 'voided' as const };
  there.payments.payments = [newest, second, voided, paymentView(1)];
  there.log = { ...there.log, lines: [logLine(3), logLine(2), logLine(1)], last: 3 };
  const { told } = await look();
  expect(told).toEqual([
    { kind: 'state', state: there.state },
    { kind: 'settings', view: there.settings },
    { kind: 'payment', payment: voided },
    { kind: 'payment', payment: second },
    { kind: 'payment', payment: newest },
    { kind: 'log', lines: [logLine(2), logLine(3)], last: 3 },
    { kind: 'batch' },
  ]);
  expect((await look()).told).toEqual([]);
});

it('goes on while no bridge runs, and says when this window may not ask any more', async () => {
  const { there, refused, look } = host();
  await look();
  refused['payments'] = 'no_bridge';
  there.state = consoleState({ bridge: { kind: 'stopped' } });
  expect(await look()).toMatchObject({ end: 'answered', told: [{ kind: 'state' }] });
  refused['state'] = 'internal_error';
  expect(await look()).toEqual({ end: 'lost', told: [] });
  refused['state'] = 'session_unknown';
  expect(await look()).toEqual({ end: 'shut_out', told: [] });
});
