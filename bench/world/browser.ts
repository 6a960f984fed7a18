/** Chromium without a window, and what can be measured of a page in it. */
import { readFileSync } from 'node:fs';
import { chromium, type Browser, type CDPSession, type Page } from 'playwright';
import { findChromium } from '../../test/support/find-chromium.ts';
import type { Bench } from './bench.ts';
import { repositoryFile } from './processes.ts';

/** In place of figures where there is no browser. */
export const noChromium =
  'needs a browser, which is not here (any Chromium, Chrome or Edge; TILLBRIDGE_CHROMIUM names one)';

export const viewport = { width: 1_200, height: 900 };

/** Null where none is installed. */
export async function openBrowser(bench: Bench, args: readonly string[] = []): Promise<Browser | null> {
  const program = await findChromium();
  if (program === null) return null;
  const browser = await chromium.launch({ ...program, args: [...program.args, ...args] });
  bench.atEnd(() => browser.close());
  return browser;
}

/** Adds what `bench/page/tools.js` has to the page, now and after each navigation. */
export async function addTools(page: Page): Promise<void> {
  const path = repositoryFile('bench/page/tools.js');
  await page.addInitScript({ path });
  // The page's policy allows no script that is added to it; this is none.
  await page.evaluate(readFileSync(path, 'utf8'));
}

/** What has to be added to this process's clock to have the page's, in milliseconds; right to half a millisecond. */
export async function clockOffset(page: Page): Promise<number> {
  let best = { tookMs: Infinity, offsetMs: 0 };
  for (let look = 0; look < 40; look += 1) {
    const beganMs = performance.now();
    const thereMs = await page.evaluate<number>('performance.now()');
    const tookMs = performance.now() - beganMs;
    if (tookMs < best.tookMs) best = { tookMs, offsetMs: thereMs - beganMs - tookMs / 2 };
  }
  return best.offsetMs;
}

/** Processor time of the page's main thread so far, in milliseconds. */
export async function openBusyMeter(page: Page): Promise<() => Promise<number>> {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const seconds = metrics.find(({ name }) => name === 'TaskDuration')?.value;
    if (seconds === undefined) throw new Error('the browser does not tell how busy the page was');
    return seconds * 1_000;
  };
}
