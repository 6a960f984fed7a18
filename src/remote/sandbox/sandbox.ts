/** Puts the sandbox together and serves it, on this computer only. */
import type { Server } from 'node:http';
import type { Chance } from '../../base/chance.ts';
import type { Clock } from '../../base/clock.ts';
import {
  type ServerBounds,
  closeServers,
  createBoundedServer,
  createConnectionPool,
  createRepeatedLines,
  openSockets,
} from '../../http/index.ts';
import { type LineLog, silentLog } from '../../log/index.ts';
import { catalogue as wholeCatalogue, pathPrefix, type Catalogue } from '../catalogue/index.ts';
import { createAccess, type SandboxClient } from './clients-and-scopes.ts';
import { createDueTimer } from './due-timer.ts';
import { createExecutor, type Executor } from './executor.ts';
import { createSandboxRoutes } from './http/sandbox-routes.ts';
import { createOpenApi } from './openapi.ts';
import { addDemonstration, addReferenceData } from './seed.ts';
import { openDatabase } from './store/database.ts';
import { createDeliveries } from './webhooks/deliveries.ts';
import { createDeliveryStore } from './webhooks/delivery-store.ts';
import { subscriptionResource } from './webhooks/subscriptions.ts';

export interface SandboxOptions {
  /** Where its file is kept; null: nothing is kept. */
  dataDir: string | null;
  /** 0: any free one. */
  port?: number;
  /** Data for demonstrations, unless there is some. */
  seed?: boolean;
  /** Who may ask for tokens. Without this: one client with a new secret, see `Sandbox.client`. */
  clients?: readonly SandboxClient[];
  /** How long an access token holds. */
  tokenLifeSeconds?: number;
  clock?: Clock;
  chance?: Chance;
  log?: LineLog;
  /** For webhooks. */
  fetch?: typeof fetch;
  /** Another catalogue than the whole one. */
  catalogue?: Catalogue;
}

/** What the library's entry takes from the machine, or has as a default, unless it is given. */
export interface SandboxDependencies {
  clock: Clock;
  chance: Chance;
  /** Beyond it the oldest that asks nothing gives way. */
  maxConnections?: number;
}

export interface Sandbox {
  /** "http://127.0.0.1:8090/v1". */
  baseUrl: string;
  port: number;
  /** The first one that may ask for tokens. */
  client: SandboxClient;
  /** For who looks at the records directly, as tests do. */
  executor: Executor;
  close(): Promise<void>;
}

const host = '127.0.0.1';
/** An hour. */
const defaultTokenLifeSeconds = 3_600;
const defaultBounds: ServerBounds = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 5_000,
  checkIntervalMs: 5_000,
  maxHeaderBytes: 16 * 1024,
  maxConnections: 200,
  // A file that is a little too large is read to its end, so that its sender sees why.
  lingerBytes: 16 * 1024 * 1024,
  lingerMs: 5_000,
};

/** Throws SandboxStoreError when the file cannot be used, and Node's error when the port cannot. */
export async function createSandbox(options: SandboxOptions & SandboxDependencies): Promise<Sandbox> {
  const { clock, chance, maxConnections = defaultBounds.maxConnections } = options;
  const bounds = { ...defaultBounds, maxConnections };
  const log = (options.log ?? silentLog).with({ source: 'sandbox' });
  const catalogue: Catalogue = options.catalogue ?? wholeCatalogue;
  const [client, ...others] = options.clients ?? [
    { clientId: 'sandbox', clientSecret: Buffer.from(chance.bytes(24)).toString('base64url') },
  ];
  if (client === undefined) throw new Error('a sandbox needs a client');

  const database = openDatabase(options.dataDir);
  const deliveryStore = createDeliveryStore(database);
  const deliveries = createDeliveries({
    store: deliveryStore,
    clock,
    chance,
    log,
    fetch: options.fetch ?? fetch,
    subscriptions: () => executor.context.records.all(subscriptionResource),
  });
  const executor = createExecutor({ catalogue, database, clock, chance, onChange: deliveries.enqueue });
  const dueTimer = createDueTimer(executor, { clock, log, afterWrite: deliveries.wake });
  const afterWrite = () => {
    deliveries.wake();
    dueTimer.set();
  };
  const repeatedLines = createRepeatedLines(log, clock);
  const pool = createConnectionPool({ maxConnections, repeatedLines });
  let servers: Server[];
  let port: number;
  try {
    const access = createAccess(
      database,
      catalogue,
      { clock, chance },
      options.tokenLifeSeconds ?? defaultTokenLifeSeconds,
    );
    for (const registered of [client, ...others]) access.register(registered);
    addReferenceData(executor);
    if (options.seed === true) addDemonstration(executor);
    const app = createSandboxRoutes({
      executor,
      catalogue,
      access,
      webhooks: { deliveries, store: deliveryStore },
      clock,
      chance,
      log,
      repeatedLines,
      limits: bounds,
      openApiOf: (version) => createOpenApi(catalogue, version),
      afterWrite,
    });
    const makeServer = () =>
      createBoundedServer({
        bounds,
        pool,
        repeatedLines,
        onRequest(request, response) {
          pool.enter(request, response);
          app(request, response);
        },
      });
    const opened = await openSockets({ port: options.port ?? 0, host, makeServer, onNoIpv6: () => {} });
    if (opened.kind === 'failed') throw opened.error;
    servers = opened.servers;
    port = opened.port;
  } catch (error) {
    database.close();
    throw error;
  }
  afterWrite();
  return {
    baseUrl: `http://${host}:${port}${pathPrefix}`,
    port,
    client,
    executor,
    async close() {
      await closeServers(servers, clock, closeGraceMs);
      repeatedLines.flush();
      dueTimer.close();
      await deliveries.close();
      database.close();
    },
  };
}

/** What is under way at the end gets this long. */
const closeGraceMs = 2_000;
