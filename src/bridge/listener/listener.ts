/** The bridge's HTTP side, which can be started and stopped at run time. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Chance } from '../../base/chance.ts';
import type { Clock } from '../../base/clock.ts';
import type { Currency } from '../../contract/money.ts';
import type { Log } from '../../log/index.ts';
import type { PaymentsApi } from '../payments/index.ts';
import { maxBodyBytes } from '../../contract/commands.ts';
import {
  type ListenFault,
  type RepeatedKind,
  closeServer,
  createConnectionPool,
  createRepeatedLines,
  gaveWay,
  hostValues,
  isLoopback,
  openSockets,
} from '../../http/index.ts';
import { answerAndClose } from './answers.ts';
import { answerNotFound, createApp } from './app.ts';
import { createClosing } from './closing.ts';
import type { ListenerContext, ListenerRequest, ListenerResponse } from './context.ts';
import { createEventStreams } from './events.ts';
import { answerInternalError } from './faults.ts';
import { createGuard, newExchange } from './guard.ts';
import type { Guard } from './guard.ts';
import { createHttpServer } from './http-server.ts';
import { createInFlightRequests } from './in-flight-requests.ts';
import { defaultLimits } from './limits.ts';
import type { ListenerLimits } from './limits.ts';
import { createTallies } from './tallies.ts';
import { createTokenGuard } from './token-guard.ts';

export interface ListenerOptions {
  payments: PaymentsApi;
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
  /** Whole origins. Read with each request, so that its owner may change it while the listener runs. */
  allowedOrigins: readonly string[];
  currency: Currency;
  /** CreatePayment without a reference gets one instead of an error. */
  makeReferences: boolean;
  /** Where POS tokens are kept; null: none are used. */
  tokensFile: string | null;
  /** A web page was refused; at most once in ten seconds for each origin, and so many different ones. */
  onBlockedOrigin?: (origin: string) => void;
  limits?: Partial<ListenerLimits>;
}

export type ListenerStarted =
  | { kind: 'listening'; port: number; addresses: string[] }
  | { kind: 'failed'; code: ListenFault; message: string };

const tooManyInHand: RepeatedKind = {
  name: 'too many in hand',
  level: 'warn',
  message: 'Closed a connection with too many requests in hand',
  many: 'connections with too many requests in hand were closed',
};

export interface Listener {
  /** Opens every address or none. Started already: says so again. */
  start(): Promise<ListenerStarted>;
  /** Lets requests in hand finish within bounds; afterwards no port is held. */
  stop(): Promise<void>;
  readonly listening: boolean;
  readonly port: number | null;
}

