/** Scrolling in the page Log: a million lines by wheel, scroll bar and keyboard, following the end and pausing. */
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { rowHeight } from '../../src/renderer/pages/log/tall-list.ts';
import { needs } from '../support/needs.ts';
import { follow, list, row, seen } from './log-on-page.ts';
import { madeUpLog } from './made-up-log.ts';
import { pagesForTests, poll } from './on-page.ts';

const million = 1_000_000;
/** More than two heights of the view. */
const farRows = 240;

/** Brings the middle of a million lines on the screen; the result is the row at the top. */
async function toTheMiddle(page: Page): Promise<number> {
  await row(page, million).locator('time').waitFor();
  await list(page).evaluate((element) => (element.scrollTop = element.scrollHeight / 2));
  await poll(async () => Math.abs(((await seen(page))[0] ?? 0) - million / 2)).toBeLessThan(1_000);
  await list(page).hover();
  return (await seen(page))[0] ?? 0;
}

/** Notes the furthest, in pixels, that one event has scrolled the list. */
async function noteFurthest(page: Page): Promise<() => Promise<number>> {
  await list(page).evaluate((element) => {
    let before = element.scrollTop;
    element.addEventListener('scroll', () => {
      const furthest = Math.max(
        Number(element.dataset['furthest'] ?? 0),
        Math.abs(element.scrollTop - before),
      );
      element.dataset['furthest'] = String(furthest);
      before = element.scrollTop;
    });
  });
  return async () => Number(await list(page).getAttribute('data-furthest'));
}

