/** The day's charts: figures under the pointer and with the keyboard, and the day a week before beside this one. */
import { describe, expect, test } from 'vitest';
import type { Span } from '../../src/contract/console/index.ts';
import { seriousFindings } from '../support/axe.ts';
import { daySummary, nowMs } from '../support/console-data.ts';
import { needs } from '../support/needs.ts';
import { ok, pagesForTests, poll } from './on-page.ts';

const hourMs = 3_600_000;

/** Three payments an hour from nine to noon; a week before one at eight and four at six in the evening. */
function today({ from }: Span) {
  const fromMs = Date.parse(from);
  const isToday = fromMs > nowMs - 24 * hourMs;
  const counts = isToday ? { 9: 3, 10: 3, 11: 3 } : { 8: 1, 18: 4 };
  const hours = Array.from({ length: 24 }, (_, hour) => {
    const count = (counts as Record<number, number>)[hour] ?? 0;
    const approved = Math.max(0, count - 1);
    return {
      from: new Date(fromMs + hour * hourMs).toISOString(),
      count,
      approved,
      sumMinor: approved * 1_250,
    };
  });
  const responseTimes = isToday
    ? [{ at: new Date(fromMs + 9.5 * hourMs).toISOString(), answerMs: 90, cardMs: 1_400 }]
    : [];
  const sums = isToday ? {} : { count: 5, sumMinor: 3_750 };
  return ok(daySummary({ hours, responseTimes, ...sums }));
}

describe.skipIf(!needs('chromium'))('the day’s charts', () => {
  const onPage = pagesForTests();
  const options = { answers: { today }, width: 1_200, height: 780 };

  test('show an hour’s figures with the keyboard, from the newest on, and hide them when it leaves', async () => {
    await onPage(options, async ({ page }) => {
      const chart = page.getByRole('group', { name: 'Payments by hour' });
      const figures = chart.getByRole('status');
      await chart.waitFor();
      await page.getByRole('link', { name: 'Day report' }).focus();
      await page.keyboard.press('Tab');
      await poll(() => figures.innerText()).toBe(
        ['11:00 – 12:00', '3 payments, 2 approved', '€25.00', 'Last Tuesday: 0'].join('\n\n'),
      );
      await page.keyboard.press('Home');
      await poll(() => figures.innerText()).toContain('08:00 – 09:00');
      expect(await figures.innerText()).toContain('Last Tuesday: 1');
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowRight');
      await poll(() => figures.innerText()).toContain('09:00 – 10:00');
      await page.keyboard.press('End');
      await poll(() => figures.innerText()).toContain('18:00 – 19:00');
      expect(await seriousFindings(page)).toEqual([]);
      await page.keyboard.press('Tab');
      await poll(() => figures.isHidden()).toBe(true);
      const durations = page.getByRole('group', { name: 'Card to result' }).getByRole('status');
      await poll(() => durations.innerText()).toContain('1.4 sec');
    });
  });

  test('show an hour’s figures under the pointer', async () => {
    await onPage(options, async ({ page }) => {
      const chart = page.getByRole('group', { name: 'Payments by hour' });
      // The week before adds hours, and the bars of this day move.
      await page.getByText(/^Last Tuesday up to/).waitFor();
      const over = (await chart.locator('.u-over').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      // Eleven hours from eight o'clock on: the middle of the second.
      await page.mouse.move(over.x + (over.width * 1.5) / 11, over.y + over.height / 2);
      await poll(() => chart.getByRole('status').innerText()).toContain('09:00 – 10:00');
      await page.mouse.move(0, 0);
      await poll(() => chart.getByRole('status').isHidden()).toBe(true);
    });
  });

  test('stand beside the same day a week before, up to the same time', async () => {
    await onPage(options, async ({ page, invoked }) => {
      await page.getByText(/^Last Tuesday up to \d\d:\d\d: 5 payments, €37.50$/).waitFor();
      const spans = invoked.filter(({ name }) => name === 'today').map(({ request }) => request as Span);
      const [day, whole, part] = ['0', '1', '2'].map((index) => spans[Number(index)]);
      const week = 7 * 24 * hourMs;
      expect(Date.parse(whole?.from ?? '')).toBe(Date.parse(day?.from ?? '') - week);
      expect(part?.from).toBe(whole?.from);
      expect(Date.parse(part?.until ?? '')).toBeLessThanOrEqual(nowMs - week + 60_000);
      const table = page.locator('.till-chart').first().getByRole('table');
      expect(await table.locator('tbody tr').allTextContents()).toEqual([
        '08:00 – 09:0000€0.001',
        '09:00 – 10:0032€25.000',
        '10:00 – 11:0032€25.000',
        '11:00 – 12:0032€25.000',
        '18:00 – 19:0000€0.004',
      ]);
    });
  });

  test('are not compared with a day of which nothing is known', async () => {
    const alone = (span: Span) => {
      const refusal = { code: 'journal_unavailable' as const, message: '' };
      return Date.parse(span.from) > nowMs - 24 * hourMs ? today(span) : { ok: false as const, refusal };
    };
    await onPage({ ...options, answers: { today: alone } }, async ({ page }) => {
      await page.locator('.chart canvas').first().waitFor();
      expect(await page.locator('.till-today').innerText()).not.toContain('Tuesday');
    });
  });
});
