/** What can go wrong with saved settings and between one bridge and the next. */
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { afterThisTest, isReady, newHost, readyHost } from './host-kit.ts';

describe('settings that are wrong in very many places', () => {
  it('are refused with the first of them', async () => {
    const kit = newHost();
    await kit.host.start();
    const { settings } = await kit.invoke('settings', {});
    const allowedOrigins = Array.from({ length: 10_000 }, () => 'x');
    const refusal = await kit.refusal('saveSettings', {
      ...settings,
      bridge: { ...settings.bridge, allowedOrigins },
    });
    expect(refusal.issues?.[0]?.path).toBe('bridge.allowedOrigins.0');
    expect(refusal.issues?.length).toBeLessThanOrEqual(100);
  });
});

describe('settings that are saved while the host stops', () => {
  it('are stored, and start no bridge any more', async () => {
    const kit = await readyHost();
    const { settings } = await kit.invoke('settings', {});
    const stopped = kit.host.stop();
    const saved = kit.invoke('saveSettings', {
      ...settings,
      bridge: { ...settings.bridge, currency: 'CHF' },
    });
    await stopped;
    expect((await saved).settings.bridge.currency).toBe('CHF');
    expect(kit.host.bridge).toBe(null);
    expect(kit.host.state()).toMatchObject({ bridge: { kind: 'stopped' }, listener: { kind: 'off' } });
  });
});

describe('a listener that is started while its bridge stops', () => {
  it('stays closed, and whoever asked is told', async () => {
    const kit = await readyHost();
    const { port } = new URL(kit.base());
    // A request that is not whole holds up the end of the listener.
    const caller = connect(Number(port), '127.0.0.1');
    caller.on('error', () => {});
    afterThisTest(() => void caller.destroy());
    const continued = new Promise((resolve) => caller.once('data', resolve));
    caller.write(
      `POST /CreatePayment HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n` +
        'x-api-version: v1\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n',
    );
    await continued;
    const stopped = kit.host.stop();
    await kit.state(({ listener }) => listener.kind === 'stopping', 'the end');
    expect(await kit.refusal('startListener', {})).toMatchObject({ code: 'no_bridge' });
    caller.destroy();
    await stopped;
    expect(kit.host.state().listener).toEqual({ kind: 'off' });
  });
});

describe('a listener that was stopped in the window', () => {
  it('stays off, also when a bridge failed in between', async () => {
    const kit = newHost();
    await kit.host.start();
    await kit.save(({ bridge }) => (bridge.terminal = 'simulator'));
    await isReady(kit);
    await kit.till().create('12.00', 'A-1', 10);
    await isReady(kit);
    await kit.invoke('stopListener', {});
    // The simulator's ledger is kept in the currency that it began with.
    await kit.save(({ bridge }) => (bridge.currency = 'CHF'));
    await kit.state(({ bridge }) => bridge.kind === 'failed', 'the failure');
    await kit.save(({ bridge }) => (bridge.currency = 'EUR'));
    await isReady(kit);
    expect(kit.host.state().listener).toEqual({ kind: 'off' });
    await kit.invoke('startListener', {});
    expect((await kit.till().query('A-1')).body).toMatchObject({ transaction_status: 'approved' });
  });
});
