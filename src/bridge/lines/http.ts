/**
 * The place of a terminal that is asked by requests. No bytes go over it: it is there to be named, locked and given up as
 * other lines are, and each request makes a connection of its own.
 */
import { silentLog } from '../../log/index.ts';
import { formatTerminalAddress } from '../../contract/terminal-address.ts';
import { createConnectionEvents, type ConnectionEvents } from './connection-events.ts';
import { LineError, type Line } from './line.ts';

export function createHttpLine({ host, port }: { host: string; port: number }): Line {
  return {
    name: formatTerminalAddress({ kind: 'http', host, port }),
    async open(signal) {
      if (signal.aborted) throw new LineError('no longer wanted');
      const events: ConnectionEvents = createConnectionEvents(silentLog, (reason) => events.end(reason));
      return {
        write: () => false,
        onData: events.onData,
        onClose: events.onClose,
        get closed() {
          return events.closed;
        },
        close() {
          events.endHere();
          return Promise.resolve();
        },
      };
    },
  };
}
