/** The line of a replay: what came from the terminal comes again, and what the driver sends goes nowhere. */
import type { LineConnection } from '../lines/line.ts';

export interface ScriptedLine {
  readonly connection: LineConnection;
  deliver(bytes: Uint8Array): void;
  end(reason: string): void;
}

export function createScriptedLine(): ScriptedLine {
  let handler = (_bytes: Uint8Array) => {};
  const closeHandlers: ((reason: string) => void)[] = [];
  let closed = false;

  function end(reason: string) {
    if (closed) return;
    closed = true;
    // Never from inside a call into the connection.
    setImmediate(() => {
      for (const tell of closeHandlers.splice(0)) tell(reason);
    });
  }

  return {
    connection: {
      write: () => !closed,
      onData(reader) {
        handler = reader;
      },
      onClose: (tell) => void closeHandlers.push(tell),
      get closed() {
        return closed;
      },
      close() {
        end('closed on this side');
        return Promise.resolve();
      },
    },
    deliver(bytes) {
      if (!closed) handler(bytes);
    },
    end,
  };
}
