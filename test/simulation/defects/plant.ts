/** A copy of the source and its simulation, with a deliberate defect in it. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Defect } from './list.ts';

const root = resolve(import.meta.dirname, '../../..');

/** Gives the folder of the copy, which is the caller's to remove. Throws where a spot is not there exactly once. */
export function copyWithDefect(defect: Defect): string {
  const folder = mkdtempSync(join(tmpdir(), 'tillbridge-defect-'));
  try {
    for (const part of ['src', 'test/simulation', 'test/support', 'package.json']) {
      cpSync(join(root, part), join(folder, part), { recursive: true });
    }
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
    for (const edit of defect.edits) plant(folder, defect, edit);
    return folder;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

function plant(folder: string, { name }: Defect, { file, find, replace }: Defect['edits'][number]): void {
  const path = join(folder, file);
  const source = readFileSync(path, 'utf8');
  const times = source.split(find).length - 1;
  if (times !== 1) throw new Error(`"${name}": the spot in ${file} is there ${times} times:\n${find}`);
  writeFileSync(
    path,
    source.replace(find, () => replace),
  );
}
