/** What one process of the office counts, and what all of them have in their database, in the Prometheus text form. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Clock } from '../../base/clock.ts';
import type { OfficeRefusal } from '../../contract/office.ts';
import type { Database } from '../database/database.ts';
import { ageQuantiles, readDatabase, type Ages, type DatabaseNumbers } from './database-numbers.ts';

/** Upper bounds of the histogram, in seconds. */
const durationBoundsS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Whoever asks waits no longer for the database, in milliseconds; Prometheus itself gives up after 10 s. */
const databaseWaitMs = 5_000;

export interface OfficeMetrics {
  /** `path` is a pattern of ours, so the number of labels is bounded. */
  answered(path: string, status: number, durationMs: number): void;
  batchTaken(newEvents: number): void;
  batchRefused(reason: OfficeRefusal['error']): void;
  text(): Promise<string>;
  readonly contentType: string;
}

export function createOfficeMetrics(parts: {
  database: Database;
  clock: Clock;
  version: string;
  /** Pages that are open at this process. */
  openPages: () => number;
}): OfficeMetrics {
  const { database, clock, version, openPages } = parts;
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `tillbridge_office_${name}`, help, labelNames, registers });

  const requests = new Counter({
    name: 'tillbridge_office_http_requests_total',
    help: 'Requests answered by this process, by path and HTTP status.',
    labelNames: ['path', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'tillbridge_office_http_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its answer, by path.',
    labelNames: ['path'],
    buckets: durationBoundsS,
    registers,
  });
  const events = new Counter({
    name: 'tillbridge_office_events_taken_total',
    help: 'Events that this process has stored; what came a second time is not counted.',
    registers,
  });
  const batches = new Counter({
    name: 'tillbridge_office_batches_taken_total',
    help: 'Batches of events that this process has taken.',
    registers,
  });
  const refused = new Counter({
    name: 'tillbridge_office_batches_refused_total',
    help: 'Batches of events that this process has not taken, by why.',
    labelNames: ['reason'],
    registers,
  });
  for (const reason of batchRefusals) refused.inc({ reason }, 0);

  gauge('info', 'Always 1; the label tells the version.', ['version']).set({ version }, 1);
  const pages = gauge('open_pages', 'Pages of the office that are open at this process.');
  const isUp = gauge('database_up', '1 when the database has answered just now, else 0.');
  const ofDatabase = createDatabaseGauges(gauge);

  let underway: Promise<string> | null = null;
  let withProcess = false;

  async function read(): Promise<string> {
    // They look at the event loop a hundred times a second, so only where somebody asks.
    if (!withProcess) collectDefaultMetrics({ register: registry });
    withProcess = true;
    const numbers = await withinTime(readDatabase(database, clock.now()), clock);
    pages.set(openPages());
    isUp.set(numbers === null ? 0 : 1);
    ofDatabase.set(numbers);
    return await registry.metrics();
  }

  return {
    answered(path, status, durationMs) {
      requests.inc({ path, status });
      durations.observe({ path }, durationMs / 1_000);
    },
    batchTaken(newEvents) {
      batches.inc();
      events.inc(newEvents);
    },
    batchRefused: (reason) => refused.inc({ reason }),
    text() {
      underway ??= read().finally(() => (underway = null));
      return underway;
    },
    contentType: registry.contentType,
  };
}

const batchRefusals: readonly OfficeRefusal['error'][] = [
  'invalid_request',
  'key_unknown',
  'protocol_unknown',
  'place_unknown',
  'chain_broken',
  'unavailable',
  'body_too_large',
  'not_found',
];

function createDatabaseGauges(gauge: (name: string, help: string, labels?: string[]) => Gauge) {
  const forgets: (() => void)[] = [];
  const own: typeof gauge = (name, help, labels) => {
    const made = gauge(name, help, labels);
    // One without labels would be set to 0 by "reset", which says something.
    forgets.push(() => (labels === undefined ? made.remove() : made.reset()));
    return made;
  };
  const heartbeat = own(
    'heartbeat_age_seconds',
    'How long ago the bridges were heard last: of those that may send, the share of the quantile was heard within so long.',
    ['quantile'],
  );
  const event = own('last_event_age_seconds', 'The same, for when their journals have grown last.', [
    'quantile',
  ]);
  const bridges = own('bridges', 'Bridges that may send.');
  const silent = own('bridges_silent', 'Those of them that were not heard for three minutes, or never.');
  const shops = own('shops', 'Shops.');
  const signedIn = own('people_signed_in', 'Sessions that have not ended.');
  const alarms = own('alarms_standing', 'Alarms that stand, by what their rule watches.', ['watch']);
  const waiting = own('outbox_waiting', 'Messages of alarms that have not been taken by their receiver yet.');
  const oldest = own('outbox_oldest_age_seconds', 'How old the oldest of them is; 0 where there is none.');
  const open = own('open_items', 'What waits for a person, by kind, simulators left out.', ['kind']);
  const unread = own(
    'unread',
    'Kinds of events and fields that a newer bridge sends and this office cannot read.',
  );
  const bytes = own('database_size_bytes', 'Size of the database on its disk.');
  const connections = own('database_connections', 'Connections to the database, of anybody.');
  const days = own('days', 'Days that are in the database, in partitions of their own.', ['divided']);

  return {
    /** Null: nothing is known, and nothing is said. */
    set(numbers: DatabaseNumbers | null) {
      for (const forget of forgets) forget();
      if (numbers === null) return;
      setAges(heartbeat, numbers.heartbeatAges);
      setAges(event, numbers.eventAges);
      bridges.set(numbers.bridges);
      silent.set(numbers.silent);
      shops.set(numbers.shops);
      signedIn.set(numbers.signedIn);
      for (const { watch, count } of numbers.alarms) alarms.set({ watch }, count);
      waiting.set(numbers.outboxWaiting);
      oldest.set(numbers.outboxOldestS);
      for (const [kind, count] of Object.entries(numbers.open)) open.set({ kind }, count);
      unread.set(numbers.unread);
      bytes.set(numbers.databaseBytes);
      connections.set(numbers.connections);
      for (const [divided, count] of Object.entries(numbers.days)) days.set({ divided }, count);
    },
  };
}

function setAges(gauge: Gauge, ages: Ages): void {
  for (const [index, quantile] of ageQuantiles.entries()) {
    const age = ages?.[index];
    if (age !== undefined) gauge.set({ quantile: String(quantile) }, age);
  }
}

/** Null: it has failed, or takes too long. */
async function withinTime<T>(work: Promise<T>, clock: Clock): Promise<T | null> {
  return await new Promise((resolve) => {
    const cancel = clock.after(databaseWaitMs, () => resolve(null));
    work.then(resolve, () => resolve(null)).finally(cancel);
  });
}
