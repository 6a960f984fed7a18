/**
 * Puts a new AppImage in the place of the old one. Whenever the power is lost, one of the two is there in full under the
 * name that desktop entries and the start with the system know: the new one is on the same disk and synced before one
 * renaming takes the old one's place.
 */
import {
  chmodSync,
  closeSync,
  copyFileSync,
  constants,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import path from 'node:path';
import { syncFolder } from '../../base/atomic-file.ts';

/** What is asked of the disk, in this order; a test brings its own. */
export interface ReplaceSteps {
  copy(from: string, to: string): void;
  /** Executable, and on disk when it returns. */
  keep(file: string): void;
  rename(from: string, to: string): void;
  remove(file: string): void;
}

const versionInName = /\d+\.\d+\.\d+/;

/**
 * Gives where the new one is now. A name with a version becomes the new one's, any other is the user's own and stays.
 * Throws what the file system throws; then the old one is as it was.
 */
export function replaceAppImage(appImage: string, newFile: string, steps: ReplaceSteps = onDisk): string {
  const folder = path.dirname(appImage);
  const name = versionInName.test(path.basename(appImage)) ? path.basename(newFile) : path.basename(appImage);
  const destination = path.join(folder, name);
  const beside = path.join(folder, `.${name}.new`);
  try {
    steps.copy(newFile, beside);
    steps.keep(beside);
    steps.rename(beside, destination);
  } catch (error) {
    steps.remove(beside);
    throw error;
  }
  if (destination !== appImage) steps.remove(appImage);
  steps.remove(newFile);
  return destination;
}

const onDisk: ReplaceSteps = {
  copy: (from, to) => copyFileSync(from, to, constants.COPYFILE_FICLONE),
  keep(file) {
    chmodSync(file, 0o755);
    const descriptor = openSync(file, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  },
  rename(from, to) {
    renameSync(from, to);
    syncFolder(path.dirname(to));
  },
  remove: (file) => rmSync(file, { force: true }),
};
