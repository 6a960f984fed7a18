/**
 * The files of a capture. A recording never hinders a payment: what cannot be written ends it, and the log says so. What
 * somebody wants to see happened last, so the newest part is kept:
 *
 *     capture.jsonl      the newest entries
 *     capture.1.jsonl    those before them; gone when the next file is full
 */
import { closeSync, fstatSync, renameSync, writeSync } from 'node:fs';
import { format, parse } from 'node:path';
import { errorText } from '../../base/error-text.ts';
import { openToAppend } from '../../base/private-files.ts';
import type { Log } from '../../log/index.ts';
import type { CaptureEntry } from './capture-file.ts';

/** Of each of the two. Both together are some weeks of an idle terminal. */
export const maxCaptureBytes = 32 * 1024 * 1024;

export interface CaptureWriter {
  /** Never throws. */
  write(entry: CaptureEntry): void;
  /** Writes nothing more; the log says why. */
  end(reason: string): void;
  close(): void;
}

/** The file with what came before that in `file`. */
export function olderCaptureFile(file: string): string {
  const { dir, name, ext } = parse(file);
  return format({ dir, name: `${name}.1`, ext });
}

/**
 * Opens `file`, which only its owner can read, or makes it; what is in it stays. `header` comes first (see `headerOf`), and
 * again in each next file, with `continues`. Nothing is written, and the log says why, where that does not work.
 */
export function openCapture(
  file: string,
  header: object,
  log: Log,
  maxBytes: number = maxCaptureBytes,
): CaptureWriter {
  let descriptor: number | null = null;
  let sizeBytes = 0;

  function open(): void {
    descriptor = openToAppend(file);
    sizeBytes = fstatSync(descriptor).size;
  }

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

  function beginNext() {
    close();
    renameSync(file, olderCaptureFile(file));
    open();
  }

  function append(line: Buffer) {
    if (descriptor === null) return;
    // As a whole or not at all, or the next line would stand in the middle of this one.
    if (writeSync(descriptor, line) < line.length) throw new Error('the disk is full');
    sizeBytes += line.length;
  }

  try {
    open();
    if (sizeBytes >= maxBytes) beginNext();
    log.warn('the terminal’s line is recorded', { file });
    // What was cut off in its middle is a line of its own.
    if (sizeBytes > 0) append(Buffer.from('\n'));
    append(lineOf(header));
  } catch (error) {
    end(errorText(error));
  }
  return {
    write(entry) {
      if (descriptor === null) return;
      try {
        const line = lineOf(entry);
        if (sizeBytes + line.length > maxBytes) {
          beginNext();
          append(lineOf({ ...header, continues: true }));
        }
        append(line);
      } catch (error) {
        end(errorText(error));
      }
    },
    end(reason) {
      if (descriptor !== null) end(reason);
    },
    close,
  };
}

function lineOf(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}
