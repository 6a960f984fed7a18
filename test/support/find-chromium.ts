/**
 * Which Chromium the tests drive. On Linux (x64) it is the one that `npm ci` brings, so that everybody tests the same;
 * elsewhere an installed Chromium, Chrome or Edge. `TILLBRIDGE_CHROMIUM` names another.
 */
import path from 'node:path';
import { findProgram, isExecutable } from './find-program.ts';
import { hasPackagedChromium, unpackChromium } from './packaged-chromium.ts';

export interface ChromiumProgram {
  executablePath: string;
  args: string[];
  env: NodeJS.ProcessEnv;
}

/** Null where there is none. The first call after `npm ci` unpacks it, which takes some seconds. */
export async function findChromium(): Promise<ChromiumProgram | null> {
  if (usesPackaged()) {
    const { executablePath, env } = await unpackChromium();
    // Without an installer nothing has given it a sandbox.
    return { executablePath, args: ['--no-sandbox'], env: { ...process.env, ...env } };
  }
  const executablePath = named() ?? findInstalled();
  if (executablePath === null || !isExecutable(executablePath)) return null;
  // As root Chromium starts only without its sandbox.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return { executablePath, args, env: process.env };
}

/** Whether `findChromium` will find one. */
export function hasChromium(): boolean {
  if (usesPackaged()) return true;
  const executablePath = named() ?? findInstalled();
  return executablePath !== null && isExecutable(executablePath);
}

function usesPackaged(): boolean {
  return named() === null && hasPackagedChromium();
}

function named(): string | null {
  const name = process.env['TILLBRIDGE_CHROMIUM'] ?? '';
  return name === '' ? null : name;
}

function findInstalled(): string | null {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];
  return findProgram(names) ?? usualPlaces().find(isExecutable) ?? null;
}

/** Where the installers of Chrome and Edge put them; no path leads there. */
function usualPlaces(): string[] {
  if (process.platform === 'darwin') {
    return ['Google Chrome', 'Microsoft Edge', 'Chromium'].map(
      (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
    );
  }
  if (process.platform !== 'win32') return [];
  const roots = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => {
    const root = process.env[name];
    return root === undefined ? [] : [root];
  });
  const programs = ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'];
  return roots.flatMap((root) => programs.map((program) => path.join(root, program)));
}
