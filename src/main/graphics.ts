/**
 * Whether windows are drawn by the graphics card. Some drivers crash with it; then they are drawn without, from the next
 * start on. `--disable-gpu` on the command line does the same for one start.
 */
import { app } from 'electron';
import { z } from 'zod';
import { replaceFile } from '../base/atomic-file.ts';
import { readPlainFile } from '../base/private-files.ts';

export interface Graphics {
  /** As it will be at the next start, unless the command line says otherwise. */
  readonly accelerated: boolean;
  /** Throws what the file system throws. */
  setAccelerated(accelerated: boolean): void;
  /** The graphics process has ended by a fault. True: that was once too often, and a start without it is due. */
  hasCrashed(nowMs: number): boolean;
}

const memorySchema = z.object({
  accelerated: z.boolean().catch(true),
  /** Of the last crashes, milliseconds since 1970: one that takes the whole app along is known at the next start. */
  crashes: z.array(z.number()).max(100).catch([]),
});

const maxCrashes = 3;
const crashSpanMs = 600_000;
const maxFileBytes = 64 * 1024;

/** Called before the app is ready. `nowMs`: wall clock. */
export function prepareGraphics(file: string, nowMs: number): Graphics {
  let memory = readMemory(file);
  const recent = (atMs: number) =>
    memory.crashes.filter((crash) => crash <= atMs && atMs - crash < crashSpanMs);

  function keep(next: z.infer<typeof memorySchema>): void {
    memory = next;
    replaceFile(file, JSON.stringify(memory));
  }

  function tryToKeep(next: z.infer<typeof memorySchema>): void {
    try {
      keep(next);
    } catch {
      // It counts for this run alone.
    }
  }

  if (memory.accelerated && recent(nowMs).length >= maxCrashes)
    tryToKeep({ accelerated: false, crashes: [] });
  if (!memory.accelerated || app.commandLine.hasSwitch('disable-gpu')) app.disableHardwareAcceleration();

  return {
    get accelerated() {
      return memory.accelerated;
    },
    setAccelerated: (accelerated) => keep({ accelerated, crashes: [] }),
    hasCrashed(atMs) {
      tryToKeep({ ...memory, crashes: [...recent(atMs), atMs] });
      if (!memory.accelerated || memory.crashes.length < maxCrashes) return false;
      tryToKeep({ accelerated: false, crashes: [] });
      return true;
    },
  };
}

function readMemory(file: string): z.infer<typeof memorySchema> {
  try {
    return memorySchema.parse(JSON.parse(readPlainFile(file, { maxBytes: maxFileBytes }).toString('utf8')));
  } catch {
    return { accelerated: true, crashes: [] };
  }
}
