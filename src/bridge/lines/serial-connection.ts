/** One connection on one opened serial port. */
import { isatty } from 'node:tty';
import type { SerialPort } from 'serialport';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../log/index.ts';
import { createConnectionEvents, maxWaitingBytes, type ConnectionEvents } from './connection-events.ts';
import type { LineConnection, Unsent } from './line.ts';

/** How often the system is asked whether the device is still there; see `watchDevice`. */
const deviceCheckMs = 500;
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
  let stopWatching = watchDevice();
  let closing: Promise<void> | null = null;

  /**
   * While the process is busy with the bytes that came last (a synced write), a port that is unplugged is read as an
   * endless row of nothing: serialport then asks again and again, takes a whole core, and never says `close`. A
   * device that has gone is no terminal any more, which the system tells at once. Windows has no such call; there the
   * heartbeat notices.
   */
  function watchDevice(): () => void {
    if (process.platform === 'win32') return () => {};
    return clock.after(deviceCheckMs, () => {
      const descriptor = port.port !== undefined && 'fd' in port.port ? port.port.fd : null;
      if (port.isOpen && descriptor !== null && !isatty(descriptor)) abandon(`${path} was unplugged`);
      else if (!events.closed) stopWatching = watchDevice();
    });
  }

  function abandon(reason: string): void {
    events.end(reason);
    void shut('drop');
  }

  /** Closes the port once, whoever asks; resolves when the system has given it back, or takes too long. */
  function shut(unsent: Unsent): Promise<void> {
    stopWatching();
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
  // Always attached: without a reader serialport does not notice that the device has gone.
  port.on('data', (bytes: Buffer) => events.deliver(bytes));

  return {
    write(bytes) {
      // A closed port would keep the bytes and send them when it is opened again: an old sale.
      if (events.closed || !port.isOpen) return false;
      if (port.writableLength + bytes.length > maxWaitingBytes) {
        abandon(`${path} takes no more bytes`);
        return false;
      }
      // Failures come as `error` and `close`, too.
      port.write(Buffer.from(bytes), () => {});
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
