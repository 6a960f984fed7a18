/** The report of a day and of a batch: on the screen, on paper, as a table. */
import { describe, expect, test } from 'vitest';
import type { DayReport, DayReportRequest } from '../../src/contract/console/index.ts';
import { reportDays } from '../../src/renderer/pages/day-report/report-days.ts';
import { seriousFindings } from '../support/axe.ts';
import {
  at,
  batchView,
  consoleState,
  dayReport,
  discrepancyView,
  paymentView,
  terminalState,
  otherTerminalState,
} from '../support/console-data.ts';
import { needs } from '../support/needs.ts';
import { missingKey, ok, pagesForTests, poll } from './on-page.ts';

const about = (number: number, kind: 'sale' | 'void' = 'sale') => {
  const { transactionId, reference, amountMinor, currency } = paymentView(number);
  return { operationId: transactionId, kind, reference, transactionId, amountMinor, currency };
};
/** A day on which everything happened. */
const eventful: Partial<DayReport> = {
  decisions: {
    count: 1,
    items: [
      {
        ...about(7),
        at: at(12),
        by: 'Kim Berg',
        reason: 'Slip 0123 is in the drawer.',
        outcome: 'approved',
        terminalUnreachable: true,
      },
    ],
  },
  doubts: {
    count: 2,
    items: [
      { ...about(7), at: at(10), outcome: 'approved', endedAt: at(12) },
      { ...about(11), at: at(60), outcome: null, endedAt: null },
    ],
  },
  voids: { count: 301, items: [{ ...about(4, 'void'), at: at(20), byHand: false }] },
  discrepancies: {
    count: 1,
    items: [
      discrepancyView(2, { acknowledged: { by: 'Ada Lo', reason: 'Paid by hand, slip 0124', at: at(70) } }),
    ],
  },
  batches: { count: 1, items: [batchView(2)] },
  complete: false,
};

describe('the days of a report', () => {
  // A Tuesday afternoon, by this computer's own clock.
  const now = new Date(2026, 4, 12, 14, 5, 30);
  const local = (year: number, month: number, day: number, hour = 0, minute = 0) =>
    new Date(year, month - 1, day, hour, minute).toISOString();

  test('are whole ones, a week apart', () => {
    expect(reportDays('2026-05-10', now)).toEqual({
      day: '2026-05-10',
      isToday: false,
      request: {
        span: { from: local(2026, 5, 10), until: local(2026, 5, 11) },
        compared: { from: local(2026, 5, 3), until: local(2026, 5, 4) },
      },
    });
  });

  test.each(['today', null, '2026-05-12', '2026-05-13', '2026-02-30', 'x'])(
    'are today for %s, beside as much of the same day a week before',
    (wanted) => {
      expect(reportDays(wanted, now)).toEqual({
        day: '2026-05-12',
        isToday: true,
        request: {
          span: { from: local(2026, 5, 12), until: local(2026, 5, 13) },
          compared: { from: local(2026, 5, 5), until: local(2026, 5, 5, 14, 5) },
        },
      });
    },
  );
});

