/** The file of a capture. A recording never hinders a payment: what cannot be written ends it, and the log says so. */
import { closeSync, fstatSync, writeSync } from 'node:fs';
import { errorText } from '../../base/error-text.ts';
import { openToAppend } from '../../base/private-files.ts';
import type { Log } from '../../log/index.ts';
import type { CaptureEntry } from './capture-file.ts';

/** Three weeks of an idle terminal; a file that grows without an end would fill a till's disk. */
export const maxCaptureBytes = 64 * 1024 * 1024;

export interface CaptureWriter {
  /** Never throws. */
  write(entry: CaptureEntry): void;
  close(): void;
}

/**
 * Opens `file`, which only its owner can read, or makes it; what is in it stays. `header` comes first (see `headerOf`).
 * Nothing is written, and the log says why, where that does not work.
 */
export function openCapture(file: string, header: object, log: Log): CaptureWriter {
  let descriptor: number | null = null;
  let leftBytes = 0;

  function close() {
    if (descriptor === null) return;
    const closing = descriptor;
    descriptor = null;
    try {
      closeSync(closing);
    } catch (error) {
      log.warn('the file of the recording could not be closed', { file, err: error });
    }
  }

  function end(reason: string) {
    log.error('the recording of the terminal’s line has ended', { file, reason });
    close();
  }

  function put(value: object) {
    if (descriptor === null) return;
    const line = Buffer.from(`${JSON.stringify(value)}\n`);
    leftBytes -= line.length;
    if (leftBytes < 0) return end(`the file has ${maxCaptureBytes} bytes`);
    try {
      // As a whole or not at all, or the next line would stand in the middle of this one.
      if (writeSync(descriptor, line) < line.length) end('the disk is full');
    } catch (error) {
      end(errorText(error));
    }
  }

  try {
    descriptor = openToAppend(file);
    leftBytes = maxCaptureBytes - fstatSync(descriptor).size;
    log.warn('the terminal’s line is recorded', { file });
    // What was cut off in its middle is a line of its own.
    if (leftBytes < maxCaptureBytes) writeSync(descriptor, '\n');
    put(header);
  } catch (error) {
    end(errorText(error));
  }
  return { write: put, close };
}
