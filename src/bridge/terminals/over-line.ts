/** A protocol with its connections, as the payments module takes it. */
import type { LineConnection } from '../lines/line.ts';
import type {
  ConnectTerminal,
  DriverWatch,
  LineProtocol,
  OpenLine,
  RequestProtocol,
  TerminalConnection,
  TerminalProtocol,
} from './terminal-driver.ts';

export function overLine(
  protocol: LineProtocol | RequestProtocol,
  openLine: OpenLine,
): { protocol: TerminalProtocol; connect: ConnectTerminal } {
  return {
    protocol,
    async connect(watch, signal, onFailure) {
      for (;;) {
        const line = await openLine(signal, onFailure);
        if (line === null) return null;
        const connection =
          'attach' in protocol
            ? driven(protocol, protocol.redialled?.(line, openLine) ?? line, watch)
            : await conversation(protocol, line, [watch, signal, onFailure]);
        if (connection !== null || signal.aborted) return connection;
      }
    },
  };
}

function driven(protocol: LineProtocol, line: LineConnection, watch: DriverWatch): TerminalConnection {
  return {
    driver: protocol.attach(line, watch),
    onClose: (handler) => line.onClose(handler),
    get closed() {
      return line.closed;
    },
    close: (unsent) => line.close(unsent),
  };
}

/**
 * No bytes go over the line of a protocol of requests, but whoever ends it (because the computer sleeps, say) ends the
 * conversation, and the other way round. Null: the line has ended before there was one.
 */
async function conversation(
  protocol: RequestProtocol,
  line: LineConnection,
  [watch, signal, onFailure]: Parameters<ConnectTerminal>,
): Promise<TerminalConnection | null> {
  const lost = new AbortController();
  line.onClose(() => lost.abort());
  const inner = await protocol.connect(watch, AbortSignal.any([signal, lost.signal]), onFailure);
  if (inner === null || line.closed) {
    await inner?.close('drop');
    await line.close();
    return null;
  }
  let reason: string | null = null;
  inner.onClose((why) => {
    reason ??= why;
    void line.close();
  });
  line.onClose((why) => {
    reason ??= why;
    void inner.close('drop');
  });
  return {
    driver: inner.driver,
    onClose: (handler) => line.onClose((why) => handler(reason ?? why)),
    get closed() {
      return inner.closed || line.closed;
    },
    async close(unsent) {
      await inner.close(unsent);
      await line.close();
    },
  };
}