describe.skipIf(!needs('chromium'))('a report', () => {
  const onPage = pagesForTests();

  test.each([
    ['en', 'light'],
    ['de', 'dark'],
  ] as const)('of a day has all that happened (%s, %s)', async (language, colorScheme) => {
    const answers = { dayReport: () => ok(dayReport(eventful)) };
    await onPage({ route: 'till/today/report', answers, language, colorScheme }, async ({ page }) => {
      await page.locator('.report-section').first().waitFor();
      const text = await page.locator('main').innerText();
      expect(text).not.toMatch(missingKey);
      for (const part of ['Kim Berg', 'Slip 0123 is in the drawer.', 'A-1011', 'Ada Lo', 'girocard'])
        expect(text).toContain(part);
      if (language === 'en') {
        expect(text).toMatch(/Taken \(EUR\)\s+€1,234.50\s+A week before: €1,049.00/);
        expect(text).toContain('Still open');
        expect(text).toContain('300 more are not shown here.');
        expect(text).toContain('the lists show only the beginning of the day');
      }
      expect(await page.getByRole('row', { name: /girocard/ }).innerText()).toMatch(/24\s.*24\s/s);
      expect(await seriousFindings(page)).toEqual([]);
    });
  });

  test('of a day on which nothing else happened says so of each list', async () => {
    await onPage({ route: 'till/2026-05-10/report' }, async ({ page, invoked }) => {
      await page.locator('.report-section').first().waitFor();
      expect(await page.locator('[data-empty=true]').count()).toBe(5);
      const asked = invoked.find(({ name }) => name === 'dayReport')?.request as DayReportRequest;
      expect(Date.parse(asked.span.from) - Date.parse(asked.compared.from)).toBe(7 * 86_400_000);
    });
  });

  test('goes from day to day, and no further than today', async () => {
    await onPage({ route: 'till/2026-05-11/report' }, async ({ page }) => {
      const next = page.getByRole('button', { name: 'Next day' });
      await page.getByRole('button', { name: 'Previous day' }).click();
      await page.getByText(/^10 May 2026/).waitFor();
      await page.getByLabel('Day', { exact: true }).fill('11/05/2026');
      await page.keyboard.press('Enter');
      await page.getByText(/^11 May 2026 · compared with 4 May 2026$/).waitFor();
      await next.click();
      await page.getByText(/^12 May 2026 · compared with 5 May 2026 until /).waitFor();
      expect(new URL(page.url()).hash).toBe('#/till/today/report');
      expect(await next.isDisabled()).toBe(true);
    });
  });

  test('is printed alone, and says where it is from', async () => {
    const terminal = terminalState({ simulated: true });
    const state = consoleState({ terminal });
    await onPage({ route: 'till/today/report', state }, async ({ page }) => {
      await page.locator('.report-section').first().waitFor();
      expect(await page.locator('.report-paper-head').isVisible()).toBe(false);
      await page.emulateMedia({ media: 'print' });
      for (const hidden of ['.header', '.navigation', '.report-tools', '.report > nav'])
        expect(await page.locator(hidden).isVisible()).toBe(false);
      const head = await page.locator('.report-paper-head').innerText();
      expect(head).toContain('SIMULATOR – no real payment');
      expect(head).toContain('Tillbridge 9.9.9');
      await page.emulateMedia({ media: 'screen' });
    });
  });

  test('is saved as a table, and by the desktop app as a PDF', async () => {
    const state = consoleState({ host: 'desktop' });
    await onPage({ route: 'till/2026-05-10/report', state }, async ({ page, saved }) => {
      await page.getByRole('button', { name: 'Save as CSV' }).click();
      await poll(() => saved.length).toBe(1);
      await page.getByRole('button', { name: 'Save as PDF' }).click();
      await poll(() => saved.length).toBe(2);
      expect(saved).toMatchObject([
        { kind: 'day_report', span: { from: new Date(2026, 4, 10).toISOString() } },
        { kind: 'page_pdf', name: 'day-report-2026-05-10' },
      ]);
    });
  });

  test('has in its name as a PDF of which terminal it is', async () => {
    const state = consoleState({ host: 'desktop', otherTerminals: [otherTerminalState()] });
    await onPage({ route: 'till/2026-05-10/report?terminal=bar', state }, async ({ page, saved }) => {
      await page.getByText('Terminal “bar”').first().waitFor({ state: 'attached' });
      await page.getByRole('button', { name: 'Save as PDF' }).click();
      await poll(() => saved.length).toBe(1);
      expect(saved).toMatchObject([{ kind: 'page_pdf', name: 'day-report-2026-05-10-bar' }]);
    });
  });

  test.each([
    ['till', /^12 May 2026/],
    ['payments?day=2026-05-10', /^10 May 2026/],
  ])('is reached from %s', async (route, of) => {
    await onPage({ route }, async ({ page }) => {
      await page.getByRole('link', { name: 'Day report' }).click();
      await page.getByText(of).waitFor();
      expect(await page.getByRole('heading', { name: 'Day report' }).count()).toBe(1);
    });
  });

  test('says why it cannot be had', async () => {
    const refusal = { code: 'no_bridge' as const, message: 'The bridge is not running.' };
    const dayReport = () => ({ ok: false as const, refusal });
    await onPage({ route: 'till/today/report', answers: { dayReport } }, async ({ page }) => {
      await page.getByText('The bridge is not running.').waitFor();
      expect(await page.getByRole('button', { name: /Print|CSV/ }).count()).toBe(0);
    });
  });

  test('of a batch has its totals and its payments, and is one step from the batches', async () => {
    await onPage({ route: 'batches', language: 'de' }, async ({ page, saved }) => {
      await page.getByRole('link', { name: 'Bericht', exact: true }).first().click();
      await page.getByRole('heading', { name: '3 Zahlungen dieses Kassenschnitts' }).waitFor();
      const text = await page.locator('main').innerText();
      expect(text).not.toMatch(missingKey);
      expect(text).toContain('Terminal und Journal stimmen überein');
      expect(text).toContain('A-1003');
      await page.getByRole('button', { name: 'Als CSV speichern' }).click();
      await poll(() => saved).toEqual([{ kind: 'batch_report', operationId: batchView(2).operationId }]);
      await page.getByRole('link', { name: 'Kassenschnitte' }).first().click();
      await page.getByRole('link', { name: 'Tagesbericht' }).click();
      await page.getByRole('heading', { name: 'Tagesbericht' }).waitFor();
    });
  });
});
