/** What the app does with its settings: starts with the system, keeps secrets, speaks the language, follows the theme. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Settings } from '../../src/contract/console/index.ts';
import { canLaunchDesktop, launchDesktop, onRealElectron, type Desktop } from '../support/desktop.ts';

/** What the double kept of the tray; see test/support/electron-double/records.ts. */
interface DoubleWorld {
  electronDouble: {
    trays: {
      toolTip: string;
      image: { file: string };
      menu: { items: { label: string; enabled: boolean; click(): void }[] };
    }[];
    permissionRequestHandler(
      contents: unknown,
      permission: string,
      answer: (allowed: boolean) => void,
      details: { requestingUrl: string },
    ): void;
    permissionCheckHandler(contents: unknown, permission: string, origin: string): boolean;
    devicePermissionHandler(details: object): boolean;
    displayMediaHandler(request: object, answer: (streams: object | null) => void): void;
    sandboxEnabled: boolean;
  };
}

describe.skipIf(!canLaunchDesktop())('settings', () => {
  let open: Desktop[] = [];
  async function launch(...options: Parameters<typeof launchDesktop>): Promise<Desktop> {
    const desktop = await launchDesktop(...options);
    open.push(desktop);
    return desktop;
  }
  afterEach(async () => {
    for (const desktop of open.toReversed()) await desktop.close();
    open = [];
  });

  async function save(desktop: Desktop, change: (settings: Settings) => void): Promise<void> {
    const { settings } = await desktop.invoke('settings', {});
    change(settings);
    await desktop.invoke('saveSettings', settings);
  }

  it('come from the provision file of the computer, once', async () => {
    const home = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-provisioned-'));
    const file = path.join(home, 'provision.json');
    writeFileSync(file, JSON.stringify({ currency: 'CHF', app: { language: 'de' } }), { mode: 0o600 });
    const options = { home, environment: { TILLBRIDGE_PROVISION: file } };
    try {
      const first = await launch(options);
      const { settings } = await first.invoke('settings', {});
      expect(settings.app.language).toBe('de');
      await first.stateWith((state) => state.currency === 'CHF');
      await save(first, ({ app }) => (app.language = 'en'));
      await first.app.close();
      const second = await launch(options);
      expect((await second.invoke('settings', {})).settings.app.language).toBe('en');
    } finally {
      for (const desktop of open) await desktop.close();
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    }
  });

  it.runIf(process.platform === 'linux')('put the app into the autostart and take it out', async () => {
    const desktop = await launch();
    const file = path.join(desktop.home, '.config', 'autostart', 'tillbridge.desktop');
    expect(existsSync(file)).toBe(false);
    await save(desktop, ({ app }) => (app.startWithSystem = true));
    const text = readFileSync(file, 'utf8');
    expect(text).toMatch(/^\[Desktop Entry\]\nType=Application\nName=Tillbridge\n/);
    expect(text).toMatch(/^Exec=.+ --hidden$/m);
    const program = /^TryExec=(.+)$/m.exec(text)?.[1] ?? '';
    expect(existsSync(program)).toBe(true);
    await save(desktop, ({ app }) => (app.startWithSystem = false));
    expect(existsSync(file)).toBe(false);
  });

  it('keep a secret sealed, and have it again after a restart', async () => {
    const desktop = await launch();
    await save(desktop, ({ bridge }) => (bridge.zvt.password = '735152'));
    const file = path.join(desktop.dataDir, 'settings.json');
    expect(readFileSync(file, 'utf8')).not.toContain('735152');
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0);
    const view = await desktop.invoke('settings', {});
    expect(view).toMatchObject({ secrets: 'system', secretsSet: ['zvt.password'], canStartWithSystem: true });
    await desktop.app.close();
    await desktop.exited;
    const next = await launch({ home: desktop.home });
    // The key store may take its time.
    await expect.poll(() => next.invoke('settings', {})).toMatchObject({ secretsSet: ['zvt.password'] });
    await next.till();
  });

  it.skipIf(onRealElectron)('are honest where the system has no store for secrets', async () => {
    const desktop = await launch({ environment: { ELECTRON_DOUBLE_KEYRING: 'none' } });
    expect(await desktop.invoke('settings', {})).toMatchObject({ secrets: 'file' });
  });

  it('give the app its theme', async () => {
    const desktop = await launch();
    await save(desktop, ({ app }) => (app.theme = 'dark'));
    const isDark = () => desktop.window.evaluate("matchMedia('(prefers-color-scheme: dark)').matches");
    await expect.poll(isDark).toBe(true);
    await save(desktop, ({ app }) => (app.theme = 'light'));
    await expect.poll(isDark).toBe(false);
  });

  it('open the first start when no terminal is named', async () => {
    const desktop = await launch({ terminal: null });
    await desktop.stateWith(({ bridge }) => bridge.kind === 'first_start');
    await save(desktop, ({ bridge }) => (bridge.terminal = 'simulator'));
    const till = await desktop.till();
    expect((await till.create('12.00', 'FIRST-1', 20)).body['transaction_status']).toBe('approved');
  });

  it('show the window where the user left it', async () => {
    const desktop = await launch();
    const bounds = { x: 40, y: 50, width: 900, height: 640 };
    const look = (desktop: Desktop) =>
      desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getNormalBounds());
    await desktop.app.evaluate(
      ({ BrowserWindow }, bounds) => BrowserWindow.getAllWindows()[0]?.setBounds(bounds),
      bounds,
    );
    await desktop.app.close();
    await desktop.exited;
    const next = await launch({ home: desktop.home });
    expect(await look(next)).toEqual(bounds);
  });

  describe.skipIf(onRealElectron)('and the tray', () => {
    const tray = (desktop: Desktop) =>
      desktop.app.evaluate(() => {
        const [tray] = (globalThis as unknown as DoubleWorld).electronDouble.trays;
        return {
          toolTip: tray?.toolTip,
          icon: tray?.image.file.split('/').at(-1),
          labels: tray?.menu.items.map(({ label }) => label).filter((label) => label !== ''),
        };
      });
    const click = (desktop: Desktop, label: string) =>
      desktop.app.evaluate((_, label) => {
        const [tray] = (globalThis as unknown as DoubleWorld).electronDouble.trays;
        tray?.menu.items.find((item) => item.label === label)?.click();
      }, label);

    it('say what the state is, in the language that is set', async () => {
      const desktop = await launch();
      await desktop.till();
      await expect
        .poll(() => tray(desktop))
        .toEqual({
          toolTip: 'Tillbridge: Ready for payments\nSIMULATOR – no real payments',
          icon: 'ready.png',
          labels: [
            'Ready for payments',
            'SIMULATOR – no real payments',
            'Open Tillbridge',
            'Stop POS connection',
            'Quit',
          ],
        });
      await save(desktop, ({ app }) => (app.language = 'de'));
      expect(await tray(desktop)).toMatchObject({
        labels: expect.arrayContaining(['Bereit für Zahlungen', 'Beenden']),
      });
    });

    it('stop and start the listener', async () => {
      const desktop = await launch();
      await desktop.till();
      await click(desktop, 'Stop POS connection');
      await desktop.stateWith(({ listener }) => listener.kind === 'off');
      await expect.poll(() => tray(desktop)).toMatchObject({ icon: 'off.png' });
      await click(desktop, 'Start POS connection');
      await desktop.stateWith(({ listener }) => listener.kind === 'on');
    });

    it('open the window, and quit', async () => {
      const desktop = await launch({ arguments: ['--hidden'] });
      await desktop.till();
      const isVisible = () =>
        desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());
      expect(await isVisible()).toBe(false);
      await click(desktop, 'Open Tillbridge');
      expect(await isVisible()).toBe(true);
      await click(desktop, 'Quit');
      expect(await desktop.exited).toBe(0);
    });
  });

  it.skipIf(onRealElectron)('leave every permission denied but copying out of the console', async () => {
    const desktop = await launch();
    const answers = await desktop.app.evaluate(() => {
      const { electronDouble } = globalThis as unknown as DoubleWorld;
      const invoke = (permission: string, url: string) => {
        let answer: boolean | undefined;
        electronDouble.permissionRequestHandler(null, permission, (allowed) => (answer = allowed), {
          requestingUrl: url,
        });
        return [answer, electronDouble.permissionCheckHandler(null, permission, new URL(url).href)];
      };
      const permissions = [
        'media',
        'geolocation',
        'notifications',
        'clipboard-read',
        'openExternal',
        'serial',
      ];
      const streams: (object | null)[] = [];
      electronDouble.displayMediaHandler({ frame: null }, (answer) => streams.push(answer));
      let withoutAddress: boolean | undefined;
      electronDouble.permissionRequestHandler(
        null,
        'clipboard-sanitized-write',
        (allowed) => (withoutAddress = allowed),
        {} as { requestingUrl: string },
      );
      return {
        withoutAddress,
        streams,
        device: electronDouble.devicePermissionHandler({ deviceType: 'serial', origin: 'app://tillbridge' }),
        denied: permissions.flatMap((permission) => invoke(permission, 'app://tillbridge/')),
        copying: invoke('clipboard-sanitized-write', 'app://tillbridge/'),
        elsewhere: invoke('clipboard-sanitized-write', 'https://example.invalid/'),
        sandbox: electronDouble.sandboxEnabled,
      };
    });
    expect(new Set(answers.denied)).toEqual(new Set([false]));
    expect(answers).toMatchObject({ copying: [true, true], elsewhere: [false, false], sandbox: true });
    expect(answers).toMatchObject({ withoutAddress: false, device: false, streams: [null] });
  });
});
