/** Chromium for tests: see `needs('chromium')`. */
import path from 'node:path';
import { chromium, type Browser } from 'playwright';
import { builtApp } from './built-app.ts';
import { findChromium } from './find-chromium.ts';

/** `scrollBars`: they are there to be dragged, which Playwright hides otherwise. */
export async function launchChromium({ scrollBars = false } = {}): Promise<Browser> {
  const program = await findChromium();
  if (program === null) throw new Error('there is no Chromium here');
  return chromium.launch({ ...program, ignoreDefaultArgs: scrollBars ? ['--hide-scrollbars'] : [] });
}

/** The folder of the built page; `TILLBRIDGE_RENDERER` names another that is built. */
export async function builtRenderer(): Promise<string> {
  const given = process.env['TILLBRIDGE_RENDERER'] ?? '';
  return given === '' ? path.join(await builtApp(), 'dist/renderer') : path.resolve(given);
}
