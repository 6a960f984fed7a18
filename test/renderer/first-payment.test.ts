/** The end of the first start: a test payment on the simulator, or where to point the POS. */
import { describe, expect, test } from 'vitest';
import { seriousFindings } from '../support/axe.ts';
import { consoleState, paymentView, terminalState } from '../support/console-data.ts';
import { needs } from '../support/needs.ts';
import { pagesForTests, poll } from './on-page.ts';

describe.skipIf(!needs('chromium'))('before the first payment', () => {
  const onPage = pagesForTests();

  test('the simulator takes a test payment with one press, and its result is shown', async () => {
    const terminal = terminalState({ simulated: true });
    await onPage({ state: consoleState({ terminal, lastPayment: null }) }, async (fake) => {
      const { page, invoked } = fake;
      await page.getByLabel('Amount in EUR').fill('0');
      await page.getByRole('button', { name: 'Make a test payment' }).click();
      await page.getByText('Enter an amount such as 12.00.').waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      expect(invoked.map(({ name }) => name)).not.toContain('testPayment');
      await page.getByLabel('Amount in EUR').fill('7,50');
      await page.keyboard.press('Enter');
      await poll(() => invoked.find(({ name }) => name === 'testPayment')?.request).toEqual({
        amountMinor: 750,
      });
      await fake.setState(consoleState({ terminal, lastPayment: paymentView(1) }));
      await page.locator('.till-last [data-status="approved"]').waitFor();
      expect(await page.getByRole('button', { name: 'Make a test payment' }).count()).toBe(0);
      // Whoever practises goes on from here.
      await page.getByText('Another test payment').click();
      await page.getByText('01 is declined').waitFor();
      await page.getByLabel('Amount in EUR').fill('7.01');
      await page.keyboard.press('Enter');
      await poll(() => invoked.filter(({ name }) => name === 'testPayment').at(-1)?.request).toEqual({
        amountMinor: 701,
      });
      await fake.setState(consoleState({ lastPayment: paymentView(1) }));
      await poll(() => page.getByText('Another test payment').count()).toBe(0);
    });
  });

  test('the amount stands as the language writes it', async () => {
    const state = consoleState({ terminal: terminalState({ simulated: true }), lastPayment: null });
    await onPage({ state, language: 'de' }, async ({ page, invoked }) => {
      expect(await page.getByLabel('Betrag in EUR').inputValue()).toBe('12,00');
      await page.getByRole('button', { name: 'Testzahlung starten' }).click();
      await poll(() => invoked.find(({ name }) => name === 'testPayment')?.request).toEqual({
        amountMinor: 1200,
      });
    });
  });

  test('with a real terminal the POS’s address is copied, and no test payment is offered', async () => {
    await onPage({ state: consoleState({ lastPayment: null }) }, async ({ page }) => {
      const part = page.locator('.till-last');
      await part.getByText('http://localhost:8080').waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await part.getByRole('button', { name: 'Copy' }).click();
      await poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('http://localhost:8080');
      expect(await page.getByRole('button', { name: 'Make a test payment' }).count()).toBe(0);
      await part.getByRole('link', { name: 'Why is it not working?' }).click();
      await page.locator('.diagnosis-first').waitFor();
    });
  });
});
