/** A firewall on loopback before a PostgreSQL server: it forwards, and forgets connections without telling either side. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import path from 'node:path';
import type { PostgresServer } from '../../support/postgres-server.ts';

export interface Relay {
  /** For `createPostgres`. */
  url: string;
  /** Nothing goes through the connections that there are any more, and neither side hears of it; new ones are served. */
  mute(): void;
  close(): Promise<void>;
}

export async function relayTo(server: PostgresServer): Promise<Relay> {
  const folder = decodeURIComponent(
    new URL(server.url.replace('@/', '@socket/')).searchParams.get('host') ?? '',
  );
  const pairs = new Set<[Socket, Socket]>();
  const listener = createServer((outer) => {
    const inner = connect(path.join(folder, '.s.PGSQL.5432'));
    const pair: [Socket, Socket] = [outer, inner];
    pairs.add(pair);
    outer.pipe(inner).pipe(outer);
    for (const socket of pair) {
      socket.on('error', () => {});
      socket.on('close', () => {
        for (const other of pair) other.destroy();
        pairs.delete(pair);
      });
    }
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  return {
    url: `postgres://office@127.0.0.1:${port}/postgres`,
    mute() {
      for (const [outer, inner] of pairs) {
        outer.unpipe(inner).pause();
        inner.unpipe(outer).pause();
      }
    },
    close() {
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      return new Promise((resolve) => listener.close(() => resolve()));
    },
  };
}
