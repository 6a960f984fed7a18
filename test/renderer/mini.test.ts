/** The small window: `#/mini`, and the one that a browser's page draws by itself. */
import { describe, expect, test } from 'vitest';
import {
  consoleState,
  currentOperationView,
  inDoubtView,
  nowMs,
  terminalState,
} from '../support/console-data.ts';
import { seriousFindings } from '../support/axe.ts';
import { needs } from '../support/needs.ts';
import { ok, pagesForTests, poll } from './on-page.ts';

const operation = consoleState({
  currentOperation: currentOperationView({ startedAt: new Date(nowMs).toISOString() }),
  terminal: terminalState({ connection: 'operating', progressStep: 'insert_card', progress: null }),
});
const small = { route: 'mini', width: 340, height: 210 };

describe.skipIf(!needs('chromium'))('the small window', () => {
  const onPage = pagesForTests();

  test('shows amount, step and Cancel, by keyboard too, and what became of it', async () => {
    const answers = { cancelPayment: () => ok({ payment: null }) };
    await onPage({ ...small, state: operation, answers }, async ({ page, invoked, setState }) => {
      await page.getByText('€1,234.56').waitFor();
      expect(await page.locator('.mini-step').innerText()).toBe('Insert or tap card');
      expect(await page.getByRole('navigation').count()).toBe(0);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await poll(() => invoked.find(({ name }) => name === 'cancelPayment')?.request).toEqual({
        reference: 'A-1007',
      });
      await setState(
        consoleState({
          lastEnded: { operationId: 'x', outcome: 'cancelled', at: new Date(nowMs + 1_000).toISOString() },
        }),
      );
      await page.locator('[data-situation="result"]').waitFor();
      expect(await page.locator('.mini-title').innerText()).toBe('Cancelled');
    });
  });

  test('says why a payment was not cancelled', async () => {
    const answers = {
      cancelPayment: () => ({
        ok: false as const,
        refusal: { code: 'cancel_too_late' as const, message: 'too late' },
      }),
    };
    await onPage({ ...small, state: operation, answers }, async ({ page }) => {
      await page.getByRole('button', { name: 'Cancel payment' }).click();
      const note = page.locator('.mini .note');
      await note.waitFor();
      expect(await note.innerText()).toMatch(/^A-1007 was not cancelled. Too late:/);
    });
  });

  test('leads to the console where a person is needed', async () => {
    const state = consoleState({ doubts: [inDoubtView()] });
    await onPage({ ...small, state, language: 'de' }, async ({ page }) => {
      await page.getByText('Ungeklärt: nicht noch einmal kassieren', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Tillbridge öffnen' }).click();
      expect(await page.evaluate('window.openedInTest')).toBe('#/till?open=items');
    });
  });

  test.each([1, 2])('has amount and Cancel in sight at %i times the size', async (scale) => {
    await onPage({ ...small, state: operation, scale, language: 'de' }, async ({ page }) => {
      const cancel = page.getByRole('button', { name: 'Zahlung abbrechen' });
      await cancel.waitFor();
      const [amount, button] = await Promise.all([
        page.locator('.mini-amount').boundingBox(),
        cancel.boundingBox(),
      ]);
      const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
      expect((amount?.x ?? 0) + (amount?.width ?? 0)).toBeLessThanOrEqual(width);
      expect(amount?.y).toBeGreaterThanOrEqual(0);
      expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(height);
      expect(await page.evaluate('document.querySelector(".mini").scrollWidth')).toBeLessThanOrEqual(width);
    });
  });

  test.each(['light', 'dark'] as const)('axe finds nothing serious (%s)', async (colorScheme) => {
    await onPage({ ...small, state: operation, colorScheme }, async ({ page }) => {
      await page.getByText('Insert or tap card', { exact: true }).waitFor();
      expect(await seriousFindings(page)).toEqual([]);
    });
  });

  test('of a browser is drawn by the page that opens it, asks nobody by itself, and goes with it', async () => {
    const state = { ...operation, host: 'headless' as const };
    const answers = { cancelPayment: () => ok({ payment: null }) };
    await onPage({ state, answers, route: 'settings' }, async ({ page, invoked }) => {
      // The other kind, above other programs, cannot be seen by tests.
      await page.evaluate('delete window.documentPictureInPicture');
      const before = invoked.filter(({ name }) => name === 'state').length;
      const opening = page.waitForEvent('popup');
      await page.getByRole('button', { name: 'Open small window' }).click();
      const popup = await opening;
      await popup.getByText('€1,234.56').waitFor();
      expect(popup.url()).toBe('about:blank');
      expect(await popup.evaluate(`getComputedStyle(document.querySelector('.mini')).display`)).toBe('flex');
      await popup.getByRole('button', { name: 'Cancel payment' }).click();
      await poll(() => invoked.filter(({ name }) => name === 'cancelPayment').length).toBe(1);
      expect(invoked.filter(({ name }) => name === 'state').length).toBe(before);
      const closing = popup.waitForEvent('close');
      await page.evaluate('location.reload()');
      await closing;
    });
  });
});
