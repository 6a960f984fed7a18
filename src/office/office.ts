/** Puts the head office together: one process of it. All state is in the database, so any number may stand side by side. */
import type { Server } from 'node:http';
import type { ErrorRequestHandler } from 'express';
import type { Chance } from '../base/chance.ts';
import type { Clock } from '../base/clock.ts';
import { errorText } from '../base/error-text.ts';
import {
  closeServers,
  createBoundedServer,
  createConnectionPool,
  createRepeatedLines,
  eventMessage,
  hostValues,
  nameInAddress,
  openSockets,
  type ListenFailureCode,
  type ServerBounds,
} from '../http/index.ts';
import { createExpressApp } from '../http/express-app.ts';
import type { LineLog } from '../log/index.ts';
import { linkMark, pageHeaders } from '../contract/console/index.ts';
import { createAlarms, usualAlarms, type AlarmsSetup } from './alarms/alarms.ts';
import { createAudit } from './audit.ts';
import { createBridges } from './bridges.ts';
import { createDeposits } from './deposits/deposits.ts';
import type { OpenMoneySearch } from './deposits/money-search.ts';
import type { DepositRules } from './deposits/rules.ts';
import { DatabaseError, type Database } from './database/database.ts';
import { keepDaysAhead } from './database/days-ahead.ts';
import { migrate } from './database/migrate.ts';
import { createPartitions } from './database/partitions.ts';
import { alarmRoutes } from './http/alarm-routes.ts';
import { bridgeRoutes } from './http/bridge-routes.ts';
import { watchRoutes } from './http/watch-routes.ts';
import { createOfficeMetrics } from './operations/metrics.ts';
import { createChangeStreams } from './http/change-streams.ts';
import { depositRoutes } from './http/deposit-routes.ts';
import { officeRoutes } from './http/office-routes.ts';
import { pageRoutes } from './http/page.ts';
import { peopleRoutes } from './http/people-routes.ts';
import { providerRoutes } from './http/provider-routes.ts';
import { createReadings } from './http/readings.ts';
import { beginRequest, refuse } from './http/request.ts';
import { foreignRefusal, type OwnAddress } from './http/who-asks.ts';
import { createIngest } from './ingest/ingest.ts';
import { keepReadingAgain } from './ingest/read-again.ts';
import { openNews } from './news.ts';
import { createOverview } from './overview.ts';
import { createPeople } from './people.ts';
import { createProvider, type ProviderSettings } from './provider.ts';
import { createSearch } from './search.ts';
import { createShopStates } from './shop-states.ts';

export interface OfficeOptions {
  /** It is closed with the office. */
  database: Database;
  /** 0: any free one. */
  port: number;
  /** Null: 127.0.0.1 and, where the machine has it, ::1. */
  host: string | null;
  version: string;
  administratorKey: string;
  /** Lets Prometheus read `/metrics`, and nothing else. Left out: only the administrator's key does. */
  metricsKey?: string;
  /** The built page; null: there is none. */
  rendererFolder: string | null;
  /** Left out: people come in by links alone. */
  provider?: ProviderSettings | null;
  /** Where people reach the office if not at its own port, such as "https://office.example": without a path. */
  publicOrigin: string | null;
  /** Left out: the usual rules, and nobody is told. */
  alarms?: AlarmsSetup;
  /** How the money of the shops comes. Left out: as the database has it. */
  depositRules?: DepositRules | null;
  /** How money is searched for. Left out: on a thread of its own. */
  openMoneySearch?: OpenMoneySearch;
  clock: Clock;
  chance: Chance;
  log: LineLog;
}

export interface Office {
  port: number;
  /** Where it can be reached, such as "http://127.0.0.1:8070". */
  addresses: string[];
  /** A new link to the page for the local administrator. It lets one browser in, once, within an hour. */
  makeLink(): Promise<string>;
  close(): Promise<void>;
}

export class OfficeListenError extends Error {
  override name = 'OfficeListenError';
  readonly code: ListenFailureCode;

  constructor(message: string, code: ListenFailureCode) {
    super(message);
    this.code = code;
  }
}

/** Several thousand bridges keep a connection each. */
const bounds: ServerBounds = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  keepAliveTimeoutMs: 90_000,
  checkIntervalMs: 10_000,
  maxHeaderBytes: 16 * 1024,
  maxConnections: 12_000,
  lingerBytes: 1024 * 1024,
  lingerMs: 2_000,
};
const closeGraceMs = 5_000;

