/**
 * A fault of the main process: reported, noted for the next start, and then the app starts again by itself. No box waits
 * for a click: at a till nobody may be there to click. The bridge is let end what is on the terminal first.
 */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { app } from 'electron';
import { z } from 'zod';
import { replaceFile } from '../base/atomic-file.ts';
import { errorStack, errorText } from '../base/error-text.ts';
import { writeFaultReport } from '../base/fault-report.ts';
import { readPlainFile } from '../base/private-files.ts';
import type { AppFault } from '../contract/console/index.ts';
import { maskCardNumbers } from '../log/index.ts';
import type { AppBridge } from './app-bridge.ts';

/** The app was started by itself after a fault. */
const afterFaultFlag = '--after-fault';
/** Before the first start after a fault, the second in a row, and so on; the last is for all that follow. */
const pausesMs = [0, 2_000, 5_000, 15_000, 30_000, 60_000];
/** A run of this length is no part of a row. */
const soundAfterMs = 600_000;
const maxNoteBytes = 64 * 1024;
/** Crash dumps of the system take some hundred kilobytes each. */
const maxDumps = 10;

const noteSchema = z.object({
  at: z.string().max(40),
  text: z.string().max(2_000),
  inRow: z.number().int().min(1),
});
export type FaultNote = z.infer<typeof noteSchema>;

/** What ended the app before this start; null: nothing did. The note is read once. */
export function takeFaultNote(noteFile: string, commandLine: readonly string[]): FaultNote | null {
  try {
    const note = noteSchema.parse(
      JSON.parse(readPlainFile(noteFile, { maxBytes: maxNoteBytes }).toString('utf8')),
    );
    return commandLine.includes(afterFaultFlag) ? note : null;
  } catch {
    return null;
  } finally {
    rmSync(noteFile, { force: true });
  }
}

/** As the console shows it. */
export function faultOf(note: FaultNote | null): AppFault | null {
  return note === null ? null : { part: 'app', at: note.at, text: note.text, runsSince: null };
}

/** How long a start waits because of the faults before it, in milliseconds. */
export function pauseAfter(note: FaultNote | null): number {
  return note === null ? 0 : (pausesMs[Math.min(note.inRow, pausesMs.length) - 1] ?? 0);
}

export interface FaultHandler {
  /** Called with whatever nobody caught. The first one restarts the app; others meanwhile change nothing. */
  handle(error: unknown): void;
  /** From now on there is a bridge that has to be let end. */
  bridge: Pick<AppBridge, 'stop' | 'log'> | null;
}

export function createFaultHandler(options: {
  noteFile: string;
  reportFolder: string;
  version: string;
  before: FaultNote | null;
}): FaultHandler {
  const startedMs = performance.now();
  let failing = false;

  async function restart(error: unknown): Promise<void> {
    const text = maskCardNumbers(errorStack(error));
    const nowMs = Date.now();
    writeFaultReport({ folder: options.reportFolder, part: 'app', version: options.version, text, nowMs });
    const isInRow = performance.now() - startedMs < soundAfterMs;
    const note: FaultNote = {
      at: new Date(nowMs).toISOString(),
      text: maskCardNumbers(errorText(error)).slice(0, 2_000),
      inRow: (isInRow ? (options.before?.inRow ?? 0) : 0) + 1,
    };
    try {
      replaceFile(options.noteFile, JSON.stringify(note));
    } catch {
      // Without it the next start does not know why, nor how many there were.
    }
    try {
      handler.bridge?.log.error('the app has failed and starts again', { source: 'app', err: error });
      await handler.bridge?.stop();
      relaunch([afterFaultFlag]);
    } finally {
      app.exit(1);
    }
  }

  const handler: FaultHandler = {
    bridge: null,
    handle(error) {
      process.stderr.write(`${errorStack(error)}\n`);
      if (failing) return;
      failing = true;
      void restart(error);
    },
  };
  return handler;
}

/** The app starts again once this process has gone, with `more` on its command line. */
export function relaunch(more: readonly string[]): void {
  const kept = process.argv.slice(1).filter((argument) => argument !== afterFaultFlag);
  // An AppImage runs from a place that goes away with it.
  const appImage = process.env['APPIMAGE'];
  app.relaunch({
    args: [...kept, ...more],
    ...(appImage === undefined ? {} : { execPath: appImage }),
  });
}

/** Keeps the newest crash dumps. Never throws. */
export function removeOldDumps(folder: string): void {
  try {
    if (!existsSync(folder)) return;
    const dumps = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.dmp'))
      .map((name) => path.join(folder, name))
      .toSorted((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs);
    for (const dump of dumps.slice(maxDumps)) rmSync(dump, { force: true });
  } catch {
    // Next time.
  }
}
