/** A line with a cable that can be pulled at any piece of bytes, and put back. */
import type { Line, LineConnection } from '../../src/bridge/lines/line.ts';

interface Piece {
  towards: 'terminal' | 'bridge';
  bytes: Uint8Array;
}

export interface PluggableLine {
  readonly line: Line;
  /** All that was put on the line, in order: on a line in memory a piece is a frame or an acknowledgement. */
  readonly pieces: readonly Piece[];
  /** Hears each piece before the other side does. `lose`: it does not arrive. */
  onPiece: () => 'pass' | 'lose';
  /** Ends the connection, and none can be made until it is put back. */
  pull(): void;
  put(): void;
}

export function pluggable(inner: Line): PluggableLine {
  const pieces: Piece[] = [];
  let open: LineConnection | null = null;
  let plugged = true;

  function wrap(connection: LineConnection): LineConnection {
    return {
      write(bytes) {
        if (connection.closed) return false;
        pieces.push({ towards: 'terminal', bytes });
        return cable.onPiece() === 'lose' || connection.write(bytes);
      },
      onData(handler) {
        connection.onData((bytes) => {
          pieces.push({ towards: 'bridge', bytes });
          if (cable.onPiece() === 'pass') handler(bytes);
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
    pieces,
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
