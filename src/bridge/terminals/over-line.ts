/** A protocol of bytes on a line, as the payments module takes it. */
import type { LineConnection } from '../lines/line.ts';
import type { ConnectTerminal, LineProtocol } from './terminal-driver.ts';

/** Opens the line, tried with backoff until it is open; null once `signal` aborts. */
type OpenLine = (
  signal: AbortSignal,
  onFailure: (reason: string, nextTryMs: number) => void,
) => Promise<LineConnection | null>;

export function overLine(
  protocol: LineProtocol,
  openLine: OpenLine,
): { protocol: LineProtocol; connect: ConnectTerminal } {
  return {
    protocol,
    async connect(watch, signal, onFailure) {
      const line = await openLine(signal, onFailure);
      if (line === null) return null;
      return {
        driver: protocol.attach(line, watch),
        onClose: (handler) => line.onClose(handler),
        get closed() {
          return line.closed;
        },
        close: (unsent) => line.close(unsent),
      };
    },
  };
}
