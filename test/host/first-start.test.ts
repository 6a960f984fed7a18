/** An empty folder, the simulator chosen in the console, the first payment: what a window hears of it. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isReady, newFolder, newHost } from './host-kit.ts';

const everything = { minLevel: 'debug', sources: null, text: null } as const;

describe('the first start', () => {
  it('asks for a terminal, and with the simulator takes a payment that the console hears of', async () => {
    const kit = newHost();
    expect(await kit.host.start()).toEqual({ kind: 'first_start', warnings: [] });
    expect(kit.host.state()).toMatchObject({
      bridge: { kind: 'first_start' },
      listener: { kind: 'off' },
      terminal: null,
    });
    expect(await kit.refusal('cancelPayment', { reference: 'A-1' })).toMatchObject({ code: 'no_bridge' });

    await kit.save(({ bridge }) => (bridge.terminal = 'simulator'));
    await isReady(kit);
    expect(kit.host.state()).toMatchObject({ bridge: { kind: 'running' }, listener: { kind: 'on' } });

    const paid = await kit.till().create('12.00', 'A-1', 10);
    expect(paid.body).toMatchObject({ transaction_status: 'approved' });
    await kit.change(
      (change) => change.kind === 'payment' && change.payment.status === 'in_progress',
      'begin',
    );
    const payment = await kit.change(
      (change) => change.kind === 'payment' && change.payment.status === 'approved' && change.payment,
      'the approval',
    );
    expect(payment).toMatchObject({ reference: 'A-1', amountMinor: 1200, simulated: true });
    const operating = kit.changes.some(
      (change) => change.kind === 'state' && change.state.currentOperation?.reference === 'A-1',
    );
    expect(operating).toBe(true);
    await kit.state(
      ({ lastPayment, currentOperation, terminal }) =>
        lastPayment?.reference === 'A-1' && currentOperation === null && terminal?.lastHeardAt !== null,
      'the end in the state',
    );
    await kit.change(
      (change) =>
        change.kind === 'log' && change.lines.some((line) => line.message === '/CreatePayment answered'),
      'the line in the log',
    );

    const found = await kit.invoke('payments', {
      filter: { span: null, status: null, text: 'a-1' },
      before: null,
      limit: 10,
    });
    expect(found.payments).toEqual([payment]);
    const today = await kit.invoke('today', {
      from: new Date(kit.clock.now() - 3_600_000).toISOString(),
      until: new Date(kit.clock.now() + 3_600_000).toISOString(),
    });
    expect(today).toMatchObject({ count: 1, approved: 1, sumMinor: 1200, currency: 'EUR' });
    expect(await kit.invoke('batches', { before: null, limit: 10 })).toMatchObject({
      batches: [],
      open: { count: 1, sums: [{ sumMinor: 1200 }] },
    });
    const log = await kit.invoke('log', {
      filter: { ...everything, text: 'CreatePayment' },
      before: null,
      limit: 5,
    });
    expect(log.lines[0]).toMatchObject({ source: 'listener', message: '/CreatePayment answered' });
  });

  it('remembers the choice in a file that only its owner can read', async () => {
    const folder = newFolder();
    const first = newHost({ folder });
    await first.host.start();
    await first.save(({ bridge, app }) => {
      bridge.terminal = 'simulator';
      app.theme = 'dark';
    });
    await first.host.stop();
    const file = join(folder, 'settings.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      app: { theme: 'dark' },
      terminal: 'simulator',
    });
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);

    const second = newHost({ folder });
    expect(await second.host.start()).toMatchObject({ kind: 'running' });
    expect(second.host.appSettings().theme).toBe('dark');
  });

  it('takes the terminal that was asked for when nothing else names one', async () => {
    const kit = newHost({ host: { defaultTerminal: 'simulator' } });
    expect(await kit.host.start()).toMatchObject({ kind: 'running' });
    expect((await kit.invoke('settings', {})).settings.bridge.terminal).toBe('simulator');
  });

  it('starts and writes nothing without a terminal where the console may not ask', async () => {
    const folder = join(newFolder(), 'data');
    const kit = newHost({ folder, host: { mayStartEmpty: false } });
    expect(await kit.host.start()).toMatchObject({ kind: 'failed', usage: true, noTerminal: true });
    expect(existsSync(folder)).toBe(false);
  });
});

describe('questions', () => {
  it.each([
    ['a name that there is not', 'money', {}],
    ['a name of every object', 'constructor', {}],
    ['no name', '', {}],
    ['a request of another form', 'payment', { transactionId: 7 }],
    ['no request', 'saveSettings', null],
    [
      'an endless page',
      'payments',
      { filter: { span: null, status: null, text: null }, before: null, limit: 1e9 },
    ],
  ])('with %s are refused', async (_, name, request) => {
    const kit = newHost({ flags: { terminal: 'simulator' } });
    await kit.host.start();
    expect(await kit.refusal(name, request)).toMatchObject({ code: 'invalid_request' });
  });
});
