/**
 * The log: JSON lines into a rotating file, readable lines to people. A line waits in a queue for a moment
 * (`line-queue.ts`), and is masked in the destination, after it was put together, so no path leads around it. A log that
 * cannot be written counts its lines and goes on.
 */
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { logLevels, type LogLevel } from '../contract/log.ts';
import { createLineQueue, type QueuedLine } from './line-queue.ts';
import { createBytesForms, formOf, type LineForm } from './line-form.ts';
import type { Log, LogFields } from './log.ts';
import { openLogStore, type LogStore } from './log-store.ts';
import { charactersIn, plainFields, plainText } from './plain-fields.ts';
import { readableLine } from './readable-line.ts';
import { openRotatingFile } from './rotating-file.ts';
import type { FileCalls } from './rotating-file.ts';

const maxLogFileBytes = 10 * 1024 * 1024;
const maxLogFiles = 5;
/** A reader of the readable lines that does not keep up loses lines instead of filling the memory. */
const maxWaitingBytes = 1024 * 1024;

export type { LogLevel };

export interface CreateLogOptions {
  /** Where `tillbridge.log` and the older files are kept; made if missing. Null: no file. */
  folder: string | null;
  /** What goes into the file and to the readable stream. The store takes everything. */
  level: LogLevel;
  clock: Clock;
  /** Where readable lines go, such as `process.stderr`; left out: nowhere. It is never ended. */
  pretty?: NodeJS.WritableStream;
  maxFileBytes?: number;
  maxFiles?: number;
  /** The file system, for the case that it fails. */
  fileCalls?: FileCalls;
  /** A log store for the console; `maxLines` is 1,000,000 when left out. */
  store?: { file: string; maxLines?: number };
}

export interface CreatedLog {
  log: Log;
  /** The file with the newest lines, or null. */
  file: string | null;
  /** Null when none was asked for. */
  store: LogStore | null;
  /** How many lines could not be written since the start, to the file or to the readable stream. */
  lostLines(): number;
  /** Closes file and store; lines after this still go to the readable stream. Never rejects; may be called twice. */
  close(): Promise<void>;
}

export function createLog(options: CreateLogOptions): CreatedLog {
  const { folder, level, clock, pretty, maxFileBytes = maxLogFileBytes, maxFiles = maxLogFiles } = options;
  const file =
    folder === null
      ? null
      : openRotatingFile({
          folder,
          name: 'tillbridge',
          maxBytes: maxFileBytes,
          maxFiles,
          lossLine: (count) =>
            JSON.stringify({
              level: 'error',
              time: isoTime(clock.now()),
              source: 'log',
              msg: `${count} log lines were lost before this one`,
            }),
          ...(options.fileCalls === undefined ? {} : { calls: options.fileCalls }),
        });
  const store =
    options.store === undefined
      ? null
      : openLogStore({
          ...options.store,
          clock,
          beforeReading: () => queue.drain(),
          onTrouble: (message, err) => logWith({ source: 'log' }).warn(message, { err }),
        });
  let lost = 0;
  const lowestLevel = store === null ? level : 'debug';
  let newest = { atMs: 0, text: isoTime(0) };
  const formOfBytes = createBytesForms();
  const queue = createLineQueue(clock, writeLine);
  // A stream that nobody reads any more (EPIPE) must not end the process.
  pretty?.on('error', () => {
    lost += 1;
  });

  function write(lineLevel: LogLevel, atMs: number, { json, known }: LineForm): void {
    const text = `{"level":"${lineLevel}","time":"${timeText(atMs)}",${json.slice(1)}`;
    store?.take(text, known === null ? null : { ...known, level: lineLevel });
    if (!isAtLeast(lineLevel, level)) return;
    file?.write(text);
    if (pretty === undefined) return;
    if (!pretty.writable || ('writableLength' in pretty && Number(pretty.writableLength) > maxWaitingBytes)) {
      lost += 1;
      return;
    }
    pretty.write(`${readableLine(text)}\n`);
  }

  function writeLine({ level: lineLevel, atMs, bound, said }: QueuedLine): void {
    try {
      const form =
        'bytes' in said
          ? formOfBytes(bound, said.bytes, said.describe)
          : formOf({ ...bound, ...said.fields, msg: said.message });
      write(lineLevel, atMs, form);
    } catch {
      // Whatever was wrong with this line, it is not worth a payment.
      lost += 1;
    }
  }

  /** Many lines have the time of the one before. */
  function timeText(atMs: number): string {
    if (newest.atMs !== atMs) newest = { atMs, text: isoTime(atMs) };
    return newest.text;
  }

  function add(lineLevel: LogLevel, bound: LogFields, message: string, fields: LogFields = {}): void {
    if (!isAtLeast(lineLevel, lowestLevel)) return;
    try {
      const said = { message: plainText(message), fields: plainFields(fields) };
      queue.add(
        { level: lineLevel, atMs: clock.now(), bound, said },
        said.message.length + charactersIn(said.fields),
      );
    } catch {
      lost += 1;
    }
  }

  function logWith(bound: LogFields): Log {
    return {
      debug: (message, fields) => add('debug', bound, message, fields),
      info: (message, fields) => add('info', bound, message, fields),
      warn: (message, fields) => add('warn', bound, message, fields),
      error: (message, fields) => add('error', bound, message, fields),
      debugBytes(bytes, describe) {
        if (lowestLevel !== 'debug') return;
        const said = { bytes: new Uint8Array(bytes), describe };
        queue.add({ level: 'debug', atMs: clock.now(), bound, said }, bytes.length);
      },
      writeWaiting() {
        queue.drain();
        store?.flush();
      },
      with: (fields) => logWith({ ...bound, ...plainFields(fields) }),
    };
  }

  return {
    log: logWith({}),
    file: folder === null ? null : join(folder, 'tillbridge.log'),
    store,
    lostLines() {
      queue.drain();
      return lost + (file?.lostLines ?? 0);
    },
    close() {
      queue.close();
      file?.close();
      store?.close();
      return Promise.resolve();
    },
  };
}

function isAtLeast(level: LogLevel, lowest: LogLevel): boolean {
  return logLevels.indexOf(level) >= logLevels.indexOf(lowest);
}

function isoTime(milliseconds: number): string {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? new Date(0).toISOString() : date.toISOString();
}
