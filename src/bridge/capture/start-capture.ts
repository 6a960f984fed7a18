/** A capture of a bridge that runs. */
import type { Clock } from '../../base/clock.ts';
import { errorText } from '../../base/error-text.ts';
import type { Configuration } from '../../contract/configuration.ts';
import type { Log } from '../../log/index.ts';
import type { ProtocolConnection } from '../terminals/create-protocol.ts';
import type { LineProtocol, RequestProtocol } from '../terminals/terminal-driver.ts';
import { headerOf } from './capture-file.ts';
import { openCapture } from './capture-writer.ts';
import { recorderOf } from './recorder-of.ts';

export interface CaptureOptions {
  /** What was there before stays. */
  file: string;
  /** The version of Tillbridge. */
  program: string;
  /** What the protocol was made with; secrets stay out of the file. */
  connection: ProtocolConnection;
  settings: Configuration;
  clock: Clock;
  log: Log;
}

export interface Capture {
  /** What is recorded while it is used. */
  protocol: LineProtocol | RequestProtocol;
  close(): void;
}

/** `protocol` as it is, with its line or its requests recorded from now on; null where they cannot be. */
export function startCapture(
  protocol: LineProtocol | RequestProtocol,
  { file, program, connection, settings, clock, log }: CaptureOptions,
): Capture | null {
  const record = recorderOf(protocol);
  if (record === null) {
    log.warn('what this terminal says cannot be recorded', { protocol: protocol.name });
    return null;
  }
  const header = headerOf({
    program,
    protocol: protocol.name,
    connection: connection.kind,
    settings,
    started: new Date(clock.now()).toISOString(),
  });
  const writer = openCapture(file, header, log);
  return {
    protocol: record({
      clock,
      write: (entry) => writer.write(entry),
      failed: (error) => writer.end(errorText(error)),
    }),
    close: () => writer.close(),
  };
}
