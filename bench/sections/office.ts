/**
 * Events a second that the head office takes, against a bare COPY of the very rows that it makes of them into tables like
 * its own, in the same PostgreSQL: with one, two and four processes of the office. The bridges' batches are made before;
 * each journal is sent in order, one batch after the other, as a bridge does it.
 */
import { gzipSync } from 'node:zlib';
import { systemChance } from '../../src/base/chance.ts';
import { systemClock } from '../../src/base/clock.ts';
import { canonicalJson } from '../../src/bridge/journal/index.ts';
import { enrolResponseSchema, eventsType, knownPlaceSchema, officePaths } from '../../src/contract/office.ts';
import { emptyRecord } from '../../src/contract/terminal.ts';
import type { JournalEvent } from '../../src/contract/journal-events.ts';
import { createPostgres } from '../../src/office/index.ts';
import type { Database } from '../../src/office/database/database.ts';
import { silentLog } from '../../src/log/log.ts';
import { ShopJournal } from '../../test/office/support/shop.ts';
import { postgresPrograms, startPostgres } from '../../test/support/postgres-server.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { alternate } from '../measure/alternate.ts';
import { compare, type Comparison } from '../measure/comparison.ts';
import type { Bench } from '../world/bench.ts';
import { builtBridge } from '../world/bundle.ts';
import { startServer, type Server } from '../world/processes.ts';
import type { Section } from './section.ts';

const processCounts = [1, 2, 4];
const rounds = 5;
const journalCount = 8;
const paymentsOfJournal = 2_500;
const eventsOfBatch = 2_000;
/** What an office makes of events: the same rows are copied. */
const tables = ['events', 'payments', 'payment_keys'];
const terminal = { protocol: 'zvt', terminalId: '52500041' } as const;

export const officeSection: Section = {
  name: 'office',
  title: 'Events that the head office takes, against a bare COPY of the same rows',
  ours: 'office',
  other: 'COPY',
  ratio: 'of its speed',
  measure,
};

async function measure(bench: Bench): Promise<Comparison[] | string> {
  const programs = postgresPrograms();
  if (programs === null) return 'needs PostgreSQL: apt-get install postgresql';
  const server = await startPostgres(programs, { synced: true });
  bench.atEnd(() => server.stop());
  const database = createPostgres(server.url, {
    clock: systemClock,
    chance: systemChance(systemClock),
    log: silentLog,
  });
  bench.atEnd(() => database.close());
  bench.say('making journals');
  const journals = Array.from({ length: journalCount }, (_, at) => journalOf(at));
  const comparisons: Comparison[] = [];
  for (const count of processCounts) {
    bench.say(`${count} processes`);
    const pairs = await alternate(
      rounds,
      () => eventsTaken(bench, server.url, database, journals, count),
      () => eventsCopied(database),
    );
    const what = `${count} ${count === 1 ? 'process' : 'processes'}, events/s`;
    comparisons.push(compare({ what, pairs, ratio: 'speed', values: 'rates', aim: { atLeast: 0.5 } }));
  }
  return comparisons;
}

/** As a bridge writes it, five events for each payment. */
function journalOf(number: number): ShopJournal {
  const journal = new ShopJournal();
  const chance = systemChance(systemClock);
  const at = Date.now();
  const add = (event: JournalEvent) => void journal.add(event, at);
  for (let i = 0; i < paymentsOfJournal; i += 1) {
    const operationId = chance.uuid();
    const amountMinor = 100 + i;
    const record = {
      ...emptyRecord(),
      kind: 'payment',
      approved: true,
      resultText: 'Approved',
      amountMinor,
      currency: 'EUR',
      terminalId: terminal.terminalId,
      traceNumber: `${i}`.padStart(6, '0'),
      receiptNumber: `${i}`.padStart(4, '0'),
      approvalCode: `${100_000 + chance.integer(0, 900_000)}`,
      maskedCardNumber: `************${chance.integer(1_000, 10_000)}`,
      cardScheme: 'Visa',
    } as const;
    add({
      type: 'operation_started',
      kind: 'sale',
      operationId,
      reference: `S${number}-${i}`,
      conditionCode: '00',
      amountMinor,
      currency: 'EUR',
      terminal,
      baseline: { kind: 'record', record },
      simulated: false,
    });
    add({ type: 'result_received', operationId, result: record, late: false });
    add({ type: 'result_acknowledged', operationId });
    add({
      type: 'operation_ended',
      operationId,
      outcome: 'approved',
      reason: 'Approved.',
      result: record,
      evidence: null,
      receiptLines: [],
      resolvedBy: null,
      batch: null,
      settled: [],
    });
    add({
      type: 'record_seen',
      lastRecord: { kind: 'record', record },
      continuity: 'next',
      source: 'result',
    });
  }
  return journal;
}

