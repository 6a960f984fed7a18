/**
 * The device behind an open serial port, read and written in this thread. serialport asks another thread for each piece,
 * twice to read it, and sends a frame only once that thread has reported the one before; both have to wait for a synced
 * write of this thread, and cost half of a payment's processor time.
 */
import { readSync, writeSync } from 'node:fs';
import type { SerialPort } from 'serialport';

export interface SerialDevice {
  /**
   * Calls once when there is something to read, with what has come, which may be nothing after all; with null when the
   * device has gone. Says nothing more once the port was closed.
   */
  onceReadable(call: (bytes: Uint8Array | null) => void): void;
  /**
   * Gives the system as much as it takes without waiting, which for a frame is all of it, and says how much that was.
   * Whatever is in the way is left to serialport, which tries again and reports it.
   */
  write(bytes: Uint8Array): number;
}

/** The system keeps no more of what came for one read. */
const maxPieceBytes = 4096;

/** Null on Windows, where what serialport holds is no file that Node can read. */
export function deviceOf({ port }: SerialPort): SerialDevice | null {
  if (port === undefined || !('poller' in port) || port.fd === null) return null;
  const { fd, poller } = port;
  const piece = new Uint8Array(maxPieceBytes);

  function read(): Uint8Array | null {
    try {
      const count = readSync(fd, piece);
      // A port that is there and has nothing to read says so by an error; this is the end.
      return count === 0 ? null : piece.slice(0, count);
    } catch (error) {
      return isForLater(error) ? new Uint8Array(0) : null;
    }
  }

  return {
    onceReadable: (call) => void poller.once('readable', (error) => call(error === null ? read() : null)),
    write(bytes) {
      if (port.fd === null) return 0;
      try {
        return writeSync(fd, bytes);
      } catch {
        return 0;
      }
    },
  };
}

function isForLater(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EINTR');
}
