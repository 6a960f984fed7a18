/** Where a line is plugged into a simulated terminal that does not notice when the cable is pulled: one connection at a time. */
import type { LineConnection } from '../bridge/lines/line.ts';
import type { Log } from '../log/index.ts';
import type { Outage } from './outage.ts';
import type { ReachableSimulator } from './reachable-simulator.ts';

export interface Socket extends Pick<ReachableSimulator, 'attach' | 'accepting'> {
  /** Lost while nobody is there, or nobody can hear it. */
  write(bytes: Uint8Array): void;
  /** Nobody can connect for so long. Where nothing can be unplugged the terminal is deaf and mute instead. */
  cutLine(durationMs: number): void;
  /** Ends the connection that there is, where it can be unplugged. */
  unplug(): void;
  /** The same where that can be: the terminal has no more to say on it. */
  hangUp(): void;
  /** For good; resolves when all connections are closed. */
  close(): Promise<void>;
}

export interface SocketOptions {
  outage: Pick<Outage, 'reach' | 'begin'>;
  log: Log;
  /** Another connection takes the place of the one before. */
  newLine(): void;
  receive(bytes: Uint8Array): void;
}

export function createSocket({ outage, log, newLine, receive }: SocketOptions): Socket {
  const past: Promise<void>[] = [];
  let current: { connection: LineConnection; unpluggable: boolean } | null = null;
  let closed = false;

  const isAccepting = () => !closed && outage.reach !== 'cut';

  function leave(): void {
    if (current !== null) past.push(current.connection.close());
    current = null;
  }

  function unplug(): void {
    if (current?.unpluggable === true) leave();
  }

  return {
    attach(connection, { unpluggable = true } = {}) {
      if (!isAccepting()) {
        void connection.close();
        return;
      }
      leave();
      const mine = { connection, unpluggable };
      current = mine;
      newLine();
      connection.onData((bytes) => {
        if (current === mine && outage.reach === 'reachable') receive(bytes);
      });
      connection.onClose((reason) => {
        log.debug('the connection has ended', { reason });
        if (current === mine) current = null;
      });
    },
    get accepting() {
      return isAccepting();
    },
    write(bytes) {
      if (outage.reach === 'reachable') current?.connection.write(bytes);
    },
    cutLine(durationMs) {
      log.info('the line is cut', { duration_ms: durationMs });
      outage.begin('cut', durationMs);
      unplug();
    },
    unplug,
    hangUp() {
      if (current?.unpluggable === true) unplug();
    },
    async close() {
      closed = true;
      leave();
      await Promise.all(past);
    },
  };
}
