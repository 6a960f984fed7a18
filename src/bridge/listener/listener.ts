/** The bridge's HTTP side, which can be started and stopped at run time. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Chance } from '../../base/chance.ts';
import type { Clock } from '../../base/clock.ts';
import { createSerialQueue } from '../../base/serial-queue.ts';
import type { BatchesWithoutMoney } from '../../contract/batches-without-money.ts';
import type { Currency } from '../../contract/money.ts';
import type { Log } from '../../log/index.ts';
import type { PaymentsApi } from '../payments/index.ts';
import { maxBodyBytes } from '../../contract/http-commands.ts';
import {
  type ListenFailureCode,
  type RepeatedKind,
  closeServer,
  createConnectionPool,
  createRepeatedLines,
  hostValues,
  isLoopback,
  openSockets,
} from '../../http/index.ts';
import { createListenerRoutes } from './routes.ts';
import { createShutdownSignal } from './listener-context.ts';
import type { CallObserver, ListenerContext, ListenerResponse } from './listener-context.ts';
import { createEventsRoute } from './events-route.ts';
import { createRequestGuard, newRequestContext } from './request-guard.ts';
import type { RequestGuard } from './request-guard.ts';
import { createInFlightRequests, createListenerServer } from './connections.ts';
import { defaultListenerLimits } from './listener-limits.ts';
import type { ListenerLimits } from './listener-limits.ts';
import { createListenerMetrics } from './metrics.ts';
import { refuseAndClose } from './responses.ts';
import { createRecentCalls, type RecentCall } from './recent-calls.ts';
import { createTerminalTable, type ListenerTerminal } from './terminal-table.ts';
import { createTokenGuard } from './token-guard.ts';

export interface ListenerOptions {
  /** Of the main terminal. */
  payments: PaymentsApi;
  otherTerminals?: readonly ListenerTerminal[];
  log: Log;
  clock: Clock;
  chance: Chance;
  /** Of Tillbridge, for /health, /metrics and /openapi.json. */
  version: string;
  /** 0: any free port. */
  port: number;
  /** Null: 127.0.0.1 and ::1. */
  host: string | null;
  /** Further values of `Host`, with or without a port. */
  allowedHosts: readonly string[];
  /** Whole origins; `setAllowedOrigins` changes them. */
  allowedOrigins: readonly string[];
  /** Of the main terminal. */
  currency: Currency;
  /** CreatePayment without a reference gets one instead of an error. */
  makeReferences: boolean;
  /** Where POS tokens are kept; null: none are used. */
  tokensFile: string | null;
  /** As it was found last, for /metrics; left out: nobody looks for it. */
  batchesWithoutMoney?: () => readonly BatchesWithoutMoney[] | Promise<readonly BatchesWithoutMoney[]>;
  /** A web page was refused; at most once in ten seconds for each origin, and so many different ones. */
  onBlockedOrigin?: (origin: string) => void;
  limits?: Partial<ListenerLimits>;
  /** Left out: nobody watches the calls. */
  observer?: CallObserver;
}

type ListenerStarted =
  | { kind: 'listening'; port: number; addresses: string[] }
  | { kind: 'failed'; code: ListenFailureCode; message: string };

const tooManyInFlight: RepeatedKind = {
  name: 'too many in flight',
  level: 'warn',
  message: 'closed a connection with too many requests in flight',
  many: 'connections with too many requests in flight were closed',
};

export interface Listener {
  /** Opens every address or none. Started already: says so again. */
  start(): Promise<ListenerStarted>;
  /** Lets requests in flight finish within bounds; afterwards no port is held. */
  stop(): Promise<void>;
  /** Whole origins of web pages that may call, from the next request on. */
  setAllowedOrigins(origins: readonly string[]): void;
  readonly listening: boolean;
  readonly port: number | null;
  /** The newest calls since it was made, also of who was refused; newest first. */
  recentCalls(): RecentCall[];
}

