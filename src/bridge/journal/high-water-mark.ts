/**
 * The high-water mark: a small file that says how far the journal had come, written soon after a commit and not synced.
 * SQLite leaves out the rest of a write-ahead file from the first frame that does not fit, without a word, and cannot
 * know of a whole one that is gone; then events that were acknowledged are missing and the chain still fits. The mark
 * tells. It is never ahead of what was committed, so it cannot raise a false alarm; after a power cut or a kill it may be
 * behind.
 */
import { closeSync, writeSync } from 'node:fs';
import { openToChange, readPlainFile } from '../../base/private-files.ts';
import type { ChainHead } from './chain.ts';

const seqDigits = 16;
/** One is 82 bytes long. */
const maxMarkBytes = 1_024;
const pattern = /^(\d{16}) ([0-9a-f]{64})\n$/;

export interface HighWaterMarkWriter {
  /** Throws when the file system refuses; the events themselves are safe all the same. */
  write(head: ChainHead): void;
  close(): void;
}

/** What the file says; null when there is none or it cannot be read as one (as after a power cut). */
export function readHighWaterMark(file: string): ChainHead | null {
  let text: string;
  try {
    text = readPlainFile(file, { maxBytes: maxMarkBytes }).toString('latin1');
  } catch {
    return null;
  }
  const [, seq, hash] = pattern.exec(text) ?? [];
  return seq === undefined || hash === undefined ? null : { seq: Number(seq), hash };
}

export function openHighWaterMark(file: string): HighWaterMarkWriter {
  const handle = openToChange(file);
  let open = true;
  return {
    write({ seq, hash }) {
      // One write of one line of fixed length: a kill cannot leave half of it.
      writeSync(handle, `${seq.toString().padStart(seqDigits, '0')} ${hash}\n`, 0, 'latin1');
    },
    close() {
      if (open) closeSync(handle);
      open = false;
    },
  };
}
