/** A log that hands on each line at once, as it was logged: with no mask, and bytes put into words. */
import type { LogLevel } from '../../src/contract/log.ts';
import type { Log, LogFields } from '../../src/log/index.ts';

export type NoteLine = (level: LogLevel, message: string, fields: LogFields) => void;

export function createNotingLog(note: NoteLine, bound: LogFields = {}): Log {
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}) =>
      note(level, message, { ...bound, ...fields });
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    debugBytes(bytes, describe) {
      const { message, fields } = describe(bytes);
      at('debug')(message, fields);
    },
    writeWaiting() {},
    with: (fields) => createNotingLog(note, { ...bound, ...fields }),
  };
}
