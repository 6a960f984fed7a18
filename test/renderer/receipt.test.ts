/** The receipts of a payment: on the screen, on paper, and as a file. */
import { describe, expect, test } from 'vitest';
import type { PaymentView, Receipt } from '../../src/contract/console/index.ts';
import { seriousFindings } from '../support/axe.ts';
import { at, consoleState, paymentView, receiptView } from '../support/console-data.ts';
import { needs } from '../support/needs.ts';
import { missingKey, ok, pagesForTests, poll } from './on-page.ts';

const decision = {
  operationId: paymentView(7).transactionId,
  at: at(12),
  by: 'Kim Berg',
  reason: 'Slip 0123 is in the drawer.',
  outcome: 'approved' as const,
  terminalUnreachable: false,
};

/** With what the terminal sent to print. */
function printed(receipt: Receipt, parts: Receipt['slips'][number]['printed']): Receipt {
  return { ...receipt, slips: receipt.slips.map((slip) => ({ ...slip, printed: parts })) };
}

describe.skipIf(!needs('chromium'))('the receipt of a payment', () => {
  const onPage = pagesForTests();
  const shown = (payment: PaymentView, receipt = receiptView(payment)) => ({
    route: `payments/${payment.transactionId}/receipt`,
    answers: { receipt: () => ok(receipt) },
  });

  test.each([
    ['en', 'light'],
    ['de', 'dark'],
  ] as const)('is made from the journal, one for each copy (%s, %s)', async (language, colorScheme) => {
    const payment = paymentView(7, { simulated: true });
    await onPage({ ...shown(payment), language, colorScheme }, async ({ page }) => {
      await page.locator('[data-copy=merchant]').waitFor();
      const text = await page.locator('[data-copy=customer]').innerText();
      for (const part of [
        language === 'en' ? 'SIMULATOR – no real payment' : 'SIMULATOR – keine echte Zahlung',
        language === 'en' ? '€19.00' : '19,00\u00a0€',
        '52500041',
        'Debit Mastercard •••• 0041',
        '472910',
        '000007',
        '0007',
        'A-1007',
      ])
        expect(text).toContain(part);
      expect(text).not.toMatch(missingKey);
      expect(await seriousFindings(page)).toEqual([]);
      const whose = page.getByLabel(language === 'en' ? 'Receipt for' : 'Beleg für');
      await whose.selectOption('merchant');
      await poll(() => page.locator('[data-copy]').count()).toBe(1);
    });
  });

  test('has the terminal’s own lines, each copy its own, and no line can break the page', async () => {
    const payment = paymentView(7);
    const lines = ['  Café Müßig', '<img src=x onerror=alert(1)>', 'X'.repeat(250), 'a\u001b[2Jb\u202ec'];
    const receipt = printed(receiptView(payment), [
      { copy: 'merchant', lines },
      { copy: 'customer', lines: ['Vielen Dank'] },
    ]);
    await onPage({ ...shown(payment, receipt), width: 900, height: 600 }, async ({ page }) => {
      const merchant = page.locator('[data-copy=merchant] pre');
      await merchant.waitFor();
      expect(await merchant.innerText()).toBe(
        [...lines.slice(0, 3), String.raw`a\u001b[2Jb\u202ec`].join('\n'),
      );
      expect(await page.locator('[data-copy=customer] pre').innerText()).toBe('Vielen Dank');
      expect(await page.locator('main img').count()).toBe(0);
      const wider = await page.locator('main').evaluate((main) => main.scrollWidth > main.clientWidth);
      expect(wider).toBe(false);
    });
  });

  test('of which the terminal does not say whose it is stands there once', async () => {
    const payment = paymentView(7);
    const receipt = printed(receiptView(payment), [{ copy: null, lines: ['PAID'] }]);
    await onPage(shown(payment, receipt), async ({ page }) => {
      await page.locator('[data-copy=untold]').waitFor();
      expect(await page.locator('[data-copy]').count()).toBe(1);
      await page.getByLabel('Receipt for').selectOption('customer');
      await page.locator('[data-copy=untold]').waitFor();
    });
  });

  test.each([
    ['voided', /Voided 12/],
    ['declined', 'Declined – no money was taken'],
    ['cancelled', 'Cancelled – no money was taken'],
    ['failed', 'Failed – no money was taken'],
  ] as const)('of a payment that is %s says so', async (status, words) => {
    const payment = paymentView(7, { status });
    await onPage(shown(payment), async ({ page }) => {
      const first = page.locator('.receipt-paper').first();
      await first.getByText(words).waitFor();
      expect(await first.getByText('Payment approved').count()).toBe(status === 'voided' ? 1 : 0);
      expect(await page.locator('.receipt-paper').count()).toBe(status === 'voided' ? 4 : 2);
    });
  });

  test.each([
    ['unknown', 'In doubt: no receipt'],
    ['voiding', 'The void is not finished: no receipt'],
    ['in_progress', 'No receipt yet'],
  ] as const)('is none while the payment is %s, and comes by itself', async (status, words) => {
    let payment = paymentView(7, { status });
    const answers = { receipt: () => ok(receiptView(payment)) };
    await onPage({ ...shown(payment), answers }, async ({ page, emit }) => {
      await page.getByText(words).waitFor();
      expect(await page.getByRole('button', { name: /Print/ }).count()).toBe(0);
      payment = paymentView(7);
      await emit({ kind: 'payment', payment });
      await page.locator('.receipt-paper').first().waitFor();
    });
  });

  test('that a person decided says who and why to the merchant, and to the customer only that', async () => {
    const payment = paymentView(7, { decisions: [decision] });
    await onPage(shown(payment), async ({ page }) => {
      await page.getByText('Decided by Kim Berg: Approved').waitFor();
      expect(await page.locator('[data-copy=merchant]').innerText()).toContain(
        '“Slip 0123 is in the drawer.”',
      );
      const customer = await page.locator('[data-copy=customer]').innerText();
      expect(customer).toContain('Entered by hand, ');
      expect(customer).not.toContain('Kim Berg');
    });
  });

  test('and the list of payments marks it, with who and why', async () => {
    const payments = [paymentView(7, { decisions: [decision] }), paymentView(6)];
    await onPage({ route: 'payments', payments }, async ({ page }) => {
      const mark = page.locator('.decision-mark');
      await mark.waitFor();
      expect(await mark.count()).toBe(1);
      expect(await mark.getAttribute('title')).toMatch(
        /^Decided by Kim Berg: Approved, .*Reason: Slip 0123 is in the drawer\.$/,
      );
    });
  });

  test('is printed without the rest of the window, and is a copy from then on', async () => {
    const payment = paymentView(7);
    let printedBefore = false;
    const answers = {
      receipt: () => ok(receiptView(payment, { printedBefore })),
      receiptPrinted: () => {
        printedBefore = true;
        return ok({});
      },
    };
    await onPage({ ...shown(payment), answers }, async ({ page, invoked }) => {
      await page.getByRole('button', { name: 'Print or save as PDF' }).waitFor();
      expect(await page.getByRole('button', { name: 'Save as PDF', exact: true }).count()).toBe(0);
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator('.receipt-paper').first().isVisible()).toBe(true);
      for (const hidden of ['.header', '.navigation', '.page-head', 'nav'])
        expect(await page.locator(hidden).first().isVisible()).toBe(false);
      await page.emulateMedia({ media: 'screen' });
      expect(await page.getByText('COPY').count()).toBe(0);
      // Makes the page print, as its button and the browser's menu do.
      await page.pdf();
      await page.getByText('COPY').first().waitFor();
      expect(invoked.filter(({ name }) => name === 'receiptPrinted')).toEqual([
        { name: 'receiptPrinted', request: { transactionId: payment.transactionId } },
      ]);
    });
  });

  test('is saved as a PDF by the desktop app, under a name that every system takes', async () => {
    const payment = paymentView(7, { reference: 'A/7: "ü"' });
    const state = consoleState({ host: 'desktop' });
    await onPage({ ...shown(payment), state }, async ({ page, saved }) => {
      await page.getByRole('button', { name: 'Save as PDF' }).click();
      await page.getByText('Saved: file').waitFor();
      expect(saved).toEqual([{ kind: 'page_pdf', name: 'receipt-A-7-ü-' }]);
    });
  });

  test('is one step from the payment', async () => {
    await onPage({ route: `payments/${paymentView(7).transactionId}` }, async ({ page }) => {
      await page.getByRole('link', { name: 'Receipt' }).click();
      await page.locator('.receipt-paper').first().waitFor();
      await page.getByRole('link', { name: 'Payment', exact: true }).click();
      await page.locator('.payment-detail').waitFor();
      expect(await page.locator('.receipt-paper').count()).toBe(0);
    });
  });
});
