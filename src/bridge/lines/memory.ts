/** Lines inside the process: for the simulator in the bridge, and for tests. They behave as a cable does. */
import { type Log, silentLog } from '../../log/index.ts';
import { createConnectionEvents, maxWaitingBytes, type ConnectionEvents } from './connection-events.ts';
import { LineError, type Line, type LineConnection } from './line.ts';

/**
 * Two ends of one cable. Bytes arrive in order, in the pieces in which they were written, in a later turn of the event
 * loop: writing never calls the other side. Closing either end closes the other, after the bytes that are under way.
 */
export function createMemoryPair(log: Log = silentLog): [LineConnection, LineConnection] {
  const near = createEnd(log);
  const far = createEnd(log);
  return [near.joined(far), far.joined(near)];
}

/** The name of a line that nothing outside this process can be at the end of: it needs no lock. */
export function memoryLineName(name: string): string {
  return `memory:${name}`;
}

/**
 * A line whose other end is in this process. `accept` gets the far end of each new connection, or refuses it.
 * `name` is the plain name: `simulator` makes `memory:simulator`.
 */
export function createMemoryLine(name: string, accept: (far: LineConnection) => void | 'refused'): Line {
  return {
    name: memoryLineName(name),
    async open(signal) {
      if (signal.aborted) throw new LineError('no longer wanted');
      const [near, far] = createMemoryPair();
      if (accept(far) === 'refused') throw new LineError('refused');
      return near;
    },
  };
}

interface End {
  /** Takes bytes from the other end for a later turn; false when too many wait already. */
  take(bytes: Uint8Array): boolean;
  /** Bytes from the other end that have not arrived yet never do. */
  drop(): void;
  /** The other end has closed. */
  takeEnd(reason: string): void;
  joined(other: End): LineConnection;
}

function createEnd(log: Log): End {
  const underWay: (Uint8Array | { end: string })[] = [];
  let underWayBytes = 0;
  let other: End | null = null;
  let scheduled = false;
  const events: ConnectionEvents = createConnectionEvents(log, (reason) => {
    events.end(reason);
    other?.takeEnd(`the other side gave up: ${reason}`);
  });

  function schedule(item: Uint8Array | { end: string }): void {
    underWay.push(item);
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      underWayBytes = 0;
      for (const arrived of underWay.splice(0)) {
        if (arrived instanceof Uint8Array) events.deliver(arrived);
        else events.end(arrived.end);
      }
    });
  }

  return {
    take(bytes) {
      if (underWayBytes + bytes.length > maxWaitingBytes) return false;
      underWayBytes += bytes.length;
      schedule(bytes);
      return true;
    },
    drop() {
      underWay.length = 0;
      underWayBytes = 0;
    },
    takeEnd(reason) {
      schedule({ end: reason });
    },
    joined(opposite) {
      other = opposite;
      return {
        write(bytes) {
          if (events.closed) return false;
          if (opposite.take(Uint8Array.from(bytes))) return true;
          events.end('the other side does not read');
          opposite.takeEnd('the other side gave up: nobody read its bytes');
          return false;
        },
        onData: events.onData,
        onClose: events.onClose,
        get closed() {
          return events.closed;
        },
        close(unsent = 'send') {
          if (!events.closed) {
            events.endHere();
            if (unsent === 'drop') opposite.drop();
            opposite.takeEnd('closed by the other side');
          }
          return Promise.resolve();
        },
      };
    },
  };
}
