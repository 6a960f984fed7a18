/** The small window above other programs: it comes with a payment, cancels, leads to the console, and never quits. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright';
import { canLaunchDesktop, launchDesktop, type Desktop } from '../support/desktop.ts';

describe.skipIf(!canLaunchDesktop())('the small window', () => {
  let desktop: Desktop;
  let small: Page;
  beforeAll(async () => {
    // A payment takes some seconds at this pace.
    desktop = await launchDesktop({ arguments: ['--hidden'], environment: { TILLBRIDGE_PACE: '4' } });
    const { settings } = await desktop.invoke('settings', {});
    await desktop.invoke('saveSettings', {
      ...settings,
      app: { ...settings.app, smallWindow: 'payments' },
    });
  });
  afterAll(() => desktop.close());

  /** What is true of the windows now, the small one last. */
  const windows = () =>
    desktop.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()
        .toSorted((one, other) => one.id - other.id)
        .map((window) => ({
          isVisible: window.isVisible(),
          isFocused: window.isFocused(),
          isOnTop: window.isAlwaysOnTop(),
        })),
    );

  it('comes with a payment, above others, without taking the focus, and cancels it', async () => {
    expect(await windows()).toHaveLength(1);
    const till = await desktop.till();
    const [opened] = await Promise.all([
      desktop.app.waitForEvent('window', { timeout: 60_000 }),
      till.create('12.00', 'SMALL-1'),
    ]);
    small = opened;
    await small.getByText('€12.00').waitFor();
    expect((await windows()).at(-1)).toEqual({ isVisible: true, isFocused: false, isOnTop: true });
    await small.getByRole('button', { name: 'Cancel payment' }).click();
    await small.getByText('Cancelled', { exact: true }).waitFor();
    expect((await till.query('SMALL-1')).body['transaction_status']).toBe('cancelled');
  });

  it('may ask for nothing but what it shows, and its own payment', async () => {
    const answers = await small.evaluate(`Promise.all(
      [
        ['state', {}],
        ['saveSettings', {}],
        ['journal', {}],
      ].map(([name, request]) => window.tillbridge.invoke(name, request).then(() => true, () => false)),
    )`);
    expect(answers).toEqual([true, false, false]);
    expect(await small.evaluate('window.tillbridge.quit().then(() => true, () => false)')).toBe(false);
  });

  it('leads to the console, and closing it neither quits nor ends anything', async () => {
    await small.evaluate(`window.tillbridge.show('#/help')`);
    await expect.poll(() => desktop.window.evaluate<string>('location.hash')).toBe('#/help');
    expect((await windows())[0]?.isVisible).toBe(true);
    await desktop.app.evaluate(({ BrowserWindow }) => {
      for (const window of BrowserWindow.getAllWindows()) if (window.isAlwaysOnTop()) window.close();
    });
    await expect.poll(async () => (await windows()).at(-1)?.isVisible).toBe(false);
    const till = await desktop.till();
    await till.create('13.00', 'SMALL-2');
    await expect.poll(async () => (await windows()).at(-1)?.isVisible).toBe(true);
    await small.getByText('€13.00').waitFor();
  });
});
