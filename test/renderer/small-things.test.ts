/** What is easily lost: a figure of a large amount, the focus, a sentence in the header. */
import { describe, expect, test } from 'vitest';
import {
  consoleState,
  inDoubtView,
  currentOperationView,
  paymentDetail,
  paymentView,
  terminalState,
} from '../support/console-data.ts';
import { needs } from '../support/needs.ts';
import { ok, pagesForTests, poll } from './on-page.ts';

/** The texts of `selector` that are wider than their place. */
const cutOff = (selector: string) =>
  `[...document.querySelectorAll('${selector}')]
    .filter((part) => part.checkVisibility() && part.scrollWidth > part.clientWidth + 1)
    .map((part) => part.textContent)`;
const focused = 'document.activeElement?.className ?? null';

describe.skipIf(!needs('chromium'))('the window', () => {
  const onPage = pagesForTests();
  const size = { width: 900, height: 600 };
  const large = paymentView(1, { amountMinor: 9_999_999_999, reference: 'R'.repeat(40) });

  test('shows every figure of a large amount, and a long reference whole', async () => {
    const state = consoleState({
      lastPayment: large,
      currentOperation: currentOperationView({ amountMinor: 9_999_999_999, reference: 'R'.repeat(40) }),
      terminal: terminalState({ connection: 'operating', progressStep: 'insert_card' }),
    });
    await onPage({ ...size, state, payments: [large], language: 'de' }, async ({ page }) => {
      await page.locator('.till-amount').waitFor();
      const parts =
        '.till-amount, .till-last-amount, .till-operation, .till-operation-head h2, .till-last-card';
      expect(await page.evaluate(cutOff(parts))).toEqual([]);
      await page.getByRole('link', { name: 'Zahlungen' }).click();
      await page.locator('.payment-grid-body .cell-amount').waitFor();
      expect(await page.evaluate(cutOff('.cell-amount'))).toEqual([]);
    });
  });

  test('a void leaves the focus in its payment, and its running button keeps it', async () => {
    const answer = Promise.withResolvers<void>();
    const payment = paymentView(7);
    let now = payment;
    const options = {
      ...size,
      payments: [payment],
      route: `payments/${payment.transactionId}`,
      answers: {
        payment: () => ok(paymentDetail(now)),
        voidPayment: async () => {
          await answer.promise;
          now = { ...payment, status: 'voided' as const };
          return ok({ payment: now });
        },
      },
    };
    await onPage(options, async ({ page, emit }) => {
      await page.getByRole('button', { name: 'Void' }).click();
      const dialog = page.getByRole('dialog');
      const confirm = dialog.getByRole('button', { name: 'Void' });
      await confirm.focus();
      await page.keyboard.press('Enter');
      await dialog.getByText('The terminal is voiding the payment').waitFor();
      expect(await confirm.getAttribute('aria-disabled')).toBe('true');
      expect(await page.evaluate(focused)).toContain('button-danger');
      // "Cancel" would promise what it cannot do.
      await dialog.locator('.dialog-actions').getByRole('button', { name: 'Close' }).waitFor();
      answer.resolve();
      await emit({ kind: 'payment', payment: { ...payment, status: 'voided' } });
      await poll(() => page.getByRole('dialog').count()).toBe(0);
      await poll(() => page.getByRole('button', { name: 'Void' }).count()).toBe(0);
      await poll(() => page.evaluate(focused)).toContain('payment-detail');
    });
  });

  test('the focus of a banner that goes is not lost', async () => {
    const origin = 'https://pos.example';
    const state = consoleState({ blockedOrigins: [{ origin, at: '2026-05-12T08:00:00.000Z' }] });
    await onPage({ ...size, state }, async ({ page }) => {
      await page.getByRole('button', { name: 'Dismiss' }).click();
      await poll(() => page.evaluate('document.activeElement?.id')).toBe('content');
    });
  });

  test('does not say that a terminal is asked that cannot be asked', async () => {
    const doubts = [inDoubtView({ needsDecision: false })];
    const lost = consoleState({ doubts, terminal: terminalState({ connection: 'lost' }) });
    await onPage({ ...size, state: lost }, async ({ page, setState }) => {
      await page.locator('.till-title', { hasText: 'do not charge again' }).waitFor();
      await page.locator('.banner-warn').getByText('as soon as it is connected again').waitFor();
      await setState({ ...lost, terminal: terminalState({ connection: 'recovering' }) });
      await page.locator('.till-now').getByText('Checking with the terminal').waitFor();
      await page.locator('.banner-warn').getByText('is checking with the terminal').waitFor();
      expect(await page.locator('.till-now').innerText()).not.toContain('not connected');
    });
  });

  test('keeps room for the terminal’s state beside a long sentence, and offers no start that would be refused', async () => {
    const listener = { kind: 'failed', code: 'port_in_use', port: 8080, text: '' } as const;
    await onPage(
      { ...size, state: consoleState({ listener }), language: 'de' },
      async ({ page, setState }) => {
        const terminal = page.locator('.header [data-connection]');
        await page.getByText('Port 8080').first().waitFor();
        expect((await terminal.boundingBox())?.width).toBeGreaterThan(200);
        const failed = { kind: 'failed', text: 'No.' } as const;
        await setState(consoleState({ bridge: failed, terminal: null, listener: { kind: 'off' } }));
        await page.locator('[data-situation="bridge"]').waitFor();
        expect(await page.getByRole('button', { name: 'Starten' }).count()).toBe(0);
      },
    );
  });

  test('the bar that says "not saved" does not come over the field that is being changed', async () => {
    await onPage({ ...size, route: 'settings' }, async ({ page }) => {
      const port = page.getByLabel('Port', { exact: true });
      await port.evaluate((field) => field.scrollIntoView({ block: 'end' }));
      await port.fill('99999');
      const bar = page.locator('.settings-bar[data-shown="true"]');
      await bar.waitFor();
      const bottom = async () => {
        const box = await port.boundingBox();
        return box === null ? Infinity : box.y + box.height;
      };
      const top = (await bar.boundingBox())?.y ?? 0;
      await poll(bottom).toBeLessThanOrEqual(top);
    });
  });
});
