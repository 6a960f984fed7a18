/** A line with a cable that can be pulled at any piece of bytes, and put back. */
import type { Line, LineConnection } from '../../src/bridge/lines/line.ts';

type Towards = 'terminal' | 'bridge';

export interface PluggableLine {
  readonly line: Line;
  /** All that the bridge has put on the line, piece by piece: on a line in memory a piece is a frame or an acknowledgement. */
  readonly written: readonly Uint8Array[];
  /** Hears each piece before the other side does. `lose`: it does not arrive. */
  onPiece: (towards: Towards, bytes: Uint8Array) => 'pass' | 'lose';
  /** Ends the connection, and none can be made until it is put back. */
  pull(): void;
  put(): void;
}

export function pluggable(inner: Line): PluggableLine {
  const written: Uint8Array[] = [];
  let open: LineConnection | null = null;
  let plugged = true;

  function wrap(connection: LineConnection): LineConnection {
    return {
      write(bytes) {
        if (connection.closed) return false;
        written.push(bytes);
        return cable.onPiece('terminal', bytes) === 'lose' || connection.write(bytes);
      },
      onData(handler) {
        connection.onData((bytes) => {
          if (cable.onPiece('bridge', bytes) === 'pass') handler(bytes);
        });
      },
      onClose: (handler) => connection.onClose(handler),
      get closed() {
        return connection.closed;
      },
      close: (unsent) => connection.close(unsent),
    };
  }

  const cable: PluggableLine = {
    line: {
      name: inner.name,
      async open(signal) {
        if (!plugged) throw new Error('the cable is not plugged in');
        open = await inner.open(signal);
        return wrap(open);
      },
    },
    written,
    onPiece: () => 'pass',
    pull() {
      plugged = false;
      void open?.close();
    },
    put() {
      plugged = true;
    },
  };
  return cable;
}
