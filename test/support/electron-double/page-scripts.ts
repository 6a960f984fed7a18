/** Puts the preload script and the double's own ends into every document of a page. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { DevToolsSession } from './devtools.ts';

export const preloadWorld = 'electron-double-preload';
/** Functions of the page's side that call here. */
export const bindings = { toMain: 'electronDoubleToMain', windowOpen: 'electronDoubleWindowOpen' };

/** The text of the one function in that file: it runs in pages, not here. */
const worlds = readFileSync(path.join(import.meta.dirname, 'page-worlds.js'), 'utf8')
  .replace(/^.*?export const connectWorlds = /s, '')
  .replace(/;\s*$/, '');

/** From the next document on. `preload`: the script's file. */
export async function installWorlds(page: DevToolsSession, preload: string | null): Promise<void> {
  // Nobody can guess it, so the page cannot speak for the preload.
  const channel = JSON.stringify(`electron-double-${randomUUID()}`);
  const inTopFrame = (call: string) => `if (globalThis === globalThis.top) (${worlds})${call}`;
  await page.send('Runtime.addBinding', { name: bindings.windowOpen });
  await page.send('Page.addScriptToEvaluateOnNewDocument', { source: inTopFrame(`('page', ${channel})`) });
  if (preload === null) return;
  await page.send('Runtime.addBinding', { name: bindings.toMain, executionContextName: preloadWorld });
  const script = `(require, module, exports, process) => {\n${readFileSync(preload, 'utf8')}\n}`;
  await page.send('Page.addScriptToEvaluateOnNewDocument', {
    worldName: preloadWorld,
    source: inTopFrame(`('preload', ${channel}, ${script})`),
  });
}
