/** The simulator at the far end of a serial line (framing `serial`). */
import { pause, type Clock } from '../base/clock.ts';
import type { SerialSettings } from '../contract/configuration.ts';
import { type Log, silentLog } from '../log/index.ts';
import { createSerialLine, socketConnection } from '../bridge/lines/index.ts';
import { openPseudoTerminal } from './pseudo-terminal.ts';
import type { ZvtSimulator } from './zvt-simulator.ts';

/** A port that has gone is tried again this often. */
const reopenMs = 1_000;

/**
 * Opens the port and keeps it open; rejects with `LineError` when it cannot be opened at first. Nothing can be
 * unplugged here: while a scene has the line cut, the terminal is deaf and mute instead.
 */
export async function serveSimulatorOnSerial(
  simulator: ZvtSimulator,
  path: string,
  settings: SerialSettings,
  surroundings: { clock: Clock; log?: Log },
): Promise<{ close(): Promise<void> }> {
  const { clock, log = silentLog } = surroundings;
  const line = createSerialLine({ path, settings, clock, log });
  const stop = new AbortController();
  let connection = await line.open(stop.signal);
  const serving = serve();

  async function serve(): Promise<void> {
    while (!stop.signal.aborted) {
      const ended = new Promise<string>((resolve) => connection.onClose(resolve));
      simulator.attach(connection, { unpluggable: false });
      const reason = await ended;
      while (connection.closed && !stop.signal.aborted) {
        log.warn('the simulator has lost its serial port', { path, reason });
        await pause(clock, reopenMs, stop.signal);
        try {
          connection = await line.open(stop.signal);
        } catch (error) {
          log.debug('the serial port cannot be opened', { path, error: String(error) });
        }
      }
    }
  }

  return {
    async close() {
      stop.abort();
      await simulator.close();
      await connection.close();
      await serving;
    },
  };
}

/**
 * At the far end of a pseudo-terminal that is made for it; `path` is the port that a bridge opens. Rejects with
 * `LineError` where there are none.
 */
export async function serveSimulatorOnPseudoTerminal(
  simulator: ZvtSimulator,
  surroundings: { clock: Clock; log?: Log },
): Promise<{ path: string; close(): Promise<void> }> {
  const terminal = await openPseudoTerminal(surroundings.clock);
  const connection = socketConnection(terminal.stream, surroundings);
  simulator.attach(connection, { unpluggable: false });
  terminal.stream.resume();
  return {
    path: terminal.path,
    async close() {
      await simulator.close();
      await connection.close();
      terminal.close();
    },
  };
}
