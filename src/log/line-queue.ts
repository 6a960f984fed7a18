/**
 * What is logged waits here until it is put into words and written:
 *
 *     debug, info, warn, error ──► one queue, in order ──► words, mask ──► file, store, readable lines
 *
 * All of that is done in one go, a moment later, so that nobody waits for it who has something better to do. A warning,
 * an end of the process, or a reader of the store takes everything before it out at once. What waits has not been masked
 * yet, so it leaves memory by `write` alone. `docs/adr/0027` says what a killed process may lose.
 */
import type { Clock } from '../base/clock.ts';
import type { LogLevel } from '../contract/log.ts';
import type { BytesInWords, LogFields } from './log.ts';

/** The longest that a line waits. */
const maxWaitMs = 25;
/** With so many lines, or so much in them, it does not wait for the time: some 10 ms of work. */
const maxWaitingLines = 200;
const maxWaitingBytes = 64 * 1024;

/** A line as it was when it was logged: nothing of it can change any more. */
export interface QueuedLine {
  level: LogLevel;
  /** Wall clock. */
  atMs: number;
  /** Plain fields that go on every line of its log. */
  bound: LogFields;
  said: { message: string; fields: LogFields } | { bytes: Uint8Array; describe: BytesInWords };
}

export interface LineQueue {
  add(line: QueuedLine, sizeBytes: number): void;
  /** Writes all that waits, now. */
  drain(): void;
  /** From now on nothing waits. */
  close(): void;
}

/** Those in which something waits. */
const waitingQueues = new Set<() => void>();
let hooked = false;

/** Writes what waits in any log: for who reads a log's file. At the end of the process it is called by itself. */
export function drainLogs(): void {
  for (const drain of waitingQueues) drain();
}

/** `write` does not throw. What it logs itself comes behind what waits. */
export function createLineQueue(clock: Clock, write: (line: QueuedLine) => void): LineQueue {
  let lines: QueuedLine[] = [];
  let waitingBytes = 0;
  let cancelTimer: (() => void) | null = null;
  let draining = false;
  let closed = false;

  function drain() {
    if (draining) return;
    cancelTimer?.();
    cancelTimer = null;
    waitingQueues.delete(drain);
    draining = true;
    while (lines.length > 0) {
      const batch = lines;
      lines = [];
      waitingBytes = 0;
      for (const line of batch) write(line);
    }
    draining = false;
  }

  function waitForMore() {
    if (cancelTimer !== null || draining) return;
    cancelTimer = clock.after(maxWaitMs, drain);
    waitingQueues.add(drain);
    if (hooked) return;
    hooked = true;
    // Also after a fault that nobody has caught.
    process.on('exit', drainLogs);
  }

  return {
    add(line, sizeBytes) {
      lines.push(line);
      waitingBytes += sizeBytes;
      const urgent = line.level === 'warn' || line.level === 'error';
      const full = lines.length >= maxWaitingLines || waitingBytes >= maxWaitingBytes;
      if (urgent || full || closed) drain();
      else waitForMore();
    },
    drain,
    close() {
      closed = true;
      drain();
    },
  };
}
