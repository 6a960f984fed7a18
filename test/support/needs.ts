/**
 * Tests that need a program which `npm ci` cannot bring are skipped without it, loudly, and fail where `CI` is set:
 *
 *     describe.skipIf(!needs('socat'))('…')
 */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const programs = {
  socat: { files: ['socat'], get: 'apt-get install socat (Debian, Ubuntu) or brew install socat (macOS)' },
} as const;

/** Whether `program` is there. If not: says once how to get it, or throws where `CI` is set. */
export function needs(program: keyof typeof programs): boolean {
  const { files, get } = programs[program];
  if (files.some(isOnPath)) return true;
  const words = `tests here need ${program}, which is not installed. Get it with: ${get}`;
  const ci = process.env['CI'];
  if (ci !== undefined && ci !== '' && ci !== 'false') throw new Error(words);
  console.warn(`SKIPPED: ${words}`);
  return false;
}

function isOnPath(file: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, file), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
