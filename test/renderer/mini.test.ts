/** The small window: `#/mini`, and the one that a browser's page draws by itself. */
import { describe, expect, test } from 'vitest';
import type { ConsoleState } from '../../src/contract/console/index.ts';
import {
  consoleState,
  currentOperationView,
  inDoubtView,
  nowMs,
  otherTerminalState,
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

/** Nothing on the main terminal, which is the chosen one. */
function ofBar(bar: Parameters<typeof otherTerminalState>[0], changes: Partial<ConsoleState> = {}) {
  return consoleState({ otherTerminals: [otherTerminalState(bar)], ...changes });
}
const onBar = { currentOperation: currentOperationView({ operationId: 'on-bar', reference: 'B-2008' }) };
const tooLate = () => ({
  ok: false as const,
  refusal: { code: 'cancel_too_late' as const, message: 'too late' },
});
/** Far longer than a result is new. */
const laterMs = 20_000;

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
    const answers = { cancelPayment: tooLate };
    await onPage({ ...small, state: operation, answers }, async ({ page }) => {
      await page.getByRole('button', { name: 'Cancel payment' }).click();
      const note = page.locator('.mini .note');
      await note.waitFor();
      expect(await note.innerText()).toMatch(/^A-1007 was not cancelled. Too late:/);
    });
  });

  test('of several terminals stays with the one that was busy until its result is old', async () => {
    await onPage({ ...small, state: ofBar(onBar) }, async ({ page, setState }) => {
      await page.getByText('B-2008').waitFor();
      const at = new Date(await page.evaluate<number>('Date.now()')).toISOString();
      const ended = { lastEnded: { operationId: 'on-bar', outcome: 'declined' as const, at } };
      await setState(ofBar(ended));
      const title = page.locator('.mini-title');
      await title.waitFor();
      expect(await title.innerText()).toBe('Declined');
      expect(await page.locator('.mini-terminal').innerText()).toBe('Terminal “bar”');
      await page.clock.runFor(laterMs);
      await poll(() => title.innerText()).toBe('Ready');
      expect(await page.locator('.mini-terminal').innerText()).toBe('Main terminal');
    });
  });

  test('of several terminals shows what is in doubt on one until it is clear', async () => {
    const doubts = [inDoubtView({ operationId: 'on-bar', onTerminal: 'bar' })];
    await onPage({ ...small, state: ofBar(onBar) }, async ({ page, setState }) => {
      await page.getByText('B-2008').waitFor();
      await setState(ofBar({}, { doubts }));
      await page.locator('[data-situation="in_doubt"]').waitFor();
      // A payment on the chosen one comes first; afterwards the other one still waits.
      await setState(ofBar({}, { doubts, currentOperation: currentOperationView() }));
      await page.getByText('A-1007').waitFor();
      await setState(ofBar({}, { doubts }));
      await page.clock.runFor(laterMs);
      await poll(() => page.locator('.mini-terminal').innerText()).toBe('Terminal “bar”');
      expect(await page.locator('.mini').getAttribute('data-situation')).toBe('in_doubt');
      await setState(ofBar({}));
      await page.locator('[data-situation="ready"]').waitFor();
    });
  });

  test('of several terminals says what became of a cancel, also after another one was shown', async () => {
    const options = { ...small, state: ofBar(onBar), answers: { cancelPayment: tooLate } };
    await onPage(options, async ({ page, setState }) => {
      const button = page.getByRole('button', { name: 'Cancel payment' });
      await poll(() => button.isEnabled()).toBe(true);
      await button.click();
      const note = page.locator('.mini .note');
      await note.waitFor();
      await setState(ofBar({}));
      await page.clock.runFor(laterMs);
      expect(await note.innerText()).toMatch(/^B-2008 was not cancelled. Too late:/);
      await setState(ofBar({}, { currentOperation: currentOperationView() }));
      await page.getByText('A-1007').waitFor();
      expect(await note.count()).toBe(0);
      await setState(ofBar({}));
      await note.waitFor();
      await note.getByRole('button', { name: 'Close' }).click();
      await poll(() => page.locator('.mini-terminal').innerText()).toBe('Main terminal');
    });
  });

  test('does not let Cancel be pressed at once where another terminal has come into view', async () => {
    await onPage({ ...small, state: ofBar(onBar) }, async ({ page, setState, invoked }) => {
      const button = page.getByRole('button', { name: 'Cancel payment' });
      await poll(() => button.isEnabled()).toBe(true);
      await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 1_000);
      await setState(ofBar(onBar, { currentOperation: currentOperationView() }));
      await page.getByText('A-1007').waitFor();
      expect(await button.isEnabled()).toBe(false);
      await button.click({ force: true });
      await page.clock.runFor(790);
      expect(await button.isEnabled()).toBe(false);
      await page.clock.runFor(20);
      await poll(() => button.isEnabled()).toBe(true);
      expect(invoked.filter(({ name }) => name === 'cancelPayment')).toEqual([]);
      await page.clock.resume();
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
