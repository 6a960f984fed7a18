/** The ways that need no tray: the application's menu, the right mouse button, and Quit in the window. */
import type { MenuItem } from 'electron';
import { afterEach, describe, expect, it } from 'vitest';
import { canLaunchDesktop, launchDesktop, onRealElectron, type Desktop } from '../support/desktop.ts';

interface DoubleWorld {
  electronDouble: { popups: { menu: { items: { label: string; role?: string; enabled: boolean }[] } }[] };
}

describe.skipIf(!canLaunchDesktop())('menus', () => {
  let open: Desktop[] = [];
  async function launch(...options: Parameters<typeof launchDesktop>): Promise<Desktop> {
    const desktop = await launchDesktop(...options);
    open.push(desktop);
    return desktop;
  }
  afterEach(async () => {
    for (const desktop of open) await desktop.close();
    open = [];
  });

  const labels = (desktop: Desktop) =>
    desktop.app.evaluate(({ Menu }) =>
      (Menu.getApplicationMenu()?.items ?? []).map((item) => [
        item.label,
        ...(item.submenu?.items ?? []).filter(({ visible }) => visible).map(({ label }) => label),
      ]),
    );

  it('quit by the keyboard', async () => {
    const desktop = await launch();
    await desktop.till();
    await desktop.app.evaluate(({ Menu }) => {
      const items = (Menu.getApplicationMenu()?.items ?? []).flatMap((item) => item.submenu?.items ?? []);
      const quit = items.find(({ label }) => label === 'Quit Tillbridge') as MenuItem;
      quit.click();
    });
    expect(await desktop.exited).toBe(0);
  });

  it('speak the language that is set, and have zoom', async () => {
    const desktop = await launch();
    await desktop.till();
    const { settings } = await desktop.invoke('settings', {});
    await desktop.invoke('saveSettings', { ...settings, app: { ...settings.app, language: 'de' } });
    await expect
      .poll(() => labels(desktop))
      .toContainEqual(expect.arrayContaining(['Ansicht', 'Größer', 'Kleiner']));
    expect((await labels(desktop)).flat()).toEqual(
      expect.arrayContaining(['Tillbridge beenden', 'Ausschneiden', 'Entwicklerwerkzeuge']),
    );
  });

  it('are quit in the window, too', async () => {
    const desktop = await launch();
    await desktop.till();
    await desktop.window.getByRole('link', { name: 'Settings' }).first().click();
    // The app may be gone before it can say that the click has arrived.
    const clicked = desktop.window
      .getByRole('button', { name: 'Quit Tillbridge' })
      .click()
      .catch(() => {});
    expect(await desktop.exited).toBe(0);
    await clicked;
  });

  it.skipIf(onRealElectron)(
    'offer what can be done in a field, on selected text, and nothing elsewhere',
    async () => {
      const desktop = await launch();
      const offered = (params: object) =>
        desktop.app.evaluate(({ BrowserWindow }, params) => {
          const { popups } = (globalThis as unknown as DoubleWorld).electronDouble;
          popups.length = 0;
          BrowserWindow.getAllWindows()[0]?.webContents.emit('context-menu', {}, params);
          return popups.flatMap(({ menu }) =>
            menu.items.filter(({ role }) => role !== undefined).map(({ role, enabled }) => [role, enabled]),
          );
        }, params);
      const editFlags = { canCut: false, canCopy: true, canPaste: true };
      expect(await offered({ isEditable: true, selectionText: '', editFlags })).toEqual([
        ['cut', false],
        ['copy', true],
        ['paste', true],
        ['selectAll', true],
      ]);
      expect(await offered({ isEditable: false, selectionText: 'R-1', editFlags })).toEqual([
        ['copy', true],
        ['selectAll', true],
      ]);
      expect(await offered({ isEditable: false, selectionText: ' ', editFlags })).toEqual([]);
    },
  );
});
