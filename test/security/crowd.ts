/** A crowd of connections that want to keep everybody else out: each one that is closed comes back at once. */
import { connect, type Socket } from 'node:net';

/** A crowd in the test's own process must leave it some time. */
const comeBackMs = 3;

export interface CrowdOptions {
  port: number;
  addresses: readonly string[];
  /** For each address. */
  size: number;
  /** What each connection sends when it is open. */
  bytes: string | Buffer;
  /** Sent again and again, for those that hold on by going on. */
  drip?: { bytes: string; everyMs: number };
}

export interface Crowd {
  /** How many connections were opened so far. */
  readonly opened: number;
  /** How many are open now. */
  readonly held: number;
  close(): void;
}

export function gather(options: CrowdOptions): Crowd {
  const { port, addresses, size, bytes, drip } = options;
  const sockets = new Set<Socket>();
  let opened = 0;
  let over = false;

  const join = (host: string) => {
    if (over) return;
    const socket = connect({ host, port });
    sockets.add(socket);
    socket.on('connect', () => {
      opened += 1;
      socket.write(bytes);
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      setTimeout(join, comeBackMs, host);
    });
    // What comes back is read, so that nothing is closed because it is not.
    socket.resume();
  };
  for (const host of addresses) for (let index = 0; index < size; index += 1) join(host);
  const dripping =
    drip === undefined
      ? undefined
      : setInterval(() => {
          for (const socket of sockets) if (!socket.connecting) socket.write(drip.bytes);
        }, drip.everyMs);

  return {
    get opened() {
      return opened;
    },
    get held() {
      return sockets.size;
    },
    close() {
      over = true;
      clearInterval(dripping);
      for (const socket of sockets) socket.destroy();
    },
  };
}
