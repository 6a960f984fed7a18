/** A protocol whose driver is recorded: what it is asked, what it says, and what goes over its line. */
import type { LineConnection } from '../lines/line.ts';
import type { CaptureForm } from '../terminals/framing/index.ts';
import type { LineProtocol } from '../terminals/terminal-driver.ts';
import { createLineRecorder, type LineRecorder } from './line-recorder.ts';
import {
  notesOf,
  recordedDriver,
  recordedWatch,
  type NoteMade,
  type RecordingParts,
} from './recorded-driver.ts';

/**
 * `protocol` as it is, with everything that happens on its connections written down. Whatever goes wrong with that, driver
 * and line never notice.
 */
export function recordedProtocol(
  protocol: LineProtocol,
  { form, ...parts }: RecordingParts & { form: CaptureForm },
): LineProtocol {
  const { clock } = parts;
  const { put, note, safely } = notesOf(parts);
  let calls = 0;

  return {
    ...protocol,
    attach(connection, watch) {
      note(() => ({ kind: 'opened' }));
      const recorder = createLineRecorder({ form, clock, note: put, safely });
      const driver = protocol.attach(recordedLine(connection, recorder, note), recordedWatch(watch, note));
      return recordedDriver(driver, note, () => (calls += 1));
    },
  };
}

function recordedLine(connection: LineConnection, recorder: LineRecorder, note: NoteMade): LineConnection {
  connection.onClose((reason) => recorder.closed(reason));
  return {
    // Also what only some lines have, such as being dialled again.
    ...connection,
    write(bytes) {
      // What a closed line was given has not gone out.
      if (!connection.closed) recorder.sent(bytes);
      return connection.write(bytes);
    },
    onData: (handler) =>
      connection.onData((bytes) => {
        recorder.received(bytes);
        handler(bytes);
      }),
    onClose: (handler) => connection.onClose(handler),
    get closed() {
      return connection.closed;
    },
    close(unsent) {
      if (!connection.closed) note(() => ({ kind: 'dropped' }));
      return connection.close(unsent);
    },
  };
}