describe.skipIf(!needs('chromium'))('scrolling in the page Log', () => {
  const onPage = pagesForTests({ scrollBars: true });

  test('the newest of a million lines are there at once, without the others', async () => {
    const log = madeUpLog({ last: 1_000_000 });
    await onPage({ route: 'log', answers: { log: log.answer } }, async ({ page, invoked }) => {
      await row(page, 1_000_000).locator('time').waitFor();
      expect(await page.getByText('1,000,000 lines').isVisible()).toBe(true);
      expect((await seen(page)).at(-1)).toBe(1_000_000);
      expect(await page.locator('[data-line]').count()).toBeLessThan(100);
      expect(invoked.filter(({ name }) => name === 'log').length).toBeLessThan(5);
    });
  });

  test.each([1, 2])('any of a million lines can be reached, at scale %i', async (scale) => {
    const log = madeUpLog({ last: 1_000_000 });
    const options = { route: 'log', answers: { log: log.answer }, width: 1_600, height: 1_200, scale };
    await onPage(options, async ({ page }) => {
      await row(page, 1_000_000).locator('time').waitFor();
      await list(page).focus();
      await page.keyboard.press('Home');
      await row(page, 1).locator('time').waitFor();
      expect((await seen(page))[0]).toBe(1);
      await page.keyboard.press('ArrowDown');
      await poll(() => row(page, 2).getAttribute('aria-selected')).toBe('true');
      await page.keyboard.press('End');
      await poll(async () => (await seen(page)).at(-1)).toBe(1_000_000);
      // The middle of the scroll bar is the middle of the log.
      await list(page).evaluate((element) => (element.scrollTop = element.scrollHeight / 2));
      await poll(async () => Math.abs(((await seen(page))[0] ?? 0) - 500_000)).toBeLessThan(1_000);
      const [middle = 0] = await seen(page);
      await row(page, middle).locator('time').waitFor();
      await list(page).hover();
      await page.mouse.wheel(0, rowHeight * 4);
      await poll(async () => (await seen(page))[0]).toBe(middle + 4);
    });
  });

  test.each([-1, 1])(
    'the wheel moves as many rows as it turns, at once or merged (direction %i)',
    async (way) => {
      const log = madeUpLog({ last: million });
      await onPage({ route: 'log', answers: { log: log.answer } }, async ({ page }) => {
        const start = await toTheMiddle(page);
        const furthest = await noteFurthest(page);
        await page.mouse.wheel(0, way * farRows * rowHeight);
        await poll(async () => ((await seen(page))[0] ?? 0) - start).toBe(way * farRows);

        // The page has no time to look at any of the steps before the last one.
        const busy = page.evaluate(`for (const end = performance.now() + 500; performance.now() < end; );`);
        const steps = Array.from({ length: 12 }, () => page.mouse.wheel(0, (way * farRows * rowHeight) / 12));
        await Promise.all([busy, ...steps]);
        await poll(async () => ((await seen(page))[0] ?? 0) - start).toBe(2 * way * farRows);
        expect(await furthest()).toBeGreaterThan(2 * (await list(page).evaluate((e) => e.clientHeight)));
      });
    },
  );

  test('the scroll bar reaches any place, also right after the wheel', async () => {
    const log = madeUpLog({ last: million });
    await onPage({ route: 'log', answers: { log: log.answer } }, async ({ page }) => {
      await row(page, million).locator('time').waitFor();
      const { x = 0, y = 0, width = 0, height = 0 } = (await list(page).boundingBox()) ?? {};
      expect(await list(page).evaluate((e) => e.offsetWidth - e.clientWidth)).toBeGreaterThan(0);
      const bar = x + width - 5;
      // Beyond the arrow at the end of the bar.
      const thumb = 20;
      /** The bar is let go once the list is there: a busy browser may still be behind the mouse. */
      const drag = async (from: number, to: number, arrived: () => Promise<void>) => {
        await list(page).hover();
        await page.mouse.wheel(0, from < to ? rowHeight : -rowHeight);
        await page.mouse.move(bar, from);
        await page.mouse.down();
        await page.mouse.move(bar, to, { steps: 10 });
        await arrived();
        await page.mouse.up();
        await arrived();
      };
      await drag(y + height - thumb, y + height / 2, () =>
        // Where on the thumb it is taken hold of depends on whether the wheel has moved it yet.
        poll(async () => Math.abs(((await seen(page))[0] ?? 0) - million / 2)).toBeLessThan(million / 8),
      );
      await drag(y + height / 2, y - 50, () => poll(async () => (await seen(page))[0]).toBe(1));
      await row(page, 1).locator('time').waitFor();
      await drag(y + thumb, y + height + 50, () => poll(async () => (await seen(page)).at(-1)).toBe(million));
      await poll(() => follow(page).getAttribute('data-following')).toBe('true');
    });
  });

  test('the tooltip of a time is there once it is pointed at', async () => {
    const log = madeUpLog({ last: 20 });
    await onPage({ route: 'log', answers: { log: log.answer } }, async ({ page }) => {
      const time = row(page, 20).locator('time');
      await time.hover();
      const said = new Intl.DateTimeFormat('en-GB', { year: 'numeric' }).format(new Date(log.line(20).time));
      await poll(() => time.getAttribute('title')).toContain(said);
      expect(await row(page, 19).locator('time').getAttribute('title')).toBe(null);
    });
  });

  test('follows the end, pauses when somebody scrolls up, and goes on when asked to', async () => {
    const log = madeUpLog({ last: 5_000 });
    await onPage({ route: 'log', answers: { log: log.answer } }, async ({ page, emit }) => {
      await row(page, 5_000).locator('time').waitFor();
      await emit(log.grow(30));
      await poll(async () => (await seen(page)).at(-1)).toBe(5_030);

      await list(page).hover();
      await page.mouse.wheel(0, -rowHeight * 20);
      await poll(() => follow(page).getAttribute('data-following')).toBe('false');
      await poll(async () => (await seen(page)).at(-1)).toBe(5_010);
      await emit(log.grow(7));
      await page.getByRole('button', { name: '7 new lines – follow' }).waitFor();
      expect((await seen(page)).at(-1)).toBe(5_010);

      await page.getByRole('button', { name: '7 new lines – follow' }).click();
      await poll(async () => (await seen(page)).at(-1)).toBe(5_037);
      await list(page).focus();
      await page.keyboard.press('Space');
      await emit(log.grow(1));
      await page.getByRole('button', { name: '1 new line – follow' }).waitFor();
      await page.keyboard.press('Space');
      await poll(async () => (await seen(page)).at(-1)).toBe(5_038);
      // Scrolled to the end by hand, it follows as well.
      await list(page).hover();
      await page.mouse.wheel(0, -300);
      await poll(() => follow(page).getAttribute('data-following')).toBe('false');
      await page.mouse.wheel(0, 3_000);
      await poll(() => follow(page).getAttribute('data-following')).toBe('true');
    });
  });

  test('lines that no change brought are asked for', async () => {
    const log = madeUpLog({ last: 300 });
    await onPage({ route: 'log', answers: { log: log.answer } }, async ({ page, emit }) => {
      await row(page, 300).locator('time').waitFor();
      log.grow(40);
      await emit(log.grow(2));
      for (const id of [342, 335, 325]) await row(page, id).locator('time').waitFor();
      expect(await page.getByText('342 lines').isVisible()).toBe(true);
    });
  });

  test('what is read stays where it is when the oldest lines go', async () => {
    const log = madeUpLog({ last: 2_000 });
    await onPage({ route: 'log', answers: { log: log.answer } }, async ({ page, emit }) => {
      await row(page, 2_000).locator('time').waitFor();
      // Only the answer for lines further up tells that the oldest 500 are gone.
      log.first = 501;
      await list(page).hover();
      await page.mouse.wheel(0, -rowHeight * 300);
      await row(page, 1_700).locator('time').waitFor();
      await page.getByText('1,500 lines').waitFor();
      expect((await seen(page)).at(-1)).toBe(1_700);
      log.grow(400);
      await emit(log.grow(1));
      await page.getByRole('button', { name: '401 new lines – follow' }).click();
      await poll(async () => (await seen(page)).at(-1)).toBe(2_401);
      await list(page).focus();
      await page.keyboard.press('Home');
      await row(page, 501).locator('time').waitFor();
    });
  });
});
