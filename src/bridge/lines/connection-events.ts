/**
 * What every connection has to get right about its handlers, whatever moves its bytes:
 *
 * - bytes that come before there is a reader are kept for it, within a bound;
 * - close handlers are called once, after the last byte was read, and never from inside a call into the connection;
 * - a handler that throws ends the connection, not the process.
 */
import type { Log } from '../../log/index.ts';

/** Bytes that may wait for a reader, and bytes that may wait to be sent. A frame of any terminal is far below it. */
export const maxWaitingBytes = 256 * 1024;

export interface ConnectionEvents {
  onData(handler: (bytes: Uint8Array) => void): void;
  onClose(handler: (reason: string) => void): void;
  readonly closed: boolean;
  /** Bytes came from the other side. */
  deliver(bytes: Uint8Array): void;
  /** The connection is over; the first reason counts. What has come before is still read. */
  end(reason: string): void;
  /** The same when this side wanted it: what has come and was not read is dropped. */
  endHere(): void;
}

const closedHere = 'closed on this side';

/** `abandon` closes socket or port for the given reason when the reader has failed or there is none. */
export function createConnectionEvents(log: Log, abandon: (reason: string) => void): ConnectionEvents {
  let reader: ((bytes: Uint8Array) => void) | null = null;
  const closeHandlers: ((reason: string) => void)[] = [];
  let kept: Uint8Array[] = [];
  let keptBytes = 0;
  let endReason: string | null = null;
  let finishing = false;

  function finishSoon(): void {
    if (finishing) return;
    finishing = true;
    setImmediate(finish);
  }

  /** Hands over what was kept, then tells of the end. */
  function finish(): void {
    finishing = false;
    if (reader !== null) {
      for (let bytes = kept.shift(); bytes !== undefined; bytes = kept.shift()) {
        keptBytes -= bytes.length;
        read(reader, bytes);
      }
    }
    if (endReason === null) return;
    for (const handler of closeHandlers.splice(0)) {
      try {
        handler(endReason);
      } catch (error) {
        log.error('a close handler failed', { source: 'line', err: error });
      }
    }
  }

  function read(handler: (bytes: Uint8Array) => void, bytes: Uint8Array): void {
    try {
      handler(bytes);
    } catch (error) {
      log.error('the reader of a line failed', { source: 'line', err: error });
      kept = [];
      abandon('an internal error while the bridge read; see the log');
    }
  }

  return {
    onData(handler) {
      if (reader !== null) throw new Error('a connection has one reader');
      reader = handler;
      finishSoon();
    },
    onClose(handler) {
      closeHandlers.push(handler);
      if (endReason !== null) finishSoon();
    },
    get closed() {
      return endReason !== null;
    },
    deliver(bytes) {
      if (endReason !== null) return;
      if (reader !== null && kept.length === 0) return read(reader, bytes);
      kept.push(bytes);
      keptBytes += bytes.length;
      if (keptBytes > maxWaitingBytes)
        abandon(`more than ${maxWaitingBytes} bytes came and nobody read them`);
    },
    end(reason) {
      if (endReason !== null) return;
      endReason = reason;
      finishSoon();
    },
    endHere() {
      if (endReason !== null) return;
      kept = [];
      endReason = closedHere;
      finishSoon();
    },
  };
}
