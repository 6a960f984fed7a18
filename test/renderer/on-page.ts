/** One browser and one built page for a file of tests. */
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect } from 'vitest';
import { builtRenderer, launchChromium } from '../support/chromium.ts';
import { settingsView } from '../support/console-data.ts';
import { openConsolePage, type FakeConsole, type FakeConsoleOptions } from '../support/console-page.ts';

export type PageOptions = Omit<FakeConsoleOptions, 'rendererFolder'> & {
  /** When no `settings` are given. */
  language?: 'en' | 'de';
};

/**
 * To be called where tests are described. What comes back opens the page for `work`; afterwards the page must not have
 * met an error.
 */
export function pagesForTests(launch?: Parameters<typeof launchChromium>[0]) {
  let browser: Browser | null = null;
  let rendererFolder = '';
  beforeAll(async () => {
    rendererFolder = await builtRenderer();
    browser = await launchChromium(launch);
  });
  afterAll(() => browser?.close());

  return async (options: PageOptions, work: (fake: FakeConsole) => Promise<void>) => {
    if (browser === null) throw new Error('The browser has not been started.');
    const { language = 'en', colorScheme = 'light' } = options;
    const settings = options.settings ?? usualSettings(language, colorScheme);
    const fake = await openConsolePage(browser, { ...options, rendererFolder, settings });
    fake.page.setDefaultTimeout(10_000);
    try {
      await work(fake);
      expect(fake.errors).toEqual([]);
    } finally {
      await fake.close();
    }
  };
}

function usualSettings(language: string, theme: 'light' | 'dark') {
  const view = settingsView();
  view.settings.app = { ...view.settings.app, language, theme };
  return view;
}

export const ok = <T>(value: T) => ({ ok: true as const, value });

/** What the page shows where a text is missing: the key itself. */
export const missingKey =
  /\b(payments|timeline|resolve|batches|status|statusMeaning|outcome|resolution|app)\.[a-z]/;

/** Waits longer than usual: the machine may be busy with other tests. */
export function poll<T>(look: () => T | Promise<T>, options: { timeout?: number } = {}) {
  return expect.poll(look, { timeout: 10_000, ...options });
}
