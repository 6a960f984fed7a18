/** One connection on one opened serial port. */
import type { SerialPort } from 'serialport';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../log/index.ts';
import { createConnectionEvents, maxWaitingBytes, type ConnectionEvents } from './connection-events.ts';
import type { LineConnection, Unsent } from './line.ts';
import { deviceOf, type SerialDevice } from './serial-device.ts';

/** How long the system may take to close a port (it waits for the last bytes to go out). */
const closeTimeoutMs = 5_000;

/** Takes over `port`, which has just been opened and is never opened again. */
export function serialConnection(
  port: SerialPort,
  path: string,
  options: { clock: Clock; log: Log },
): LineConnection {
  const { clock, log } = options;
  const events: ConnectionEvents = createConnectionEvents(log, abandon);
  const device = deviceOf(port);
  let closing: Promise<void> | null = null;

  function abandon(reason: string): void {
    events.end(reason);
    void shut('drop');
  }

  /** Closes the port once, whoever asks; resolves when the system has given it back, or takes too long. */
  function shut(unsent: Unsent): Promise<void> {
    closing ??= new Promise<void>((resolve) => {
      const cancel = clock.after(closeTimeoutMs, done);
      function done(): void {
        cancel();
        // Whatever it still holds is gone with it: this port is not opened again.
        port.destroy();
        resolve();
      }
      const close = () => (port.isOpen ? port.close(done) : done());
      // Whether the system could drop it or not: the port is closed.
      if (port.isOpen && unsent === 'drop') port.flush(close);
      else if (port.isOpen) close();
      else if (port.closing) port.once('close', done);
      else done();
    });
    return closing;
  }

  // An unplugged port may report an error and two closes, in any order, also after it was closed here.
  port.on('error', (error: Error) => {
    if (events.closed) return;
    log.debug('serial port error', { source: 'line', path, err: error });
    abandon(`${path} failed: ${error.message}`);
  });
  port.on('close', (error: unknown) => {
    abandon(error instanceof Error ? `${path} was unplugged` : `${path} was closed`);
  });
  if (device === null) port.on('data', (bytes: Buffer) => events.deliver(bytes));
  else read(device);

  /** Always reading: without a reader nobody notices that the device has gone. */
  function read(from: SerialDevice): void {
    from.onceReadable((bytes) => {
      if (events.closed) return;
      if (bytes === null) return abandon(`${path} was unplugged`);
      if (bytes.length > 0) events.deliver(bytes);
      if (!events.closed) read(from);
    });
  }

  return {
    write(bytes) {
      // A closed port would keep the bytes and send them when it is opened again: an old sale.
      if (events.closed || !port.isOpen) return false;
      if (port.writableLength + bytes.length > maxWaitingBytes) {
        abandon(`${path} takes no more bytes`);
        return false;
      }
      // What serialport was given before comes first.
      const taken = port.writableLength > 0 ? 0 : (device?.write(bytes) ?? 0);
      // Failures come as `error` and `close`, too.
      if (taken < bytes.length) port.write(Buffer.from(bytes.subarray(taken)), () => {});
      return true;
    },
    onData: events.onData,
    onClose: events.onClose,
    get closed() {
      return events.closed;
    },
    close(unsent = 'send') {
      events.endHere();
      return shut(unsent);
    },
  };
}
