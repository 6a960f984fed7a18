/** Closing the day, and the terminal's totals beside the journal's. */
import { describe, expect, test } from 'vitest';
import type { BatchesResponse, BatchesRequest } from '../../src/contract/console/index.ts';
import { seriousFindings } from '../support/axe.ts';
import { batchView, consoleState, inDoubtView, paymentView, terminalState } from '../support/console-data.ts';
import { needs } from '../support/needs.ts';
import { missingKey, ok, pagesForTests, poll } from './on-page.ts';

const open: BatchesResponse['open'] = {
  count: 3,
  sums: [{ count: 3, sumMinor: 5_600, currency: 'EUR' }],
};
const result = batchView(3).result;
if (result === null) throw new Error('A closed batch has a result.');
const differing = batchView(3, {
  expected: { count: 11, totalMinor: 14_200 },
  result: {
    ...result,
    reconciled: false,
    differences: [
      {
        scheme: 'mastercard',
        terminalCount: 12,
        terminalTotalMinor: 15_400,
        journalCount: 11,
        journalTotalMinor: 14_200,
      },
    ],
  },
});

describe.skipIf(!needs('chromium'))('the page Batches', () => {
  const onPage = pagesForTests();
  const withBatches = (batches: BatchesResponse['batches']) => ({
    batches: () => ok({ batches, next: null, open }),
  });

  test.each([
    ['en', 'light'],
    ['de', 'dark'],
  ] as const)('shows each batch with its outcome and differences (%s, %s)', async (language, colorScheme) => {
    const all = [
      batchView(5, { phase: 'started', outcome: null, result: null, endedAt: null }),
      batchView(4, { phase: 'in_doubt', outcome: null, result: null, endedAt: null }),
      differing,
      batchView(2),
      batchView(1, { outcome: 'not_closed', result: null }),
      batchView(0, { result: { ...result, reconciled: false, totals: [] } }),
    ];
    const state = consoleState({
      doubts: [inDoubtView({ operationId: batchView(4).operationId, kind: 'batch_close' })],
    });
    await onPage(
      { route: 'batches', answers: withBatches(all), state, language, colorScheme },
      async ({ page }) => {
        await page.locator('[data-batch]').first().waitFor();
        const states = await page
          .locator('[data-batch]')
          .evaluateAll((cards) => cards.map((card) => card.getAttribute('data-batch')));
        expect(states).toEqual(['running', 'in_doubt', 'closed', 'closed', 'not_closed', 'closed']);
        const row = page.getByRole('row', { name: /Mastercard/ }).first();
        expect(await row.innerText()).toMatch(
          language === 'en'
            ? /12\s+11\s+€154\.00\s+€142\.00\s+€12\.00/
            : /12\s+11\s+154,00\s€\s+142,00\s€\s+12,00\s€/,
        );
        const text = await page.locator('main').innerText();
        expect(text).not.toMatch(missingKey);
        if (language === 'en') {
          expect(text).toContain('€56.00');
          expect(text).toContain('The terminal and the journal agree');
          expect(text).toContain('nothing could be compared');
        }
        expect(await seriousFindings(page)).toEqual([]);
        const article = page.locator('[data-batch=in_doubt]');
        await article.getByRole('button').click();
        await page.getByRole('dialog').waitFor();
      },
    );
  });

  test('closes the day by keyboard: asks first, shows what goes on, tells how it ended', async () => {
    const release: (() => void)[] = [];
    const submitBatch = async () => {
      await new Promise<void>((resolve) => release.push(resolve));
      return ok({ text: 'Batch 3 is closed; terminal and journal agree.' });
    };
    await onPage({ route: 'batches', answers: { submitBatch } }, async ({ page, invoked, setState }) => {
      const closes = () => invoked.filter(({ name }) => name === 'submitBatch').length;
      const button = page.locator('main').getByRole('button', { name: 'Close the day' });
      await button.focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      expect(await dialog.innerText()).toContain('3 payments, €56.00, will be settled.');
      await page.keyboard.press('Escape');
      await poll(() => dialog.count()).toBe(0);
      expect(closes()).toBe(0);
      await page.keyboard.press('Enter');
      await dialog.getByRole('button', { name: 'Close the day' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('The terminal is closing the day.').waitFor();
      expect(await button.isDisabled()).toBe(true);
      await setState(
        consoleState({ terminal: terminalState({ connection: 'operating', progressStep: 'booking' }) }),
      );
      await page.getByText('Processing').waitFor();
      for (const go of release) go();
      await page.getByText('Batch 3 is closed; terminal and journal agree.').waitFor();
      expect(closes()).toBe(1);
      await poll(() => button.isDisabled()).toBe(false);
    });
  });

  test('shows each currency of the open batch, and says that one close compares one of them', async () => {
    const sums = [
      { count: 1, sumMinor: 1_200, currency: 'EUR' as const },
      { count: 2, sumMinor: 700, currency: 'CHF' as const },
    ];
    const batches = () => ok({ batches: [batchView(1)], next: null, open: { count: 3, sums } });
    await onPage({ route: 'batches', answers: { batches } }, async ({ page }) => {
      await page.locator('[data-batch]').first().waitFor();
      expect(await page.locator('.open-batch-total').innerText()).toMatch(/^€12\.00 \+ CHF\s7\.00$/);
      await page.locator('main').getByRole('button', { name: 'Close the day' }).click();
      const text = await page.getByRole('dialog').innerText();
      expect(text).toContain('compared in one of them only');
      expect(text).not.toContain('will be settled');
      expect(await seriousFindings(page)).toEqual([]);
    });
  });

  test('shows why a close was refused', async () => {
    const submitBatch = () => ({
      ok: false as const,
      refusal: { code: 'payment_unresolved' as const, message: 'An operation is in doubt.' },
    });
    await onPage({ route: 'batches', answers: { submitBatch } }, async ({ page }) => {
      await page.getByRole('button', { name: 'Close the day' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Close the day' }).click();
      await page.getByText('An operation is in doubt.').waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
    });
  });

  test('follows batches and payments that change, and loads earlier ones', async () => {
    let newest = [batchView(9, { phase: 'started', outcome: null, result: null })];
    const earlier = [batchView(8), batchView(7)];
    const batches = ({ before }: BatchesRequest) =>
      ok(before === null ? { batches: newest, next: 900, open } : { batches: earlier, next: null, open });
    await onPage({ route: 'batches', answers: { batches } }, async ({ page, emit }) => {
      await page.locator('[data-batch=running]').waitFor();
      await page.getByRole('button', { name: 'Show more' }).click();
      await page.getByText('Batch 7').waitFor();
      expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
      newest = [batchView(9)];
      await emit({ kind: 'batch' });
      await page.getByText('Batch 9').waitFor();
      expect(await page.locator('[data-batch]').count()).toBe(3);
      newest = [batchView(10), batchView(9)];
      await emit({ kind: 'payment', payment: paymentView(1) });
      await page.getByText('Batch 10').waitFor();
    });
  });

  test('says that there is none yet, and when they cannot be had', async () => {
    await onPage({ route: 'batches', answers: withBatches([]) }, async ({ page }) => {
      await page.getByText('The day has not been closed yet').waitFor();
      expect(await page.locator('[data-batch]').count()).toBe(0);
    });
    const refusal = { code: 'no_bridge' as const, message: 'The bridge is not running.' };
    await onPage(
      { route: 'batches', answers: { batches: () => ({ ok: false, refusal }) } },
      async ({ page }) => {
        await page.getByText('The bridge is not running.').waitFor();
      },
    );
  });
});
