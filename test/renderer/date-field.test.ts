/** A date that is typed or chosen: in the console's language, with the keyboard alone, and with words for what is no date. */
import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright';
import { seriousFindings } from '../support/axe.ts';
import { needs } from '../support/needs.ts';
import { pagesForTests, poll } from './on-page.ts';

const focused = (page: Page) =>
  page.evaluate<string | null>(`document.activeElement.getAttribute('aria-label')`);
const route = 'payments?day=2026-05-09';

describe.skipIf(!needs('chromium'))('a date', () => {
  const onPage = pagesForTests();

  test('is in the console’s language in an English browser, while somebody types as well', async () => {
    await onPage({ route, language: 'de', locale: 'en-US' }, async ({ page }) => {
      const day = page.getByLabel('Tag', { exact: true });
      await poll(() => day.inputValue()).toBe('09.05.2026');
      await day.fill('7.5.26');
      expect(await day.inputValue()).toBe('7.5.26');
      await page.keyboard.press('Enter');
      await poll(() => day.inputValue()).toBe('07.05.2026');
      expect(page.url()).toContain('day=2026-05-07');
    });
  });

  test('that is none says so beside the field, and changes nothing', async () => {
    await onPage({ route }, async ({ page }) => {
      const day = page.getByLabel('Day', { exact: true });
      await day.fill('31/02/2026');
      await page.keyboard.press('Tab');
      await page.getByText('Not a date. Write it like this: 12/05/2026').waitFor();
      expect(await day.getAttribute('aria-invalid')).toBe('true');
      expect(await day.inputValue()).toBe('31/02/2026');
      expect(page.url()).toContain('day=2026-05-09');
      await page.getByRole('button', { name: 'Previous day' }).click();
      await poll(() => day.inputValue()).toBe('08/05/2026');
      expect(await day.getAttribute('aria-invalid')).toBe('false');
      await day.fill('');
      await page.keyboard.press('Enter');
      await poll(() => page.url().includes('day=')).toBe(false);
    });
  });

  test('is chosen in the calendar with the keyboard alone, which then is where it was', async () => {
    await onPage({ route, language: 'de', locale: 'en-US' }, async ({ page }) => {
      await page.getByRole('button', { name: 'Kalender: Tag' }).focus();
      await page.keyboard.press('Enter');
      await poll(() => focused(page)).toBe('Samstag, 9. Mai 2026');
      expect(await page.getByRole('columnheader').first().textContent()).toBe('Mo');
      expect(await page.getByRole('gridcell', { selected: true }).textContent()).toBe('9');
      await page.keyboard.press('ArrowDown');
      await poll(() => focused(page)).toBe('Samstag, 16. Mai 2026');
      await page.keyboard.press('Home');
      await poll(() => focused(page)).toBe('Montag, 11. Mai 2026');
      await page.keyboard.press('PageUp');
      await poll(() => focused(page)).toBe('Samstag, 11. April 2026');
      await page.keyboard.press('Escape');
      await poll(() => focused(page)).toBe('Kalender: Tag');
      expect(page.url()).toContain('day=2026-05-09');
      await page.keyboard.press('Enter');
      await poll(() => focused(page)).toBe('Samstag, 9. Mai 2026');
      await page.keyboard.press('ArrowLeft');
      await poll(() => focused(page)).toBe('Freitag, 8. Mai 2026');
      await page.keyboard.press('Enter');
      await poll(() => page.getByLabel('Tag', { exact: true }).inputValue()).toBe('08.05.2026');
      await poll(() => focused(page)).toBe('Kalender: Tag');
    });
  });

  test.each([
    ['en', 'light'],
    ['de', 'dark'],
  ] as const)(
    'has a calendar that is fit for everybody (%s, %s), in the smallest window as well',
    async (language, colorScheme) => {
      const options = { route: 'till/today/report', language, colorScheme, width: 450, height: 300 };
      await onPage(options, async ({ page }) => {
        await page.getByRole('button', { name: /^(Calendar|Kalender): / }).click();
        const calendar = page.getByRole('dialog');
        await calendar.getByRole('gridcell').first().waitFor();
        expect(await seriousFindings(page)).toEqual([]);
        // Nothing after today can be chosen.
        expect(await calendar.getByRole('button', { name: '13' }).isDisabled()).toBe(true);
        const box = await calendar.boundingBox();
        expect(box?.x).toBeGreaterThanOrEqual(0);
        expect(box?.y).toBeGreaterThanOrEqual(0);
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(450);
        expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(300);
      });
    },
  );
});
