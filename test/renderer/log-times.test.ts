/** The page Log in time: the histogram, a range, ten minutes around a line, and the address that says all of it. */
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { seriousFindings } from '../support/axe.ts';
import { needs } from '../support/needs.ts';
import { follow, list, row, seen } from './log-on-page.ts';
import { madeUpLog, type MadeUpLogOptions } from './made-up-log.ts';
import { pagesForTests, poll } from './on-page.ts';

const startMs = Date.parse('2026-05-12T08:00:00.000Z');
const at = (minute: number) => new Date(startMs + minute * 60_000).toISOString();
/** A line each minute. */
const inMinutes = (options: MadeUpLogOptions) =>
  madeUpLog({ ...options, line: (id) => ({ time: at(id), ...options.line?.(id) }) });
const answersOf = (log: ReturnType<typeof madeUpLog>) => ({ log: log.answer, logHistogram: log.histogram });
const bars = (page: Page) => page.getByRole('listbox', { name: 'Lines over time' });
const hash = (page: Page) => new URL(page.url()).hash;
const queryOf = (page: Page) => Object.fromEntries(new URLSearchParams(hash(page).split('?')[1] ?? ''));

describe.skipIf(!needs('chromium'))('the page Log in time', () => {
  const onPage = pagesForTests();

  test('bars say what is in them, and lead there by keyboard and by pointer', async () => {
    const log = inMinutes({
      last: 600,
      line: (id) => ({ level: id === 305 ? 'error' : id % 100 === 0 ? 'warn' : 'info' }),
    });
    await onPage({ route: 'log', answers: answersOf(log) }, async ({ page, invoked }) => {
      await bars(page).getByRole('option').first().waitFor();
      expect(await bars(page).getByRole('option').count()).toBe(60);
      await bars(page).focus();
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Shift+ArrowRight');
      const chosen = bars(page).getByRole('option', { selected: true });
      expect(await chosen.count()).toBe(2);
      expect(await chosen.first().getAttribute('aria-label')).toContain('lines 10, warnings 0, errors 0');
      await page.keyboard.press('Enter');
      await page.getByText('20 lines found').waitFor();
      // Lines 11 to 30, of which a minute is each; the bars are now those of this stretch.
      expect((await seen(page)).at(-1)).toBe(30);
      await poll(() => invoked.findLast(({ name }) => name === 'logHistogram')?.request).toMatchObject({
        from: queryOf(page)['from'],
        until: queryOf(page)['until'],
      });
      await page.getByRole('button', { name: 'Whole log' }).first().click();
      await page.getByText('600 lines').waitFor();

      const bar = (index: number) => bars(page).getByRole('option').nth(index);
      await poll(() => bar(30).getAttribute('aria-label')).toContain('errors 1');
      await bar(40).hover();
      await page.mouse.down();
      await bar(29).hover();
      expect(await chosen.count()).toBe(12);
      await page.mouse.up();
      await page.getByText('120 lines found').waitFor();
      expect((await seen(page)).at(-1)).toBe(410);
    });
  });

  test('a day is written alike in the range, below the bars and in a bar, and the focus stays when the range goes', async () => {
    const answers = answersOf(inMinutes({ last: 600 }));
    const route = `log?${new URLSearchParams({ from: at(100), until: at(200) }).toString()}`;
    await onPage({ route, answers, language: 'de' }, async ({ page }) => {
      const range = page.locator('.log-time-range > button').first();
      const bar = page.locator('.log-bar').first();
      await bar.waitFor();
      for (const text of [
        await range.innerText(),
        await bar.getAttribute('aria-label'),
        await page.locator('.log-histogram-ends').innerText(),
      ]) {
        expect(text).toContain('12.05.26, ');
        expect(text).not.toContain('12.5.26');
      }
      expect(await bar.getAttribute('aria-label')).toMatch(/^12\.05\.26, \d\d:\d\d:\d\d – \d\d:\d\d:\d\d/);
      await page.getByRole('button', { name: 'Gesamtes Protokoll' }).focus();
      await page.keyboard.press('Enter');
      await poll(() => hash(page)).toBe('#/log');
      expect(await range.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    });
  });

  test('a search together with a range is in the address, which opens the same view again', async () => {
    const log = inMinutes({
      last: 900,
      line: (id) => (id % 10 === 0 ? { message: `Void ${id}`, level: 'warn' } : {}),
    });
    const answers = answersOf(log);
    let address = '';
    await onPage({ route: 'log', answers }, async ({ page }) => {
      await row(page, 900).locator('time').waitFor();
      expect(hash(page)).toBe('#/log');
      await page.getByRole('searchbox').fill('Void');
      await page.getByLabel('Level').selectOption('Warnings and errors');
      await page.getByRole('button', { name: 'Time range: All times' }).click();
      await page.getByLabel('From', { exact: true }).fill('12/05/2026, 09:40');
      await page.getByLabel('To', { exact: true }).fill('12/05/2026, 11:20:00');
      await page.keyboard.press('Enter');
      // The text counts a moment after it was typed, and the same ten lines are found without it.
      await poll(() => queryOf(page)).toEqual({ text: 'Void', level: 'warn', from: at(100), until: at(200) });
      await page.getByText('10 lines found').waitFor();
      // Chromium lets a page without a person's permission write nothing to the clipboard.
      await page.evaluate(`navigator.clipboard.writeText = async (text) => { window.copied = text; }`);
      await row(page, 150).click();
      await page.getByRole('button', { name: 'Copy link' }).click();
      const copied = new URL(await page.evaluate<string>('window.copied'));
      expect(copied.origin).toBe(new URL(page.url()).origin);
      expect(copied.hash).toContain('&line=150');
      address = copied.hash.slice(2);
    });
    await onPage({ route: address, answers }, async ({ page }) => {
      await page.getByText('10 lines found').waitFor();
      expect(await page.getByRole('searchbox').inputValue()).toBe('Void');
      expect(await page.getByLabel('Level').inputValue()).toBe('warn');
      await page.getByRole('heading', { name: 'Line 150' }).waitFor();
      await page.getByRole('searchbox').fill('');
      await page.getByLabel('Level').selectOption('Detail and above');
      await page.getByText('100 lines found').waitFor();
      expect(queryOf(page)).toEqual({ from: at(100), until: at(200) });
    });
    await onPage({ route: 'log?level=loud&from=yesterday&line=x', answers }, async ({ page }) => {
      await page.getByText('900 lines').waitFor();
    });
  });

  test('ten minutes around a line that a search has found, and back to the search', async () => {
    const log = madeUpLog({
      last: 60_000,
      line: (id) => ({
        time: new Date(startMs + id * 1_000).toISOString(),
        ...(id === 30_000 ? { message: 'Void' } : {}),
      }),
    });
    await onPage({ route: 'log', answers: answersOf(log) }, async ({ page }) => {
      await page.getByRole('searchbox').fill('void');
      await page.getByText('1 line found').waitFor();
      await row(page, 30_000).click();
      await page.getByRole('button', { name: 'Five minutes before and after' }).click();
      // It is neither the newest nor on the first page, but on the screen.
      await poll(() => seen(page)).toContain(30_000);
      await poll(() => page.getByRole('searchbox').inputValue()).toBe('');
      expect(await row(page, 30_000).getAttribute('aria-selected')).toBe('true');
      // "Home" goes to the first line that has been found so far.
      await page.getByText('600 lines found').waitFor();
      await list(page).focus();
      await page.keyboard.press('Home');
      await poll(() => seen(page)).toContain(29_700);
      await follow(page).click();
      await poll(async () => (await seen(page)).at(-1)).toBe(30_299);
      await page.goBack();
      await page.getByText('1 line found').waitFor();
      expect(await page.getByRole('searchbox').inputValue()).toBe('void');
    });
  });

  test('a filter is saved under a name with the settings, chosen again, and removed', async () => {
    const log = inMinutes({ last: 100, line: (id) => (id === 7 ? { level: 'error', source: 'zvt' } : {}) });
    await onPage(
      { route: 'log?level=error&sources=zvt', answers: answersOf(log) },
      async ({ page, invoked }) => {
        const saved = () =>
          invoked
            .filter(({ name }) => name === 'saveSettings')
            .map(({ request }) => (request as { app: { logFilters: unknown } }).app.logFilters);
        await page.getByText('1 line found').waitFor();
        await page.getByRole('button', { name: 'Saved filters' }).click();
        await page.getByText('No filter has been saved yet.').waitFor();
        await page.getByLabel('Name').fill(' Errors of the terminal ');
        await page.keyboard.press('Enter');
        const chosen = page.getByRole('button', { name: 'Errors of the terminal', exact: true });
        await chosen.waitFor();
        const filter = { name: 'Errors of the terminal', query: 'level=error&sources=zvt' };
        expect(saved()).toEqual([[filter]]);
        expect(await seriousFindings(page)).toEqual([]);
        await page.keyboard.press('Escape');
        await page.getByLabel('Level').selectOption('Detail and above');
        await page.getByRole('button', { name: 'All sources' }).waitFor({ state: 'detached' });
        await page.getByRole('button', { name: 'Saved filters' }).click();
        await chosen.click();
        await page.getByText('1 line found').waitFor();
        await poll(() => page.getByLabel('Level').inputValue()).toBe('error');
        await page.getByRole('button', { name: 'Saved filters' }).click();
        await page.getByRole('button', { name: 'Remove Errors of the terminal' }).click();
        await chosen.waitFor({ state: 'detached' });
        expect(saved()).toEqual([[filter], []]);
      },
    );
  });

  test('a line’s time is on a clock of 24 hours where others have AM and PM', async () => {
    await onPage(
      { route: 'log', answers: answersOf(inMinutes({ last: 3 })), locale: 'en-US' },
      async ({ page }) => {
        await row(page, 3).locator('time').waitFor();
        expect(await row(page, 3).locator('time').textContent()).toMatch(/^\d\d:\d\d:\d\d\.\d{3}$/);
      },
    );
  });

  test('lines that come are in a range without an end alone', async () => {
    const log = inMinutes({ last: 100 });
    await onPage({ route: `log?from=${at(91)}`, answers: answersOf(log) }, async ({ page, emit }) => {
      await page.getByText('10 lines found').waitFor();
      await emit(log.grow(5));
      await page.getByText('15 lines found').waitFor();
      await page.evaluate(`window.location.hash = '#/log?from=${at(91)}&until=${at(106)}'`);
      await page.getByText('15 lines found').waitFor();
      await emit(log.grow(5));
      await emit(log.grow(5));
      await poll(() => seen(page)).not.toContain(106);
      expect(await page.locator('.log-count').innerText()).toBe('15 lines found');
    });
  });

  test('axe finds nothing serious in the histogram and the range', async () => {
    const log = inMinutes({ last: 500, line: (id) => ({ level: id % 7 === 0 ? 'warn' : 'debug' }) });
    await onPage(
      { route: `log?from=${at(10)}`, answers: answersOf(log), language: 'de' },
      async ({ page }) => {
        await page
          .getByRole('listbox', { name: 'Zeilen im Zeitverlauf' })
          .getByRole('option')
          .first()
          .waitFor();
        await page.getByRole('button', { name: /^Zeitraum/ }).click();
        expect(await seriousFindings(page)).toEqual([]);
      },
    );
  });
});
