/** The built page in a browser, and how tests wait for what they expect of it. */
import type { Browser, Page } from 'playwright';
import { beforeAll, expect } from 'vitest';
import { builtRenderer, sharedChromium } from '../support/chromium.ts';
import { settingsView } from '../support/console-data.ts';
import {
  openConsoleWindow,
  type ConsoleWindow,
  type FakeConsole,
  type FakeConsoleOptions,
} from '../support/console-page.ts';

export type PageOptions = FakeConsoleOptions & {
  /** When no `settings` are given. */
  language?: 'en' | 'de';
};

/** Of this process, for all its test files, as its browsers are. By what each was opened with. */
const shared = globalThis as { windowsOfTests?: Map<string, Promise<ConsoleWindow>> };
const windows = (shared.windowsOfTests ??= new Map<string, Promise<ConsoleWindow>>());

/**
 * To be called where tests are described. What comes back opens the page for `work`; afterwards the page must not have
 * met an error.
 */
export function pagesForTests(launch?: Parameters<typeof sharedChromium>[0]) {
  let browser: Browser | null = null;
  let rendererFolder = '';
  beforeAll(async () => {
    rendererFolder = await builtRenderer();
    browser = await sharedChromium(launch);
  });

  return async (options: PageOptions, work: (fake: FakeConsole) => Promise<void>) => {
    if (browser === null) throw new Error('The browser has not been started.');
    const { language = 'en', colorScheme = 'light', scale, locale } = options;
    const settings = options.settings ?? usualSettings(language, colorScheme);
    const kind = JSON.stringify([launch, rendererFolder, scale, locale]);
    const window = windows.get(kind) ?? openConsoleWindow(browser, rendererFolder, options);
    windows.set(kind, window);
    try {
      const fake = await (await window).show({ ...options, settings });
      fake.page.setDefaultTimeout(patienceMs);
      shown = fake.page;
      await work(fake);
      expect(fake.errors).toEqual([]);
      await fake.close();
    } catch (error) {
      // Nobody knows what a test that failed has left there: a key that is held, a page that hangs.
      windows.delete(kind);
      await window.then((failed) => failed.close()).catch(() => {});
      throw error;
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

/** Far longer than anything takes, also on a machine that has much else to do. */
const patienceMs = 60_000;

/** The page of the test that runs. */
let shown: Page | null = null;
/** How far a page's clock goes on between two looks, and how often is looked. */
const stepMs = 20;
const maxLooks = 2_000;

type Polled<T> = ReturnType<typeof expect.poll<() => T>>;

/**
 * Looks again and again until what is seen is as expected, as `expect.poll` does, but by the page's clock: what the page
 * waits for happens between two looks, so that nobody has to wait for it.
 */
export function poll<T>(look: () => T | Promise<T>): Polled<T> {
  /** Every matcher of `expect`, as a method that waits for it. */
  const waitingFor = (assertionOf: (value: T) => object) =>
    new Proxy(
      {},
      {
        get:
          (_, matcher) =>
          (...wanted: unknown[]) =>
            untilFits(look, (value) => {
              const assertion = assertionOf(value);
              (Reflect.get(assertion, matcher) as (...wanted: unknown[]) => void).apply(assertion, wanted);
            }),
      },
    );
  const assertions: (value: T) => { not: object } = expect;
  const not = waitingFor((value) => assertions(value).not);
  const positive = waitingFor(assertions);
  return new Proxy(positive, {
    get: (target, name) => (name === 'not' ? not : Reflect.get(target, name)),
  }) as unknown as Polled<T>;
}

async function untilFits<T>(look: () => T | Promise<T>, check: (value: T) => void): Promise<void> {
  for (let looks = 1; ; looks += 1) {
    const value = await look();
    try {
      return check(value);
    } catch (error) {
      if (looks === maxLooks) throw error;
    }
    await shown?.clock.runFor(stepMs);
  }
}