/** Starts the processes on an empty database, sends all journals at once, and gives events a second. */
async function eventsTaken(
  bench: Bench,
  url: string,
  database: Database,
  journals: readonly ShopJournal[],
  count: number,
): Promise<number> {
  await database.run('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  const offices: Server[] = [];
  const folders: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const folder = bench.folder();
    folders.push(folder);
    const options = ['office', `--database=${url}`, '--port=0', `--data-dir=${folder}`];
    offices.push(await startServer(bench, [builtBridge(), ...options]));
  }
  const senders = await Promise.all(
    journals.map(async (journal, at) => {
      const office = at % count;
      const base = `http://127.0.0.1:${offices[office]?.port}`;
      const administrator = readFileSync(join(folders[office] ?? '', 'administrator-key'), 'utf8').trim();
      const { code } = (await post(`${base}/office/v1/codes`, administrator, { shop: `Shop ${at}` })) as {
        code: string;
      };
      const joined = { code, computer: 'till', version: '0' };
      const { key } = enrolResponseSchema.parse(await post(`${base}${officePaths.enrol}`, '', joined));
      return { base, key, bodies: bodiesOf(journal) };
    }),
  );
  const start = performance.now();
  await Promise.all(senders.map(sendAll));
  const seconds = (performance.now() - start) / 1_000;
  const events = journals.reduce((sum, { lines }) => sum + lines.length, 0);
  const [row] = await database.query<{ count: number }>('SELECT count(*) AS count FROM events');
  if (row?.count !== events) throw new Error(`The office has ${row?.count} of ${events} events.`);
  await Promise.all(offices.map((office) => office.end()));
  return events / seconds;
}

interface Body {
  /** For the head of the batch, which names the chain that only the office knows. */
  head: (chain: string | null) => string;
  lines: string;
}

/** Lines are packed when they are sent, by the threads that Node has for it, as a bridge does it. */
function bodiesOf(journal: ShopJournal): Body[] {
  const bodies: Body[] = [];
  for (let after = 0; after < journal.lines.length; after += eventsOfBatch) {
    const lines = journal.lines
      .slice(after, after + eventsOfBatch)
      .map(
        ({ seq, at, hash, event }) =>
          `{"seq":${seq},"at":"${at}","hash":"${hash}","event":${canonicalJson(event)}}\n`,
      );
    bodies.push({
      head: (chain) => `${JSON.stringify({ chain, after: journal.placeAt(after) })}\n`,
      lines: lines.join(''),
    });
  }
  return bodies;
}

async function sendAll({
  base,
  key,
  bodies,
}: {
  base: string;
  key: string;
  bodies: readonly Body[];
}): Promise<void> {
  let chain: string | null = null;
  for (const { head, lines } of bodies) {
    const path = officePaths.events({ terminal: 'main', simulated: false });
    const response: Response = await fetch(`${base}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': eventsType,
        'content-encoding': 'gzip',
      },
      body: gzipSync(head(chain) + lines, { level: 1 }),
    });
    if (!response.ok) throw new Error(await response.text());
    ({ chain } = knownPlaceSchema.parse(await response.json()));
  }
}

async function post(url: string, key: string, body: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return await response.json();
}

/** The rows that the office has made, in tables with the same indexes. */
async function eventsCopied(database: Database): Promise<number> {
  const [found] = await database.query<{ folder: string }>(
    "SELECT current_setting('data_directory') || '/..' AS folder",
  );
  const file = (table: string) => `${found?.folder}/${table}.copy`;
  for (const table of tables) {
    await database.run(`DROP TABLE IF EXISTS copy_of_${table};
      CREATE TABLE copy_of_${table} (LIKE ${table} INCLUDING ALL);
      COPY (SELECT * FROM ${table}) TO '${file(table)}'`);
  }
  const start = performance.now();
  await database.transaction(async (queries) => {
    for (const table of tables) await queries.run(`COPY copy_of_${table} FROM '${file(table)}'`);
  });
  const seconds = (performance.now() - start) / 1_000;
  const [row] = await database.query<{ count: number }>('SELECT count(*) AS count FROM copy_of_events');
  return (row?.count ?? 0) / seconds;
}
