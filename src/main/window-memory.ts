/** What the app remembers of its window between two starts. */
import { z } from 'zod';
import { readPlainFile } from '../base/private-files.ts';
import { replaceFile } from '../base/atomic-file.ts';

const pixels = z.number().int().min(-100_000).max(100_000);
const memorySchema = z.object({
  bounds: z.object({ x: pixels, y: pixels, width: pixels, height: pixels }).nullable().catch(null),
  maximized: z.boolean().catch(false),
  /** The user has been told that closing the window does not quit. */
  toldStillRunning: z.boolean().catch(false),
});
export type WindowMemory = z.infer<typeof memorySchema>;

const maxFileBytes = 64 * 1024;

const nothing: WindowMemory = { bounds: null, maximized: false, toldStillRunning: false };

/** Nothing to remember when there is no file, or none that can be read. */
export function readMemory(file: string): WindowMemory {
  try {
    return memorySchema.parse(JSON.parse(readPlainFile(file, { maxBytes: maxFileBytes }).toString('utf8')));
  } catch {
    return nothing;
  }
}

/** Throws what the file system throws. */
export function writeMemory(file: string, memory: WindowMemory): void {
  replaceFile(file, JSON.stringify(memory));
}
