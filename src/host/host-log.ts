/**
 * The log of the bridge that runs now. Each journal has a log of its own beside it, so the log changes with the bridge;
 * whoever holds `log` goes on writing to the right one.
 */
import path from 'node:path';
import { preparePrivateFolder } from '../base/private-files.ts';
import {
  createLog,
  silentLog,
  type CreatedLog,
  type Log,
  type LogStore,
  type LogFields,
} from '../log/index.ts';
import type { Clock } from '../base/clock.ts';
import { createEmitter } from '../base/emitter.ts';
import type { LogLevel, LogLine } from '../contract/console/index.ts';
import { prepareDataFolder } from './data-folder.ts';

const logNames = /^(?:tillbridge\.|book\.)/;

export interface HostLog {
  /** Follows every change. */
  readonly log: Log;
  readonly file: string | null;
  readonly store: LogStore | null;
  /**
   * Opens the log in `folder/logs`, or keeps the one that is open if it is the same. Gives the log itself, for parts
   * that live no longer than it, and sentences on who else can write to the folder. Throws `UnsafeFileError`, and what
   * the file system throws.
   */
  open(folder: string, level: LogLevel): Promise<{ log: Log; warnings: string[] }>;
  /** Calls with the lines of whichever store is open. */
  subscribe(listener: (lines: LogLine[]) => void): () => void;
  close(): Promise<void>;
}

export function createHostLog(clock: Clock): HostLog {
  let current: {
    created: CreatedLog;
    folder: string;
    level: LogLevel;
    unsubscribe: (() => void) | null;
  } | null = null;
  const emitter = createEmitter<LogLine[]>({
    // The line that tells of the fault would be the next one to fail on.
    endOnFault: true,
    onFault: (err) =>
      current?.created.log.warn('a subscriber of the log failed and gets no more', { err, source: 'app' }),
  });

  async function close() {
    const old = current;
    current = null;
    old?.unsubscribe?.();
    await old?.created.close();
  }

  /** Only while somebody listens: the store then has to read each line that is written. */
  function followStore() {
    if (current === null) return;
    if (!emitter.hasSubscribers) {
      current.unsubscribe?.();
      current.unsubscribe = null;
      return;
    }
    current.unsubscribe ??= current.created.store?.subscribe((lines) => emitter.emit(lines)) ?? null;
  }

  function follow(bound: LogFields): Log {
    const here = () => current?.created.log ?? silentLog;
    return {
      debug: (message, fields) => here().debug(message, { ...bound, ...fields }),
      info: (message, fields) => here().info(message, { ...bound, ...fields }),
      warn: (message, fields) => here().warn(message, { ...bound, ...fields }),
      error: (message, fields) => here().error(message, { ...bound, ...fields }),
      debugBytes: (bytes, describe) =>
        here().debugBytes(bytes, (copy) => {
          const { message, fields } = describe(copy);
          return { message, fields: { ...bound, ...fields } };
        }),
      writeWaiting: () => here().writeWaiting(),
      with: (fields) => follow({ ...bound, ...fields }),
    };
  }

  return {
    log: follow({}),
    get file() {
      return current?.created.file ?? null;
    },
    get store() {
      return current?.created.store ?? null;
    },
    async open(folder, level) {
      if (current?.folder === folder && current.level === level)
        return { log: current.created.log, warnings: [] };
      await close();
      const logs = path.join(folder, 'logs');
      const warnings = [...prepareDataFolder(folder), ...preparePrivateFolder(logs, logNames)];
      const created = createLog({
        folder: logs,
        level,
        clock,
        store: { file: path.join(logs, 'book.sqlite') },
      });
      current = { created, folder, level, unsubscribe: null };
      followStore();
      for (const warning of warnings) created.log.warn(warning, { source: 'app' });
      return { log: created.log, warnings };
    },
    subscribe(listener) {
      const end = emitter.subscribe(listener);
      followStore();
      return () => {
        end();
        followStore();
      };
    },
    close,
  };
}
