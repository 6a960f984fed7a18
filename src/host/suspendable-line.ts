/**
 * A line that can be suspended when the computer sleeps, and that notes when bytes last came. To the bridge it is a line
 * that was lost and is back.
 */
import { LineError, type Line, type LineConnection } from '../bridge/lines/index.ts';
import type { Clock } from '../base/clock.ts';
import { orAborted } from '../base/abort.ts';

export interface SuspendableLine {
  line: Line;
  /** When bytes last came, milliseconds since 1970; null: not yet. */
  readonly lastHeardMs: number | null;
  /** Something came that is no bytes of the line: the answer to a request. */
  noteHeard(): void;
  /**
   * Closes the connection that is open and lets none be opened; resolves when the port is free. `reason` is what is said of
   * it; by default that the computer sleeps.
   */
  suspend(reason?: string): Promise<void>;
  /** Connections can be opened again; whoever waits for one gets it at once. */
  resume(): void;
}

const asleepReason = 'The computer sleeps.';

/** `onHeard` is called with each piece of bytes; it must return at once. */
export function createSuspendableLine(inner: Line, clock: Clock, onBytes = () => {}): SuspendableLine {
  const open = new Set<LineConnection>();
  let lastHeardMs: number | null = null;
  /** Set while suspended. `reported`: one attempt has failed with the reason; later ones wait for the end. */
  let sleep: { over: Promise<void>; end(): void; reported: boolean; reason: string } | null = null;
  let suspending = new AbortController();

  function noteHeard() {
    lastHeardMs = clock.now();
    onBytes();
  }

  async function openUnlessSuspended(signal: AbortSignal): Promise<LineConnection> {
    const suspended = suspending.signal;
    try {
      const connection = await inner.open(AbortSignal.any([signal, suspended]));
      if (!suspended.aborted) return watched(connection);
      await connection.close();
    } catch (error) {
      if (!suspended.aborted) throw error;
    }
    throw new LineError(signal.aborted ? 'no longer wanted' : (sleep?.reason ?? asleepReason));
  }

  function watched(connection: LineConnection): LineConnection {
    open.add(connection);
    return {
      write: (bytes) => connection.write(bytes),
      onData(handler) {
        connection.onData((bytes) => {
          noteHeard();
          handler(bytes);
        });
      },
      onClose(handler) {
        connection.onClose((reason) => {
          handler(sleep === null ? reason : sleep.reason);
        });
      },
      get closed() {
        return connection.closed;
      },
      async close(unsent) {
        open.delete(connection);
        await connection.close(unsent);
      },
    };
  }

  return {
    line: {
      name: inner.name,
      async open(signal) {
        if (sleep !== null) {
          const { over, reported } = sleep;
          sleep.reported = true;
          if (!reported) throw new LineError(sleep.reason);
          await orAborted(over, signal);
        }
        if (signal.aborted) throw new LineError('no longer wanted');
        return openUnlessSuspended(signal);
      },
      ...(inner.lock === undefined ? {} : { lock: inner.lock }),
      onPlugged: (call) => inner.onPlugged?.(call) ?? (() => {}),
    },
    get lastHeardMs() {
      return lastHeardMs;
    },
    noteHeard,
    async suspend(reason = asleepReason) {
      if (sleep === null) {
        const { promise, resolve } = Promise.withResolvers<void>();
        sleep = { over: promise, end: resolve, reported: false, reason };
        suspending.abort();
      }
      await Promise.all([...open].map((connection) => connection.close()));
      open.clear();
    },
    resume() {
      if (sleep === null) return;
      const { end } = sleep;
      sleep = null;
      suspending = new AbortController();
      end();
    },
  };
}
