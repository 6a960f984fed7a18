/** Every page in the smallest and in a large window, and at 200 %: nothing is cut off at the side. */
import { describe, expect, test } from 'vitest';
import { consoleState, inDoubtView, logLine, terminalState } from '../support/console-data.ts';
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
  'batches',
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
        }
      });
    },
  );
});
