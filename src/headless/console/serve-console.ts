/** The console as a page of the headless bridge, on a loopback port of its own. */
import type { Server } from 'node:http';
import type { Chance } from '../../base/chance.ts';
import type { Clock } from '../../base/clock.ts';
import { linkMark, type ConsoleService } from '../../contract/console/index.ts';
import {
  closeServers,
  createBoundedServer,
  createConnectionPool,
  createRepeatedLines,
  openSockets,
} from '../../http/index.ts';
import type { Log } from '../../log/index.ts';
import { createWindowAccess } from './window-access.ts';
import { createConsoleResponses } from './console-responses.ts';
import { createConsoleRoutes } from './console-routes.ts';
import { createChangeStreams } from './change-streams.ts';
import { createPageGuard } from './page-guard.ts';
import { defaultConsoleLimits, type ConsoleLimits } from './console-limits.ts';

export interface ServeConsoleOptions {
  service: ConsoleService;
  /** 0: any free port. */
  port: number;
  /** The built page. */
  rendererFolder: string;
  log: Log;
  clock: Clock;
  chance: Chance;
  limits?: Partial<ConsoleLimits>;
}

export type ServedConsole =
  | {
      kind: 'serving';
      port: number;
      /** A new link. It lets one window in, once, within an hour. */
      makeLink(): string;
      /** Ends all links and windows; says how many there were. */
      revoke(): { windows: number; links: number };
      /** Ends event streams, lets requests in flight end within bounds; afterwards no port is held. May be called twice. */
      close(): Promise<void>;
    }
  | { kind: 'failed'; message: string };

/**
 * Serves the console on 127.0.0.1 and, where there is IPv6, ::1. Fails when the port is not to be had; a page that is
 * not built is told to whoever opens it.
 */
export async function serveConsole(options: ServeConsoleOptions): Promise<ServedConsole> {
  const { service, clock, chance, rendererFolder } = options;
  const limits = { ...defaultConsoleLimits, ...options.limits };
  const log = options.log.with({ source: 'console' });
  const access = createWindowAccess({ clock, chance, limits });
  const repeatedLines = createRepeatedLines(log, clock);
  const responses = createConsoleResponses({ clock, limits });
  const changes = createChangeStreams({ service, access, responses, clock, repeatedLines, limits });
  const pool = createConnectionPool({ maxConnections: limits.maxConnections, repeatedLines });

  let app: ReturnType<typeof createConsoleRoutes> | null = null;
  const makeServer = (): Server =>
    createBoundedServer({
      bounds: limits,
      pool,
      repeatedLines,
      onRequest(request, response) {
        // Nobody knows the port before both addresses are open.
        if (app === null) return void request.socket.destroy();
        pool.enter(request, response);
        app(request, response);
      },
    });
  const opened = await openSockets({ port: options.port, host: null, makeServer, onNoIpv6: () => {} });
  if (opened.kind === 'failed') {
    log.error(opened.message, { port: options.port });
    return { kind: 'failed', message: opened.message };
  }
  const { port, servers } = opened;
  app = createConsoleRoutes({
    service,
    rendererFolder,
    access,
    guard: createPageGuard(port),
    responses,
    changes,
    limits,
    log,
    repeatedLines,
  });
  log.info('the console can be opened', { addresses: opened.addresses });

  const close = async (): Promise<void> => {
    const closed = closeServers(servers, clock, limits.closeGraceMs);
    changes.close();
    await closed;
    repeatedLines.flush();
    log.info('the console is closed');
  };
  let closing: Promise<void> | null = null;
  return {
    kind: 'serving',
    port,
    makeLink: () => `http://127.0.0.1:${port}/${linkMark}${access.makeToken()}`,
    revoke() {
      const ended = access.revokeAll();
      changes.end();
      log.warn('all links and windows of the console were ended', ended);
      return ended;
    },
    close: () => (closing ??= close()),
  };
}
