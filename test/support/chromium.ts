/** Chromium for tests: see `needs('chromium')`. */
import path from 'node:path';
import { chromium, type Browser } from 'playwright';
import { builtApp } from './built-app.ts';
import { findChromium } from './find-chromium.ts';

interface LaunchOptions {
  /** They are there to be dragged; Playwright hides them otherwise. */
  scrollBars?: boolean;
}

/** Of this process, for all its test files: starting one takes longer than most tests with it. */
const shared = globalThis as { chromiumOfTests?: Map<boolean, Promise<Browser>> };

/** A browser that others use, too: have contexts of your own in it, and do not close it. It ends with this process. */
export function sharedChromium(options: LaunchOptions = {}): Promise<Browser> {
  const { scrollBars = false } = options;
  const browsers = (shared.chromiumOfTests ??= new Map<boolean, Promise<Browser>>());
  const browser = browsers.get(scrollBars) ?? launchChromium(options);
  browsers.set(scrollBars, browser);
  return browser;
}

export async function launchChromium({ scrollBars = false }: LaunchOptions = {}): Promise<Browser> {
  const program = await findChromium();
  if (program === null) throw new Error('there is no Chromium here');
  return chromium.launch({
    ...program,
    ignoreDefaultArgs: scrollBars ? ['--hide-scrollbars'] : [],
    // Chromium gives a download no name with letters that the system's encoding lacks.
    env: { ...program.env, LC_ALL: 'C.UTF-8' },
  });
}

/** The folder of the built page; `TILLBRIDGE_RENDERER` names another that is built. */
export async function builtRenderer(): Promise<string> {
  const given = process.env['TILLBRIDGE_RENDERER'] ?? '';
  return given === '' ? path.join(builtApp(), 'dist/renderer') : path.resolve(given);
}
