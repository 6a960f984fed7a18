/** Notifications of the system: shown by the app itself, whatever the window does, and a click leads there. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canLaunchDesktop, launchDesktop, onRealElectron, type Desktop } from '../support/desktop.ts';

interface Double {
  electronDouble: {
    notifications: { title: string; body: string }[];
    shownNotifications: Set<{ emit(event: string): void }>;
  };
}

describe.skipIf(!canLaunchDesktop() || onRealElectron)('notifications', () => {
  /** Holds the port. */
  const other = createServer();
  let desktop: Desktop;
  let port = 0;
  beforeAll(async () => {
    await once(other.listen(0, '127.0.0.1'), 'listening');
    ({ port } = other.address() as AddressInfo);
    desktop = await launchDesktop({
      arguments: ['--hidden'],
      environment: { TILLBRIDGE_PORT: String(port) },
    });
  });
  afterAll(async () => {
    await desktop.close();
    other.close();
  });
  const shown = () =>
    desktop.app.evaluate(() => (globalThis as unknown as Double).electronDouble.notifications);
  const openCount = () =>
    desktop.app.evaluate(() => (globalThis as unknown as Double).electronDouble.shownNotifications.size);

  it('tell of a port that cannot be opened, and a click leads to what can be done', async () => {
    const wanted = [
      {
        title: 'POS connection is not working',
        body: `Port ${port} cannot be opened, so your POS cannot take card payments. Open Tillbridge to see what to do.`,
      },
    ];
    await expect.poll(shown, { timeout: 30_000 }).toEqual(wanted);
    await desktop.app.evaluate(() => {
      const { shownNotifications } = (globalThis as unknown as Double).electronDouble;
      for (const one of shownNotifications) one.emit('click');
    });
    await expect.poll(() => desktop.window.evaluate<string>('location.hash')).toBe('#/help');
    const isVisible = await desktop.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.isVisible(),
    );
    expect(isVisible).toBe(true);
    // Whoever looks at the window has seen it.
    expect(await openCount()).toBe(0);
    await desktop.invoke('startListener', {}).catch(() => {});
    expect(await shown()).toEqual(wanted);
  });

  it('can be tried, and a system that refuses them is told of', async () => {
    const tryOne = () => desktop.window.evaluate('window.tillbridge.tryNotification()');
    expect(await tryOne()).toBe('shown');
    await desktop.app.evaluate(({ Notification }) => {
      Notification.prototype.show = function () {
        this.emit('failed', {}, 'notifications are disabled for the app');
      };
    });
    expect(await tryOne()).toBe('refused');
  });
});
