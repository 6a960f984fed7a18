/** The log as the modules see it. Every line is masked as it is written; see `mask.ts`. */
import type { Clock } from '../base/clock.ts';

/** A log that somebody else may have made: users of `tillbridge/remote` hand in their own. */
export interface LineLog {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** The same log with fields that go on every line (`source`, `operation_id`, `request_id`). */
  with(fields: LogFields): LineLog;
}

export interface Log extends LineLog {
  /**
   * A debug line that tells of bytes. They are copied, and `describe` is called with the copy when the line is written,
   * up to 25 ms later, or never when nobody wants it or it is known what it says of these bytes: it must depend on
   * nothing but them.
   */
  debugBytes(bytes: Uint8Array, describe: BytesInWords): void;
  /** There is time now: what waits is put into words and written, before something comes that it would hold up. */
  writeWaiting(): void;
  with(fields: LogFields): Log;
}

/**
 * Plain JSON values only. `source` names the part that writes the line:
 * - of the bridge: `bridge`, `listener`, `payments`, `journal`, `terminal`, `line` and the protocol, `zvt`;
 * - around it: `app`, `console`, `control`, `log`, `remote`, `sandbox`, `simulator`.
 */
export type LogFields = Record<string, unknown>;

/** What a line says of bytes: its message and its fields, without anything that may not be seen. */
export type BytesInWords = (bytes: Uint8Array) => { message: string; fields: LogFields };

/** Says nothing; for tests and tools. */
export const silentLog: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  debugBytes() {},
  writeWaiting() {},
  with() {
    return silentLog;
  },
};

const throttleMs = 60_000;

/**
 * For log lines that somebody outside can cause as often as they like: the first of a kind is written at once, then one a
 * minute, with how many were left out before it. For the driver and recovery, which set no timers for a log; the sums that
 * HTTP servers log by themselves are in `src/http/`.
 */
export interface LogThrottle {
  /**
   * Whether a line of this kind may be written now: the fields that it gets besides its own (`left_out`, when there were
   * any), or null. Kinds are named in the code, never by what comes from outside, so their number is bounded.
   */
  due(kind: string): { left_out?: number } | null;
}

export function createLogThrottle(clock: Pick<Clock, 'elapsed'>): LogThrottle {
  const written = new Map<string, { at: number; leftOut: number }>();
  return {
    due(kind) {
      const now = clock.elapsed();
      const last = written.get(kind);
      if (last !== undefined && now - last.at < throttleMs) {
        last.leftOut += 1;
        return null;
      }
      written.set(kind, { at: now, leftOut: 0 });
      return last === undefined || last.leftOut === 0 ? {} : { left_out: last.leftOut };
    },
  };
}
