/**
 * A line that can be put to sleep with the computer, and that notes when the terminal was last heard. The bridge sees a
 * line that was lost and is there again.
 */
import { LineError, type Line, type LineConnection } from '../bridge/lines/index.ts';
import type { Clock } from '../base/clock.ts';

export interface SuspendableLine {
  line: Line;
  /** When bytes last came, milliseconds since 1970; null: not yet. */
  readonly lastHeardMs: number | null;
  /** Closes the connection that is open and lets none be opened; resolves when the port is free. */
  suspend(): Promise<void>;
  /** Connections can be opened again; whoever waits for one gets it at once. */
  resume(): void;
}

const asleep = 'The computer sleeps.';

/** `onHeard` is called with each piece of bytes; it must return at once. */
export function createSuspendableLine(inner: Line, clock: Clock, onHeard = () => {}): SuspendableLine {
  const open = new Set<LineConnection>();
  let lastHeardMs: number | null = null;
  /** Set while asleep. `told`: the reason has been given once, so that it is seen; later attempts wait for the end. */
  let sleep: { over: Promise<void>; end(): void; told: boolean } | null = null;
  let falling = new AbortController();

  async function openAwake(signal: AbortSignal): Promise<LineConnection> {
    const fell = falling.signal;
    try {
      const connection = await inner.open(AbortSignal.any([signal, fell]));
      if (!fell.aborted) return watched(connection);
      await connection.close();
    } catch (error) {
      if (!fell.aborted) throw error;
    }
    throw new LineError(signal.aborted ? 'no longer wanted' : asleep);
  }

  function watched(connection: LineConnection): LineConnection {
    open.add(connection);
    return {
      write: (bytes) => connection.write(bytes),
      onData(handler) {
        connection.onData((bytes) => {
          lastHeardMs = clock.now();
          onHeard();
          handler(bytes);
        });
      },
      onClose(handler) {
        connection.onClose((reason) => {
          handler(sleep === null ? reason : asleep);
        });
      },
      get closed() {
        return connection.closed;
      },
      async close() {
        open.delete(connection);
        await connection.close();
      },
    };
  }

  return {
    line: {
      name: inner.name,
      async open(signal) {
        if (sleep !== null) {
          const { over, told } = sleep;
          sleep.told = true;
          if (!told) throw new LineError(asleep);
          await Promise.race([over, aborted(signal)]);
        }
        if (signal.aborted) throw new LineError('no longer wanted');
        return openAwake(signal);
      },
    },
    get lastHeardMs() {
      return lastHeardMs;
    },
    async suspend() {
      if (sleep === null) {
        const { promise, resolve } = Promise.withResolvers<void>();
        sleep = { over: promise, end: resolve, told: false };
        falling.abort();
      }
      await Promise.all([...open].map((connection) => connection.close()));
      open.clear();
    },
    resume() {
      if (sleep === null) return;
      const { end } = sleep;
      sleep = null;
      falling = new AbortController();
      end();
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
