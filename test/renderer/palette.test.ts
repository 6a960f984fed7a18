/** `?` shows the keys, Ctrl K the commands: by keyboard alone, and only what is possible now. */
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { seriousFindings } from '../support/axe.ts';
import { consoleState, currentOperationView } from '../support/console-data.ts';
import { needs } from '../support/needs.ts';
import { pagesForTests, poll } from './on-page.ts';

describe.skipIf(!needs('chromium'))('the keys that work everywhere', () => {
  const onPage = pagesForTests();
  const hash = (page: Page) => page.evaluate('window.location.hash');
  const options = (page: Page) => page.getByRole('option').allInnerTexts();
  async function openPalette(page: Page) {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Page, action or reference' }).waitFor();
  }

  test('? shows the keys, but not while somebody is writing', async () => {
    await onPage({ route: 'payments' }, async ({ page }) => {
      await page.getByRole('grid').or(page.getByRole('table')).first().waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keys' }).getByText('Ctrl K').waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await poll(() => page.getByRole('dialog').count()).toBe(0);
      await page.keyboard.press('/');
      await page.keyboard.type('a?');
      expect(await page.locator('[data-search]').inputValue()).toBe('a?');
      expect(await page.getByRole('dialog').count()).toBe(0);
    });
  });

  test('a page by a few letters, arrows and Enter; the list says what is selected', async () => {
    await onPage({}, async ({ page }) => {
      await openPalette(page);
      expect(await seriousFindings(page)).toEqual([]);
      const input = page.getByRole('combobox', { name: 'Page, action or reference' });
      expect(await input.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
      const active = async () =>
        page.locator(`[id="${(await input.getAttribute('aria-activedescendant')) ?? ''}"]`).innerText();
      expect(await active()).toContain('Till');
      await page.keyboard.press('ArrowUp');
      expect(await active()).toContain('Deutsch');
      await page.keyboard.type('batch');
      expect(await active()).toContain('Batches');
      expect(await page.getByRole('option', { selected: true }).count()).toBe(1);
      await page.keyboard.press('Enter');
      await poll(() => hash(page)).toBe('#/batches');
      await poll(() => page.getByRole('dialog').count()).toBe(0);
    });
  });

  test('a payment by its reference', async () => {
    await onPage({}, async ({ page }) => {
      await openPalette(page);
      await page.keyboard.type('a-1012');
      await page.getByRole('option', { name: 'A-1012' }).waitFor();
      await page.keyboard.press('Enter');
      await poll(() => hash(page)).toContain('#/payments/');
    });
  });

  test('the listener is started where it is off; stopping it, or a payment, asks first', async () => {
    const off = consoleState({ listener: { kind: 'off' } });
    await onPage({ state: off }, async ({ page, invoked }) => {
      await openPalette(page);
      await page.keyboard.type('POS connection');
      expect((await options(page)).join()).not.toContain('Stop');
      await page.keyboard.press('Enter');
      await poll(() => invoked.map(({ name }) => name)).toContain('startListener');
    });
    const paying = consoleState({ currentOperation: currentOperationView() });
    await onPage({ state: paying }, async ({ page, invoked }) => {
      await openPalette(page);
      await page.keyboard.type('cancel');
      await page.keyboard.press('Enter');
      const question = page.getByRole('dialog', { name: 'Cancel payment' });
      await question.getByText('Cancel payment A-1007?').waitFor();
      expect(invoked.map(({ name }) => name)).not.toContain('cancelPayment');
      await question.getByRole('button', { name: 'Cancel payment' }).click();
      await poll(() => invoked.find(({ name }) => name === 'cancelPayment')?.request).toEqual({
        reference: 'A-1007',
      });
      await question.waitFor({ state: 'detached' });
      await openPalette(page);
      await page.keyboard.type('stop');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Stop the POS connection' }).waitFor();
      expect(invoked.map(({ name }) => name)).not.toContain('stopListener');
    });
  });

  test('theme and language; a refusal is said, and the palette stays', async () => {
    const refusal = { code: 'settings_not_saved', message: 'The disk is full.' } as const;
    const answers = { saveSettings: () => ({ ok: false, refusal }) as const };
    await onPage({ answers }, async ({ page, invoked }) => {
      await openPalette(page);
      await page.keyboard.type('dark');
      await page.keyboard.press('Enter');
      await page.getByText('The disk is full.').waitFor();
      expect(invoked.findLast(({ name }) => name === 'saveSettings')?.request).toMatchObject({
        app: { theme: 'dark' },
      });
      await page.keyboard.press('Escape');
      await poll(() => page.getByRole('dialog').count()).toBe(0);
    });
  });

  test('nothing that fits is said', async () => {
    await onPage(
      { answers: { payments: () => ({ ok: true, value: { payments: [], next: null } }) } },
      async ({ page }) => {
        await openPalette(page);
        await page.keyboard.type('zzzz');
        await page.getByText('Nothing matches.').waitFor();
        expect(await options(page)).toEqual([]);
      },
    );
  });
});