export function createListener(options: ListenerOptions): Listener {
  const limits = { ...defaultListenerLimits, ...options.limits };
  const log = options.log.with({ source: 'listener' });
  const { clock, chance, payments, port: wantedPort, host } = options;
  let { allowedOrigins } = options;
  const inFlight = createInFlightRequests(limits.maxPipelined);
  const repeatedLines = createRepeatedLines(log, clock);
  const queryLines = createRepeatedLines(log, clock);
  const recentCalls = createRecentCalls();
  const pool = createConnectionPool({
    maxConnections: limits.maxConnections,
    repeatedLines,
  });
  let shutdown = createShutdownSignal();
  let servers: Server[] = [];
  let started: Extract<ListenerStarted, { kind: 'listening' }> | null = null;
  let simulated = false;
  let unsubscribe = () => {};
  let guard: RequestGuard = () => ({ code: 'host_not_allowed', message: 'The listener is not open.' });
  /** Starts and stops take their turn. */
  const queue = createSerialQueue();

  const terminals = createTerminalTable(
    { payments, currency: options.currency },
    options.otherTerminals ?? [],
  );
  const observer = options.observer ?? null;
  const context: ListenerContext = {
    observer,
    terminals,
    log,
    repeatedLines,
    queryLines,
    clock,
    version: options.version,
    limits,
    makeReferences: options.makeReferences,
    tokens: createTokenGuard({ file: options.tokensFile, maxAgeMs: limits.tokensAgeMs, clock, log }),
    metrics: createListenerMetrics({
      terminals: terminals.all,
      clock,
      version: options.version,
      eventStreams: () => events.count(),
      batchesWithoutMoney: options.batchesWithoutMoney ?? (() => []),
    }),
    recentCalls,
    shutdown: () => shutdown,
    port: () => started?.port ?? null,
    simulated: () => simulated,
  };
  const events = createEventsRoute(context);
  const route = createListenerRoutes(context, events);

  const onRequest = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void => {
    // One address is open and another is not yet: what comes now waits until it is certain that we listen.
    if (started === null) {
      void queue
        .idle()
        .then(() =>
          started === null ? request.socket.destroy() : handle(request, response, expectsContinue),
        );
      return;
    }
    handle(request, response, expectsContinue);
  };

  const handle = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void => {
    const requestContext = newRequestContext(request, clock, chance);
    const ours = response as ListenerResponse;
    ours.locals = { requestContext };
    observer?.came(ours);
    if (!inFlight.enter(request, response, requestContext)) {
      repeatedLines.note(tooManyInFlight, request.headers['user-agent'], { limit: limits.maxPipelined });
      request.socket.destroy();
      return;
    }
    const refusal = guard(request, requestContext);
    if (refusal !== null) {
      return refuseAndClose(context, ours, refusal);
    }
    pool.enter(request, response);
    if (expectsContinue) {
      // Who asks first is told at once that the body is too large, and keeps it.
      if (Number(request.headers['content-length'] ?? 0) <= maxBodyBytes) response.writeContinue();
      else response.shouldKeepAlive = false;
    }
    route(request, ours);
  };

  const makeServer = (): Server =>
    createListenerServer({
      limits,
      inFlight,
      pool,
      repeatedLines,
      onRequest,
      onBroken: (code) => recentCalls.note({ atMs: clock.now(), path: 'other', code }, null),
      simulated: context.simulated,
    });

  const start = async (): Promise<ListenerStarted> => {
    if (started !== null) return started;
    shutdown = createShutdownSignal();
    // Kept, because every response needs it and payments would have to look into the journal.
    simulated = payments.status().terminal.simulated;
    const onNoIpv6 = () => log.info('no IPv6 on this machine: listening on 127.0.0.1 only');
    const opened = await openSockets({ port: wantedPort, host, makeServer, onNoIpv6 });
    if (opened.kind === 'failed') {
      log.error(opened.message, { port: wantedPort });
      return { kind: 'failed', code: opened.code, message: opened.message };
    }
    servers = opened.servers;
    started = { kind: 'listening', port: opened.port, addresses: opened.addresses };
    guard = createRequestGuard({
      hosts: hostValues(opened.port, host, options.allowedHosts),
      allowedOrigins: () => allowedOrigins,
      repeatedLines,
      clock,
      onBlockedOrigin: options.onBlockedOrigin ?? (() => {}),
    });
    unsubscribe = payments.subscribe((paymentsEvent) => {
      if (paymentsEvent.kind === 'terminal') simulated = paymentsEvent.terminal.simulated;
    });
    events.open();
    log.info('listening', { addresses: opened.addresses });
    if (!isLoopback(host)) {
      log.warn(
        'the listener can be reached from other machines, and payments travel unencrypted: use POS tokens',
        {
          addresses: opened.addresses,
        },
      );
    }
    return started;
  };

  const stop = async (): Promise<void> => {
    if (started === null) return;
    const closed = Promise.all(servers.map(closeServer));
    shutdown.begin();
    events.close();
    unsubscribe();
    const cancelGrace = clock.after(limits.stopGraceMs, () => shutdown.cut());
    const cut = new AbortController();
    const cancelCut = clock.after(limits.stopGraceMs + limits.stopCutMs, () => cut.abort());
    await inFlight.whenNone(cut.signal);
    cancelGrace();
    cancelCut();
    // What is left has no request in flight: half-sent headers, connections opened in advance.
    for (const server of servers) server.closeAllConnections();
    await closed;
    servers = [];
    started = null;
    repeatedLines.flush();
    queryLines.flush();
    log.info('stopped listening');
  };

  return {
    start: () => queue.run(start),
    stop: () => queue.run(stop),
    setAllowedOrigins(origins) {
      allowedOrigins = origins;
    },
    recentCalls: () => recentCalls.list(),
    get listening() {
      return started !== null;
    },
    get port() {
      return started?.port ?? null;
    },
  };
}
