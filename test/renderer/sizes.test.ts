/** Every page in the smallest and in a large window, and at 200 %: nothing is cut off at the side. */
import { describe, expect, test } from 'vitest';
import {
  consoleState,
  discrepancyView,
  inDoubtView,
  logLine,
  terminalState,
} from '../support/console-data.ts';
import { needs } from '../support/needs.ts';
import { pagesForTests } from './on-page.ts';

const sizes = [
  { width: 900, height: 600, scale: 1 },
  { width: 1_600, height: 1_000, scale: 1 },
  { width: 900, height: 600, scale: 2 },
] as const;
const routes = [
  'till',
  'payments',
  'payments/01a1ffe8-3316-7291-ad76-000000000007',
  'payments/01a1ffe8-3316-7291-ad76-000000000007?view=wire',
  'batches',
  'money',
  'money/01a1ffe8-3316-7291-ad76-000000000141',
  'log',
  'settings',
  'help',
  'help/states',
];

/** The visible things of the page that reach beyond its right edge, and are not in something that scrolls. */
const cutOff = `(() => {
  const width = document.documentElement.clientWidth;
  const scrolls = (element) => {
    for (let above = element; above !== null; above = above.parentElement) {
      const { overflowX } = getComputedStyle(above);
      if (overflowX !== 'visible') return above !== document.documentElement && above.getBoundingClientRect().right <= width + 1;
    }
    return false;
  };
  return [...document.querySelectorAll('button, a, input, select, h1, h2, p, td, th')]
    .filter((element) => element.checkVisibility() && element.getBoundingClientRect().right > width + 1)
    .filter((element) => !scrolls(element))
    .map((element) => element.outerHTML.slice(0, 120));
})()`;

describe.skipIf(!needs('chromium'))('the window', () => {
  const onPage = pagesForTests();

  test.each((['en', 'de'] as const).flatMap((language) => sizes.map((size) => ({ language, ...size }))))(
    'fits $width × $height at scale $scale in $language, on every page and with every banner',
    async (options) => {
      const state = consoleState({
        terminal: terminalState({ simulated: true }),
        doubts: [inDoubtView()],
        blockedOrigins: [
          { origin: 'https://a-long-name-of-a-shop.pos.example', at: '2026-05-12T08:00:00.000Z' },
        ],
      });
      const lines = Array.from({ length: 300 }, (_, id) => logLine(id + 1));
      await onPage({ ...options, state, lines }, async ({ page }) => {
        for (const route of routes) {
          await page.evaluate(`window.location.hash = '#/${route}'`);
          await page.getByRole('heading').first().waitFor();
          const widths = await page.evaluate<[number, number]>(
            '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
          );
          expect(widths[0], `${route} scrolls sideways`).toBe(widths[1]);
          expect(await page.evaluate(cutOff), `${route} is cut off`).toEqual([]);
          await page.evaluate('document.scrollingElement.scrollTo(0, 1e6)');
          const header = await page.locator('.header').boundingBox();
          expect(header?.y, `${route} takes the header out of sight`).toBe(0);
          await page.evaluate('document.scrollingElement.scrollTo(0, 0)');
        }
      });
    },
  );

  // 450 × 300 is what is left of 900 × 600 at 200 %.
  const small = [
    { width: 900, height: 600 },
    { width: 450, height: 300 },
    { width: 1_200, height: 780 },
  ];
  test.each((['en', 'de'] as const).flatMap((language) => small.map((size) => ({ language, ...size }))))(
    'leaves three quarters of $width × $height below header and banners, in $language',
    async ({ language, width, height }) => {
      const state = consoleState({
        terminal: terminalState({ simulated: true, connection: 'lost' }),
        listener: { kind: 'failed', code: 'port_in_use', port: 8080, text: 'EADDRINUSE' },
        journal: { writable: false, text: 'The disk is full.', damaged: false },
        doubts: [inDoubtView()],
        discrepancies: [discrepancyView(1)],
      });
      await onPage({ language, width, height, state }, async ({ page }) => {
        const tops = page.locator('.header, .banners');
        const navigation = page.getByRole('navigation');
        const more = page.locator('.banners-more button');
        await more.waitFor();
        for (const route of ['till', 'settings', 'log']) {
          await page.evaluate(`window.location.hash = '#/${route}'`);
          await page.getByRole('heading').first().waitFor();
          await page.evaluate('document.scrollingElement.scrollTo(0, 1e6)');
          const heights = await tops.evaluateAll((parts) =>
            parts.map((part) => part.getBoundingClientRect().height),
          );
          expect(heights).toHaveLength(2);
          expect(heights[0]! + heights[1]!, route).toBeLessThanOrEqual(height / 4);
          for (const place of [...(await tops.all()), navigation]) {
            const box = (await place.boundingBox())!;
            expect(box.y).toBeGreaterThanOrEqual(0);
            expect(box.y + box.height).toBeLessThanOrEqual(height + 0.5);
          }
        }
        // What there is no room for is one press away.
        const discrepancies = page.locator('[data-banner="discrepancies"]');
        expect(await discrepancies.isVisible()).toBe(false);
        await more.click();
        await discrepancies.waitFor();
        await more.click();
        await discrepancies.waitFor({ state: 'hidden' });
      });
    },
  );
});