export function createListener(options: ListenerOptions): Listener {
  const limits = { ...defaultLimits, ...options.limits };
  const log = options.log.with({ source: 'listener' });
  const { clock, chance, payments, port: wantedPort, host } = options;
  const inFlight = createInFlightRequests(limits.maxPipelined);
  const repeated = createRepeatedLines(log, clock);
  const polls = createRepeatedLines(log, clock);
  const pool = createConnectionPool({
    maxConnections: limits.maxConnections,
    onGaveWay: () => repeated.note(gaveWay, undefined, { limit: limits.maxConnections }),
  });
  let closing = createClosing();
  let servers: Server[] = [];
  let started: Extract<ListenerStarted, { kind: 'listening' }> | null = null;
  let simulated = false;
  let unsubscribe = () => {};
  let guard: Guard = () => ({ code: 'host_not_allowed', message: 'The listener is not open.' });
  /** Starts and stops take their turn. */
  let turn: Promise<unknown> = Promise.resolve();

  const context: ListenerContext = {
    payments,
    log,
    repeated,
    polls,
    clock,
    version: options.version,
    limits,
    currency: options.currency,
    makeReferences: options.makeReferences,
    tokens: createTokenGuard({ file: options.tokensFile, maxAgeMs: limits.tokensAgeMs, clock, log }),
    tallies: createTallies(),
    closing: () => closing,
    port: () => started?.port ?? null,
    simulated: () => simulated,
  };
  const events = createEventStreams(context);
  const app = createApp(context, events);

  const onRequest = (request: IncomingMessage, response: ServerResponse, waits: boolean): void => {
    // One address is open and another is not yet: what comes now waits until it is certain that we listen.
    if (started === null) {
      void turn.then(() => (started === null ? request.socket.destroy() : handle(request, response, waits)));
      return;
    }
    handle(request, response, waits);
  };

  const handle = (request: IncomingMessage, response: ServerResponse, waits: boolean): void => {
    const exchange = newExchange(request, clock, chance);
    if (!inFlight.enter(request, response, exchange)) {
      repeated.note(tooManyInHand, request.headers['user-agent'], { limit: limits.maxPipelined });
      request.socket.destroy();
      return;
    }
    const failure = guard(request, exchange);
    if (failure !== null) {
      return answerAndClose(context, exchange, request, response, failure);
    }
    pool.enter(request, response);
    if (waits) {
      // Who asks first is told at once that the body is too large, and keeps it.
      if (Number(request.headers['content-length'] ?? 0) <= maxBodyBytes) response.writeContinue();
      else response.shouldKeepAlive = false;
    }
    const ours = response as ListenerResponse;
    ours.locals = { exchange };
    app(request as ListenerRequest, ours, (error?: unknown) => {
      if (error === undefined || error === null) answerNotFound(context, ours);
      else answerInternalError(context, exchange, response, error);
    });
  };

  const makeServer = (): Server =>
    createHttpServer({ limits, inFlight, pool, repeated, onRequest, simulated: context.simulated });

  const start = async (): Promise<ListenerStarted> => {
    if (started !== null) return started;
    closing = createClosing();
    // Kept, because every answer asks for it and the payments room has to look into its journal to tell.
    simulated = payments.status().terminal.simulated;
    const onNoIpv6 = () => log.info('This machine has no IPv6: listening on 127.0.0.1 only');
    const opened = await openSockets({ port: wantedPort, host, makeServer, onNoIpv6 });
    if (opened.kind === 'failed') {
      log.error(opened.message, { port: wantedPort });
      return opened;
    }
    servers = opened.servers;
    started = { kind: 'listening', port: opened.port, addresses: opened.addresses };
    guard = createGuard({
      hosts: hostValues(opened.port, host, options.allowedHosts),
      allowedOrigins: options.allowedOrigins,
      repeated,
      clock,
      onBlockedOrigin: options.onBlockedOrigin ?? (() => {}),
    });
    unsubscribe = payments.subscribe((paymentsEvent) => {
      if (paymentsEvent.kind === 'terminal') simulated = paymentsEvent.terminal.simulated;
    });
    events.open();
    log.info('Listening', { addresses: opened.addresses });
    if (!isLoopback(host)) {
      log.warn(
        'The listener can be reached from other machines. Payments travel unencrypted; use POS tokens.',
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
    closing.begin();
    events.close();
    unsubscribe();
    const cancelGrace = clock.after(limits.stopGraceMs, () => closing.cut());
    const cut = new AbortController();
    const cancelCut = clock.after(limits.stopGraceMs + limits.stopCutMs, () => cut.abort());
    await inFlight.whenNone(cut.signal);
    cancelGrace();
    cancelCut();
    // What is left has no request in hand: half-sent headers, connections opened in advance.
    for (const server of servers) server.closeAllConnections();
    await closed;
    servers = [];
    started = null;
    repeated.flush();
    polls.flush();
    log.info('Stopped listening');
  };

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work);
    turn = result.catch(() => {});
    return result;
  };

  return {
    start: () => inTurn(start),
    stop: () => inTurn(stop),
    get listening() {
      return started !== null;
    },
    get port() {
      return started?.port ?? null;
    },
  };
}
