/** Figures are all of one width where they stand below each other; in prose that form would widen every hyphen. */
import { describe, expect, test } from 'vitest';
import { paymentView } from '../support/console-data.ts';
import { needs } from '../support/needs.ts';
import { pagesForTests } from './on-page.ts';

const payment = paymentView(7);

/** What has to be of one width there, and what must not be. */
const pages: [route: string, figures: string[], prose: string[]][] = [
  ['till', ['.till-figures dd', '.till-schemes td', 'time'], ['.till-now p', '.header p', 'h2', 'button']],
  [
    'payments',
    ['.cell-amount', '.cell-time time', '.taken-sum'],
    ['.cell-reference', '.cell-status', 'label'],
  ],
  [`payments/${payment.transactionId}`, ['.story time'], ['.entry-title', '.payment-detail dt']],
  [
    `payments/${payment.transactionId}/receipt`,
    ['.receipt-amount'],
    ['.receipt-paper dd', '.receipt-paper p'],
  ],
  ['batches', ['.batches td'], ['.batches th[scope=row]', '.batches p']],
  ['till/2026-05-12/report', ['td[data-figures]'], ['th[scope=row]', '.report h2']],
  [
    'help',
    ['.diagnosis-calls td:last-child', 'time'],
    ['.diagnosis-calls td:nth-child(2)', '.diagnosis-step p'],
  ],
  ['settings', [], ['p', 'label', 'h2']],
];

describe.skipIf(!needs('chromium'))('figures of one width', () => {
  const onPage = pagesForTests();

  test.each(pages)('on the page %s, and not in its prose', async (route, figures, prose) => {
    await onPage({ route, payments: [payment] }, async ({ page }) => {
      const formOf = async (selector: string) => {
        const one = `${selector}:not(:has(time))`;
        await page.locator(one).first().waitFor({ state: 'attached' });
        return page.evaluate<string>(
          `getComputedStyle(document.querySelector(${JSON.stringify(one)})).fontVariantNumeric`,
        );
      };
      const formsOf = async (selectors: string[]) =>
        Object.fromEntries(
          await Promise.all(selectors.map(async (selector) => [selector, await formOf(selector)])),
        );
      const all = (selectors: string[], form: string) =>
        Object.fromEntries(selectors.map((selector) => [selector, form]));
      expect(await formsOf(figures)).toEqual(all(figures, 'tabular-nums'));
      expect(await formsOf(prose)).toEqual(all(prose, 'normal'));
    });
  });
});
