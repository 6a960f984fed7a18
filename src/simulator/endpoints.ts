/** The ways to reach the simulator: in the same process, on the network, at the far end of a serial line. */
import { createMemoryLine, socketConnection, createSerialLine } from '../bridge/lines/index.ts';
import { LineError, type Line } from '../bridge/lines/line.ts';
import type { ReachableSimulator, ServedSimulator } from './reachable-simulator.ts';
import { createServer } from 'node:net';
import { type Clock, pause } from '../base/clock.ts';
import { type Log, silentLog } from '../log/index.ts';
import type { SerialSettings } from '../contract/protocol-descriptor.ts';
import { openPseudoTerminal } from './pseudo-terminal.ts';

/**
 * The line to a simulator in the same process . `name` is the plain name: `simulator` makes
 * `memory:simulator`. `open` rejects while the simulator does not accept a connection.
 */
export function createSimulatorLine(simulator: ReachableSimulator, name = 'simulator'): Line {
  const line = createMemoryLine(name, (far) => simulator.attach(far));
  return {
    name: line.name,
    async open(signal) {
      if (!simulator.accepting) throw new LineError('it has no power, or its line is cut');
      return line.open(signal);
    },
  };
}

/** The simulator as a terminal on the network. Listens; rejects when the port cannot be had. Port 0 takes a free one. */
export async function serveSimulatorOnTcp(
  simulator: ReachableSimulator,
  options: { host: string; port: number; clock: Clock; log?: Log },
): Promise<ServedSimulator> {
  const { clock, log = silentLog } = options;
  const server = createServer((socket) => {
    if (!simulator.accepting) {
      // As near as a listening socket can come to a terminal without power.
      socket.on('error', () => {});
      socket.resetAndDestroy();
      return;
    }
    simulator.attach(socketConnection(socket, { clock, log }));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  server.on('error', (error) => log.error('the simulator cannot take connections', { err: error }));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    async close() {
      const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
      await simulator.close();
      await stopped;
    },
  };
}

/** A port that has gone is tried again this often. */
const reopenMs = 1_000;

/**
 * The simulator at the far end of a serial line. Opens the port and keeps it open; rejects with `LineError` when it cannot be opened at first. Nothing can be
 * unplugged here: while a scenario has the line cut, the terminal is deaf and mute instead.
 */
export async function serveSimulatorOnSerial(
  simulator: ReachableSimulator,
  path: string,
  settings: SerialSettings,
  options: { clock: Clock; log?: Log },
): Promise<{ close(): Promise<void> }> {
  const { clock, log = silentLog } = options;
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
          log.debug('the serial port cannot be opened', { path, err: error });
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
  simulator: ReachableSimulator,
  options: { clock: Clock; log?: Log },
): Promise<{ path: string; close(): Promise<void> }> {
  const terminal = await openPseudoTerminal(options.clock);
  const connection = socketConnection(terminal.stream, options);
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
