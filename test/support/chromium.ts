/** Debian's Chromium for tests: see `needs('chromium')`. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium, type Browser } from 'playwright';

const repository = path.resolve(import.meta.dirname, '../..');

export function chromiumPath(): string {
  return process.env['TILLBRIDGE_CHROMIUM'] ?? '/usr/bin/chromium';
}

/** `scrollBars`: they are there to be dragged, which Playwright hides otherwise. */
export function launchChromium({ scrollBars = false } = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath(),
    // As root Chromium starts only without its sandbox.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    ignoreDefaultArgs: scrollBars ? ['--hide-scrollbars'] : [],
  });
}

/**
 * Builds the page of `tree` into a folder of its own. The repository's is not built where `TILLBRIDGE_RENDERER` names one
 * that is.
 */
export function buildRenderer(tree = repository): string {
  const given = process.env['TILLBRIDGE_RENDERER'];
  if (tree === repository && given !== undefined && given !== '') return path.resolve(given);
  const dist = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-page-'));
  execFileSync(
    process.execPath,
    [path.join(repository, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'error'],
    // Vitest's own NODE_ENV would make another page of it than the one that people get.
    { cwd: tree, env: { ...process.env, NODE_ENV: 'production', TILLBRIDGE_DIST: dist } },
  );
  return path.join(dist, 'renderer');
}
