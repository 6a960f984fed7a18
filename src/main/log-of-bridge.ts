/** The log of the main process, which lies in the bridge's. */
import { errorStack } from '../base/error-text.ts';
import type { ToBridge } from '../contract/bridge-channel.ts';
import type { Log, LogFields } from '../log/index.ts';

/** A log whose lines go to the process that has it: `send` passes one on. */
export function logOf(send: (line: Extract<ToBridge, { kind: 'log' }>) => void, bound: LogFields = {}): Log {
  const write = (level: 'debug' | 'info' | 'warn' | 'error') => (message: string, fields?: LogFields) =>
    send({ kind: 'log', level, message, fields: plain({ ...bound, ...fields }) });
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    // There are no bytes of a line here.
    debugBytes() {},
    // Nothing waits here.
    writeWaiting() {},
    with: (fields) => logOf(send, { ...bound, ...fields }),
  };
}

/** What a message between processes can carry: errors as their text. */
function plain(fields: LogFields): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? errorStack(value) : value]),
  );
}
