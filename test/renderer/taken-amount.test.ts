/** A payment of another amount than was asked for, with a tip, say: the window shows what was taken, and what was asked. */
import { describe, expect, test } from 'vitest';
import { consoleState, paymentDetail, paymentView } from '../support/console-data.ts';
import { needs } from '../support/needs.ts';
import { ok, pagesForTests, poll } from './on-page.ts';

describe.skipIf(!needs('chromium'))('a payment with a tip', () => {
  const onPage = pagesForTests();
  const payment = paymentView(7, { amountMinor: 1_200, approvedMinor: 1_320 });
  const answers = { payment: () => ok(paymentDetail(payment)) };

  test('shows on the till what was taken', async () => {
    await onPage({ state: consoleState({ lastPayment: payment }) }, async ({ page }) => {
      await poll(() => page.locator('.till-last-amount').innerText()).toBe('€13.20');
    });
  });

  test('shows what was taken in list and detail, and there what was asked for; a void gives back all of it', async () => {
    const route = `payments/${payment.transactionId}`;
    await onPage({ route, answers, payments: [payment] }, async ({ page }) => {
      await poll(() => page.locator('.cell-amount').last().innerText()).toBe('€13.20');
      await poll(() => page.locator('.detail-amount').innerText()).toBe('€13.20');
      expect(await page.locator('[data-field="requestedAmount"]').innerText()).toContain('€12.00');
      await page.getByRole('button', { name: 'Void' }).click();
      await page.getByRole('dialog').getByText('€13.20 (payment A-1007)').waitFor();
    });
  });

  test('that is exactly what was asked for says so once', async () => {
    const exact = paymentView(7);
    const route = `payments/${exact.transactionId}`;
    await onPage({ route, answers: { payment: () => ok(paymentDetail(exact)) } }, async ({ page }) => {
      await page.locator('.detail-amount').waitFor();
      expect(await page.locator('[data-field="requestedAmount"]').count()).toBe(0);
    });
  });
});
