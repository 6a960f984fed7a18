/** Programs that tests need, on this computer. */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** The first of `names` that the path has, or null. */
export function findProgram(names: readonly string[]): string | null {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const files = folders.flatMap((folder) => names.map((name) => path.join(folder, name)));
  return files.find(isExecutable) ?? null;
}

const chromiumNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** `TILLBRIDGE_CHROMIUM` names it; otherwise one that the path has, or null. */
export function findChromium(): string | null {
  const named = process.env['TILLBRIDGE_CHROMIUM'] ?? '';
  if (named === '') return findProgram(chromiumNames);
  return isExecutable(named) ? named : null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