/** Rejects with DatabaseError, DatabaseTooNewError, OfficeListenError. */
export async function createOffice(options: OfficeOptions): Promise<Office> {
  const { database, clock, chance, version, administratorKey } = options;
  const log = options.log.with({ source: 'office' });
  await migrate(database);
  const bridges = createBridges(database, { clock, chance });
  const ingest = createIngest({
    database,
    partitions: createPartitions(database, clock),
    clock,
    chance,
    version,
  });
  const repeatedLines = createRepeatedLines(log, clock);
  const people = createPeople(database, { clock, chance });
  const audit = createAudit(clock);
  const readings = createReadings({ database, audit, clock });
  const provider =
    options.provider === undefined || options.provider === null
      ? null
      : createProvider(options.provider, { database, clock, log });
  const streams = createChangeStreams(clock, repeatedLines);
  const metrics = createOfficeMetrics({ database, clock, version, openPages: () => streams.count });
  /** The alarms tell of changes as well. */
  let onChanged = () => {};
  const news = await openNews({
    database,
    clock,
    log,
    onChange(change) {
      streams.write(eventMessage({ data: change }));
      onChanged();
    },
  });
  const alarms = createAlarms({
    ...(options.alarms ?? usualAlarms()),
    database,
    clock,
    chance,
    log,
    onNews: news.tell,
  });
  onChanged = alarms.wake;
  const closing = new AbortController();
  // Bridges are not kept waiting meanwhile: each chain is locked only while it is its turn.
  const readingAgain = keepReadingAgain({
    database,
    clock,
    version,
    log,
    signal: closing.signal,
    onNews: news.tell,
  });
  const daysAhead = keepDaysAhead({ database, clock, log, signal: closing.signal });
  const deposits = createDeposits({
    database,
    rules: options.depositRules ?? null,
    openSearch: options.openMoneySearch,
    clock,
    chance,
    log,
    onFound(shopIds) {
      for (const shop of shopIds) news.tell(shop);
    },
  });
  /** Nobody knows the port before it is open. */
  let own: OwnAddress & { pageOrigin: string } = { hosts: new Set(), publicOrigin: null, pageOrigin: '' };

  const app = createExpressApp();
  app.use((request, response, next) => {
    beginRequest(request, response, {
      log,
      repeatedLines,
      clock,
      chance,
      limits: bounds,
      onAnswered: metrics.answered,
    });
    next();
  });
  app.use('/bridge/v1', bridgeRoutes({ bridges, ingest, version, onNews: news.tell, metrics }));
  const keys = [administratorKey, ...(options.metricsKey === undefined ? [] : [options.metricsKey])];
  app.use(watchRoutes({ database, metrics, clock, keys, isClosing: () => closing.signal.aborted }));
  app.use((request, response, next) => {
    response.set(pageHeaders);
    const refusal = foreignRefusal(request, own);
    if (refusal === null) next();
    else refuse(response, refusal);
  });
  app.use(
    '/office/v1',
    peopleRoutes({
      database,
      people,
      audit,
      readings,
      streams,
      clock,
      version,
      administratorKey,
      ways: { provider: provider !== null },
      pageOrigin: () => own.pageOrigin,
    }),
    officeRoutes({
      database,
      bridges,
      overview: createOverview(database),
      shopStates: createShopStates(database, { clock, version }),
      search: createSearch(database, clock),
      audit,
      readings,
      clock,
      version,
      onNews: news.tell,
    }),
    alarmRoutes({ database, alarms, audit, readings }),
    depositRoutes({ database, deposits, audit, readings, clock, onNews: news.tell }),
  );
  if (provider !== null) {
    const pageOrigin = () => own.pageOrigin;
    app.use(providerRoutes({ database, provider, people, audit, pageOrigin, log }));
  }
  app.use(pageRoutes(options.rendererFolder));
  app.use((_request, response) =>
    refuse(response, { error: 'not_found', message: 'There is no such path.' }),
  );
  const onError: ErrorRequestHandler = (error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error);
    const known = error instanceof DatabaseError;
    log[known ? 'warn' : 'error'](
      `a request could not be carried out: ${errorText(error)}`,
      known ? {} : { err: error },
    );
    refuse(response, {
      error: 'unavailable',
      message: 'The office cannot do this now. Try again in a moment.',
    });
  };
  app.use(onError);

  const pool = createConnectionPool({ maxConnections: bounds.maxConnections, repeatedLines });
  const makeServer = (): Server =>
    createBoundedServer({
      bounds,
      pool,
      repeatedLines,
      onRequest(request, response) {
        pool.enter(request, response);
        app(request, response);
      },
    });
  const opened = await openSockets({
    port: options.port,
    host: options.host,
    makeServer,
    onNoIpv6: () => {},
  });
  if (opened.kind === 'failed') {
    closing.abort();
    await Promise.all([news.close(), alarms.close(), deposits.close(), readingAgain, daysAhead]);
    throw new OfficeListenError(opened.message, opened.code);
  }
  const { port, addresses } = opened;
  const { host, publicOrigin } = options;
  own = {
    hosts: hostValues(port, host, publicOrigin === null ? [] : [new URL(publicOrigin).host]),
    publicOrigin,
    pageOrigin: publicOrigin ?? `http://${nameInAddress(host)}:${port}`,
  };
  return {
    port,
    addresses,
    async makeLink() {
      const token = await people.makeLink({ name: 'administrator', role: 'administrator' });
      return `${own.pageOrigin}/${linkMark}${token}`;
    },
    async close() {
      closing.abort();
      const closed = closeServers(opened.servers, clock, closeGraceMs);
      streams.endAll();
      await closed;
      await Promise.all([news.close(), alarms.close(), deposits.close(), readingAgain, daysAhead]);
      await database.close();
    },
  };
}
