/** Updates in the window: what is offered, what became of the last one, and what nobody can be asked. */
import { expect, test } from 'vitest';
import type { UpdateState } from '../../src/contract/console/index.ts';
import { consoleState } from '../support/console-data.ts';
import { pagesForTests } from './on-page.ts';

const onPage = pagesForTests();
const release = { version: '0.2.0', notes: 'Faster.' };
const state = (update: UpdateState) => consoleState({ host: 'desktop', update });
const checkedAt = '2026-11-22T10:00:00.000Z';
const ready: UpdateState = {
  checkedAt,
  step: { kind: 'ready', release, installsAt: '2026-11-22T21:00:00.000Z' },
};

test('a version that is ready says when it will be installed, and can be had now or later', () =>
  onPage({ state: state(ready), answers: { update: () => ({ ok: true, value: {} }) } }, async (fake) => {
    const { page } = fake;
    const banner = page.locator('[data-banner=update]');
    await banner.getByText('It will be installed on').waitFor();
    await banner.getByRole('button', { name: 'Later' }).click();
    await banner.getByRole('button', { name: 'Install now' }).click();
    const asked = fake.invoked.filter(({ name }) => name === 'update').map(({ request }) => request);
    expect(asked).toEqual([{ action: 'later' }, { action: 'install' }]);
  }));

test('where the program cannot install it, nothing is offered but the words', () =>
  onPage(
    { state: state({ checkedAt, step: { kind: 'available', release, byHand: true } }), route: 'settings' },
    async ({ page }) => {
      await page.locator('[data-banner=update]').getByText('Version 0.2.0 is available.').waitFor();
      expect(await page.getByRole('button', { name: 'Install now' }).count()).toBe(0);
      const status = page.locator('.update-status');
      await status.getByText('The bridge does not update itself.').waitFor();
      await status.getByText('What is new').click();
      await status.getByText('Faster.').waitFor();
    },
  ));

test('a version that did not come up is told in German, too', () =>
  onPage(
    {
      state: state({
        ...ready,
        news: { kind: 'went_back', version: '0.2.0', from: '0.1.0', notes: null },
        step: { kind: 'refused', reason: 'wrong_signature', version: null },
      }),
      language: 'de',
      route: 'settings',
    },
    async ({ page }) => {
      await page.getByText('Version 0.2.0 ist nicht richtig gestartet').waitFor();
      await page.getByText('Die Signatur der Versionsliste passt nicht').waitFor();
      expect(await page.getByRole('button', { name: 'Jetzt installieren' }).count()).toBe(0);
    },
  ));

test('a version that could not be installed is told, with the next step', () =>
  onPage(
    {
      state: state({
        ...ready,
        news: { kind: 'install_failed', version: '0.2.0', from: '0.1.0', notes: null },
        step: { kind: 'available', release, byHand: false },
      }),
    },
    async ({ page }) => {
      const banner = page.getByRole('alert').filter({ hasText: 'Version 0.2.0 could not be installed.' });
      expect(await banner.textContent()).toContain('version 0.1.0 is still running');
      await page.locator('[data-banner=update]').getByRole('button', { name: 'Install now' }).waitFor();
    },
  ));

test('where the version before has to be installed by a person, its installer is named', () => {
  const file = String.raw`C:\Users\till\AppData\Local\tillbridge\updates\Tillbridge-0.1.0.exe`;
  const news = { kind: 'go_back_by_hand', version: '0.2.0', from: '0.1.0', notes: null, file } as const;
  return onPage({ state: state({ checkedAt, news, step: { kind: 'current' } }) }, async ({ page }) => {
    const banner = page.getByRole('alert').filter({ hasText: 'Version 0.2.0 does not start' });
    expect(await banner.textContent()).toContain(`as an administrator: ${file}`);
  });
});
