/** The simulator as a terminal on the network (framing `tcp`). */
import { createServer } from 'node:net';
import type { Clock } from '../base/clock.ts';
import { type Log, silentLog } from '../log/index.ts';
import { socketConnection } from '../bridge/lines/index.ts';
import type { ZvtSimulator } from './zvt-simulator.ts';

export interface ServedSimulator {
  /** The port that was really taken. */
  port: number;
  /** Stops listening and closes the simulator's connection. */
  close(): Promise<void>;
}

/** Listens; rejects when the port cannot be had. Port 0 takes a free one. */
export async function serveSimulatorOnTcp(
  simulator: ZvtSimulator,
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
  server.on('error', (error) => log.error('the simulator cannot take connections', { error: error.message }));
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
