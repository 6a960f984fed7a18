/** The support bundle as a file in the data folder: for the command line, which has no window to ask where to save. */
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { privateFileMode } from '../../base/private-files.ts';
import type { MethodContext } from '../methods/context.ts';
import { makeFile } from './make-file.ts';

/** Gives the file's full path. Rejects with what the file system says; then there is no file. */
export async function bundleOnDisk(context: MethodContext): Promise<string> {
  const { name, content } = await makeFile(context, { kind: 'support_bundle' });
  const file = path.join(context.dataDir, name);
  try {
    await writeFile(file, content, { flag: 'wx', mode: privateFileMode });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST'))
      await rm(file, { force: true });
    throw error;
  }
  return file;
}
