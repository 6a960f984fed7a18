/**
 * Folders for one test. They are in memory where the system has room for files there: nothing is written more safely
 * than a test needs, and a synced write takes no time. What a real disk does is tried by `test:crash`.
 */
import { accessSync, constants, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const inMemory = '/dev/shm';
const roomBytes = 2 ** 30;

const root = hasRoom(inMemory) ? inMemory : tmpdir();

/** A new folder; the caller removes it. */
export function tempFolder(name: string): string {
  return mkdtempSync(join(root, `tillbridge-${name}-`));
}

function hasRoom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= roomBytes;
  } catch {
    return false;
  }
}
