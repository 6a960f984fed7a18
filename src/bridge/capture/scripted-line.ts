/** The line of a replay: what came from the terminal comes again, and what the driver sends goes to the replay at most. */
import type { LineConnection } from '../lines/line.ts';

export interface ScriptedLine {
  readonly connection: LineConnection;
  deliver(bytes: Uint8Array): void;
  end(reason: string): void;
}

/** `onSent` is called in a later turn of the event loop. */
export function createScriptedLine(onSent: (bytes: Uint8Array) => void = () => {}): ScriptedLine {
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
      write(bytes) {
        const sent = Uint8Array.from(bytes);
        if (!closed) setImmediate(() => onSent(sent));
        return !closed;
      },
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
