/**
 * A text file that is written line by line, at once (what it was given, a killed process does not lose), and that rotates
 * by size:
 *
 *     tillbridge.log      the newest lines
 *     tillbridge.1.log    older
 *     tillbridge.4.log    oldest; dropped at the next rotation
 *
 * A file that cannot be written never fails its caller: lines are counted as lost, each next line tries again, and the
 * first one that gets through is preceded by a line that says how many are missing.
 */
import { closeSync, fstatSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolders, openToAppend } from '../base/private-files.ts';

/** How far a full file may grow that cannot be renamed, as a multiple of its size. */
const overfullFactor = 2;

export interface RotatingFile {
  /** Appends `line` and a line end. False: it was lost. */
  write(line: string): boolean;
  /** How many lines were lost since the start. */
  readonly lostLines: number;
  /** Lines after this are lost. May be called twice. */
  close(): void;
}

/** The system calls, so that a full disk can be put in their place. */
export interface FileCalls {
  openSync: typeof openSync;
  writeSync: (descriptor: number, bytes: Uint8Array, offset: number) => number;
  closeSync: typeof closeSync;
}

export interface RotatingFileOptions {
  folder: string;
  /** Name without ending, such as `tillbridge`. */
  name: string;
  /** A line that would make the file longer than this begins a new one. */
  maxBytes: number;
  /** How many files there may be in all, the newest one counted. */
  maxFiles: number;
  /** Makes the line that tells of lost ones. */
  lossLine: (count: number) => string;
  calls?: FileCalls;
}

export function openRotatingFile(options: RotatingFileOptions): RotatingFile {
  const { folder, name, maxBytes, maxFiles, lossLine, calls = { openSync, writeSync, closeSync } } = options;
  const path = (age: number) => join(folder, age === 0 ? `${name}.log` : `${name}.${age}.log`);
  let descriptor: number | null = null;
  let sizeBytes = 0;
  let closed = false;
  let lost = 0;
  let untold = 0;
  /** A disk that filled up in the middle of a line leaves half of it. */
  let inMidLine = false;

  function open(): number {
    if (descriptor !== null) return descriptor;
    makeFolders(folder);
    const opened = openToAppend(path(0), calls.openSync);
    descriptor = opened;
    sizeBytes = fstatSync(opened).size;
    return opened;
  }

  function shut(): void {
    if (descriptor === null) return;
    const open = descriptor;
    descriptor = null;
    try {
      calls.closeSync(open);
    } catch {
      // Nothing is kept in memory that a failed close could lose.
    }
  }

  /** Leaves the newest file away, or in place if the system will not let go of it (an open viewer on Windows). */
  function rotate(): void {
    shut();
    rmSync(path(maxFiles - 1), { force: true });
    for (let age = maxFiles - 2; age >= 0; age -= 1) {
      try {
        renameSync(path(age), path(age + 1));
        if (age === 0) inMidLine = false;
      } catch {
        // An older file that was never there leaves a gap in the row and no more.
      }
    }
  }

  function append(text: string): void {
    const lengthBytes = Buffer.byteLength(text) + (inMidLine ? 2 : 1);
    let target = open();
    if (sizeBytes > 0 && sizeBytes + lengthBytes > maxBytes) {
      rotate();
      target = open();
      if (sizeBytes > maxBytes * overfullFactor) throw new Error('the full file cannot be set aside');
    }
    const bytes = Buffer.from(`${inMidLine ? '\n' : ''}${text}\n`);
    for (let written = 0; written < bytes.length;) {
      const count = calls.writeSync(target, bytes, written);
      if (count === 0) throw new Error('nothing was written');
      written += count;
      sizeBytes += count;
      inMidLine = written < bytes.length;
    }
  }

  return {
    write(line) {
      if (closed) {
        lost += 1;
        return false;
      }
      try {
        if (untold > 0) {
          append(lossLine(untold));
          untold = 0;
        }
        append(line);
        return true;
      } catch {
        lost += 1;
        untold += 1;
        // The folder may have been taken away or the disk changed: begin again with the next line.
        shut();
        return false;
      }
    },
    get lostLines() {
      return lost;
    },
    close() {
      closed = true;
      shut();
    },
  };
}
