/** Chromium for tests: see `needs('chromium')`. */
import path from 'node:path';
import { chromium, type Browser } from 'playwright';
import { builtApp } from './built-app.ts';
import { findChromium } from './find-program.ts';

/** `scrollBars`: they are there to be dragged, which Playwright hides otherwise. */
export function launchChromium({ scrollBars = false } = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium() ?? 'chromium',
    // As root Chromium starts only without its sandbox.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    ignoreDefaultArgs: scrollBars ? ['--hide-scrollbars'] : [],
  });
}

/** The folder of the built page; `TILLBRIDGE_RENDERER` names another that is built. */
export async function builtRenderer(): Promise<string> {
  const given = process.env['TILLBRIDGE_RENDERER'] ?? '';
  return given === '' ? path.join(await builtApp(), 'dist/renderer') : path.resolve(given);
}
