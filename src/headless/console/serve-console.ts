/** The console as a page of the headless bridge, on a loopback port of its own. */
import type { Server } from 'node:http';
import type { Clock } from '../../contract/clock.ts';
import type { ConsoleService } from '../../contract/console/index.ts';
import { closeServer, openSockets } from '../../http/index.ts';
import type { Log } from '../../bridge/log/index.ts';
import { createApp } from './app.ts';
import { createChangeStreams } from './changes.ts';
import { createGuard } from './guard.ts';
import { defaultLimits, type ConsoleLimits } from './limits.ts';
import { createConsoleServer } from './server.ts';
import { createSession } from './session.ts';

export interface ServeConsoleOptions {
  service: ConsoleService;
  /** 0: any free port. */
  port: number;
  /** The built page. */
  rendererFolder: string;
  log: Log;
  clock: Clock;
  limits?: Partial<ConsoleLimits>;
}

export type ServedConsole =
  | {
      kind: 'serving';
      port: number;
      /** With the token: whoever has it may use the console. */
      link: string;
      /** Ends event streams, lets answers in hand end within bounds; afterwards no port is held. May be called twice. */
      close(): Promise<void>;
    }
  | { kind: 'failed'; message: string };

/**
 * Serves the console on 127.0.0.1 and, where there is IPv6, ::1. Fails when the port is not to be had; a page that is
 * not built is told to whoever opens it.
 */
export async function serveConsole(options: ServeConsoleOptions): Promise<ServedConsole> {
  const { service, clock, rendererFolder } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const log = options.log.with({ source: 'console' });
  const changes = createChangeStreams({ service, clock, log, limits });

  let app: ReturnType<typeof createApp> | null = null;
  const makeServer = (): Server =>
    createConsoleServer({
      limits,
      log,
      onRequest(request, response) {
        // Nobody knows the port before both addresses are open.
        if (app === null) request.socket.destroy();
        else app(request, response);
      },
    });
  const opened = await openSockets({ port: options.port, host: null, makeServer, onNoIpv6: () => {} });
  if (opened.kind === 'failed') {
    log.error(opened.message, { port: options.port });
    return { kind: 'failed', message: opened.message };
  }
  const { port, servers } = opened;
  const session = createSession(port);
  app = createApp({ service, rendererFolder, session, guard: createGuard(port), changes, limits, log });
  log.info('The console can be opened', { addresses: opened.addresses });

  const close = async (): Promise<void> => {
    const closed = Promise.all(servers.map(closeServer));
    changes.close();
    const cancelCut = clock.after(limits.closeGraceMs, () => {
      for (const server of servers) server.closeAllConnections();
    });
    await closed;
    cancelCut();
    log.info('The console is closed');
  };
  let closing: Promise<void> | null = null;
  return {
    kind: 'serving',
    port,
    link: `http://127.0.0.1:${port}/?token=${session.token}`,
    close: () => (closing ??= close()),
  };
}
