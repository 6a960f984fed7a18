/** What the build has put beside the page: what is new, and the licences. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { whatsNew } from '../../scripts/notices/whats-new.ts';
import { seriousFindings } from '../support/axe.ts';
import { consoleState } from '../support/console-data.ts';
import { needs } from '../support/needs.ts';
import { pagesForTests } from './on-page.ts';

const changelog = readFileSync(path.resolve(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');

const openDialog = async (page: Page, name: string) => {
  await page.getByRole('button', { name, exact: true }).press('Enter');
  return page.getByRole('dialog', { name, exact: true });
};

describe.skipIf(!needs('chromium'))('the section About', () => {
  const onPage = pagesForTests();

  test.each(['light', 'dark'] as const)(
    'shows what is new as the changelog has it, %s',
    async (colorScheme) => {
      await onPage({ route: 'settings', colorScheme }, async ({ page }) => {
        const dialog = await openDialog(page, 'What is new');
        const entries = whatsNew(changelog).flatMap(({ groups }) => groups.flatMap(({ items }) => items));
        await dialog.getByRole('listitem').first().waitFor();
        expect(await dialog.getByRole('listitem').allTextContents()).toEqual(
          entries.map((entry) => entry.replaceAll('`', '')),
        );
        expect(await seriousFindings(page)).toEqual([]);
        await page.keyboard.press('Escape');
        expect(await page.locator(':focus').textContent()).toBe('What is new');
      });
    },
  );

  test.each(['light', 'dark'] as const)('opens the licence of anything built in, %s', async (colorScheme) => {
    const state = consoleState({ host: 'desktop' });
    await onPage({ route: 'settings', colorScheme, state }, async ({ page }) => {
      const dialog = await openDialog(page, 'Licences');
      const react = dialog.locator('details', { hasText: /react-dom \d/ });
      await react.locator('summary').press('Enter');
      await react.getByText('Permission is hereby granted').waitFor();
      const own = dialog.locator('details', { hasText: 'Tillbridge’s own licence' });
      await own.locator('summary').press('Enter');
      await own.getByText('The Tillbridge authors').waitFor();
      expect(await dialog.getByText('LICENSES.chromium.html').count()).toBe(1);
      expect(await seriousFindings(page)).toEqual([]);
    });
  });

  test('does not speak of Electron’s licences where there is no Electron', async () => {
    await onPage({ route: 'settings', state: consoleState({ host: 'headless' }) }, async ({ page }) => {
      const dialog = await openDialog(page, 'Licences');
      await dialog.locator('details').nth(1).waitFor();
      expect(await dialog.getByText('LICENSES.chromium.html').count()).toBe(0);
    });
  });

  test('shows markup as the text that it is', async () => {
    await onPage({ route: 'settings' }, async ({ page }) => {
      const item = '<img src=x onerror="document.title=1"> `<b>`';
      const json = [{ version: '9.9.9', day: '2026-03-01', groups: [{ kind: 'Fixed', items: [item] }] }];
      await page.route('**/whats-new.json', (route) => route.fulfill({ json }));
      const dialog = await openDialog(page, 'What is new');
      await dialog.getByText(item.replaceAll('`', '')).waitFor();
      await dialog.getByText('Version 9.9.9').waitFor();
      await dialog.getByText('1 March 2026').waitFor();
      expect(await dialog.locator('img, b').count()).toBe(0);
      await page.unroute('**/whats-new.json');
    });
  });

  test('says that a text cannot be read, and tries again', async () => {
    await onPage({ route: 'settings', language: 'de' }, async ({ page }) => {
      await page.route('**/licences.json', (route) => route.fulfill({ body: 'no' }));
      const dialog = await openDialog(page, 'Lizenzen');
      await dialog.getByText('Dieser Text kann nicht gelesen werden.').waitFor();
      await page.unroute('**/licences.json');
      await dialog.getByRole('button', { name: 'Erneut versuchen' }).press('Enter');
      await dialog.getByText('Die Lizenz von Tillbridge').waitFor();
      expect(await dialog.getByText('Diese Texte sind auf Englisch.').count()).toBe(1);
    });
  });
});
