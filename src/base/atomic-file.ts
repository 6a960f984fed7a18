/** Replacing a small file so that, whatever happens, either the old or the new content is there in full. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolders, privateFileMode } from './private-files.ts';

/**
 * Writes `content` to `file`, readable by its owner only, and has it on disk when it returns. Makes the folder. Throws what
 * the file system throws; then the old content is untouched.
 */
export function replaceFile(file: string, content: string | Uint8Array): void {
  const folder = path.dirname(file);
  const temporary = `${file}.${process.pid}.new`;
  makeFolders(folder);
  rmSync(temporary, { force: true });
  try {
    const descriptor = openSync(temporary, 'wx', privateFileMode);
    try {
      // All of it: a single write may take a part, where the disk is nearly full.
      writeFileSync(descriptor, content);
      fsyncSync(descriptor);
    } finally {
      // Before the rename: Windows moves no open file.
      closeSync(descriptor);
    }
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(folder);
}

/** Makes the names in `folder` durable. Windows cannot open folders, and needs it less. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
