/** A capture of a bridge that runs. */
import type { Clock } from '../../base/clock.ts';
import { errorText } from '../../base/error-text.ts';
import type { Configuration } from '../../contract/configuration.ts';
import type { Log } from '../../log/index.ts';
import type { ProtocolConnection } from '../terminals/create-protocol.ts';
import type { LineProtocol, RequestProtocol } from '../terminals/terminal-driver.ts';
import { headerOf } from './capture-file.ts';
import { openCapture } from './capture-writer.ts';
import { recordedProtocol } from './recorded-protocol.ts';

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

/** `protocol` as it is, with its lines recorded from now on; null where it has none, or they cannot be recorded. */
export function startCapture(
  protocol: LineProtocol | RequestProtocol,
  { file, program, connection, settings, clock, log }: CaptureOptions,
): { protocol: LineProtocol; close(): void } | null {
  const form = 'attach' in protocol ? protocol.captureForm : undefined;
  if (!('attach' in protocol) || form === undefined || connection.kind === 'http') {
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
    protocol: recordedProtocol(protocol, {
      form,
      clock,
      write: (entry) => writer.write(entry),
      failed: (error) => writer.end(errorText(error)),
    }),
    close: () => writer.close(),
  };
}
