/** The log as the rooms see it. Every line is masked as it is written; see `mask.ts`. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** The same log with fields that go on every line (`source`, `operation_id`, `request_id`). */
  with(fields: LogFields): Log;
}

/** Plain JSON values only. `source` names the room: listener, payments, journal, zvt, line, simulator, bridge. */
export type LogFields = Record<string, unknown>;

/** Says nothing; for tests and tools. */
export const silentLog: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  with() {
    return silentLog;
  },
};
