/**
 * Events a second that the head office takes, against a bare COPY of the very rows that it makes of them into tables like
 * its own, in the same PostgreSQL: with one, two and four processes of the office. The bridges' batches are made and
 * compressed before, as that is done in the shops; each journal is sent in order, one batch after the other. An office runs
 * for weeks, so each process takes a journal before the clock starts; COPY takes the rows of that one as well.
 */
import { systemChance } from '../../src/base/chance.ts';
import { systemClock } from '../../src/base/clock.ts';
import { createPostgres } from '../../src/office/index.ts';
import type { Database } from '../../src/office/database/database.ts';
import { silentLog } from '../../src/log/log.ts';
import { postgresPrograms, startPostgres } from '../../test/support/postgres-server.ts';
import { alternate } from '../measure/alternate.ts';
import { compare, type Comparison } from '../measure/comparison.ts';
import type { Bench } from '../world/bench.ts';
import { dayOfShop, startOfYesterday } from '../office/day-of-shop.ts';
import { joinOffice, packed, sendAll, startOffices, type PackedBatch } from '../office/offices.ts';
import type { Section } from './section.ts';

const processCounts = [1, 2, 4];
const rounds = 5;
const journalCount = 8;
const paymentsOfJournal = 10_000;
/** Of the journal that a process takes first. */
const warmUpPayments = 5_000;
/** What an office makes of events: the same rows are copied. */
const tables = ['events', 'payments', 'payment_keys'];

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
  const server = await startPostgres(programs, { synced: true, within: bench.folder() });
  bench.atEnd(() => server.stop());
  const database = createPostgres(server.url, {
    clock: systemClock,
    chance: systemChance(systemClock),
    log: silentLog,
  });
  bench.atEnd(() => database.close());
  bench.say('making journals');
  const journals = Array.from({ length: journalCount }, (_, shop) => [
    ...packed(dayOfShop({ shop, payments: paymentsOfJournal, from: startOfYesterday() })),
  ]);
  // Others than those that count.
  const warmUps = Array.from({ length: Math.max(...processCounts) }, (_, process) => [
    ...packed(
      dayOfShop({ shop: journalCount + process, payments: warmUpPayments, from: startOfYesterday() }),
    ),
  ]);
  const comparisons: Comparison[] = [];
  for (const count of processCounts) {
    bench.say(`${count} processes`);
    const pairs = await alternate(
      rounds,
      () => eventsTaken(bench, server.url, database, { journals, warmUps: warmUps.slice(0, count) }),
      () => eventsCopied(database),
    );
    const what = `${count} ${count === 1 ? 'process' : 'processes'}, events/s`;
    comparisons.push(compare({ what, pairs, ratio: 'speed', values: 'rates', aim: { atLeast: 0.5 } }));
  }
  return comparisons;
}

interface Journals {
  journals: readonly PackedBatch[][];
  /** One for each process. */
  warmUps: readonly PackedBatch[][];
}

/** Starts the processes on an empty database, sends all journals at once, and gives events a second. */
async function eventsTaken(
  bench: Bench,
  url: string,
  database: Database,
  { journals, warmUps }: Journals,
): Promise<number> {
  await database.run('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  const offices = await startOffices(bench, url, warmUps.length);
  const sendersOf = (all: readonly PackedBatch[][], shops: string) =>
    Promise.all(
      all.map(async (batches, shop) => {
        const office = offices[shop % offices.length];
        if (office === undefined) throw new Error('There is no office.');
        return { batches, bridge: await joinOffice(office, `${shops} ${shop}`) };
      }),
    );
  const send = (senders: Awaited<ReturnType<typeof sendersOf>>) =>
    Promise.all(senders.map(({ bridge, batches }) => sendAll(bridge, batches)));
  await send(await sendersOf(warmUps, 'Warm-up'));
  const senders = await sendersOf(journals, 'Shop');
  const start = performance.now();
  await send(senders);
  const seconds = (performance.now() - start) / 1_000;
  const eventsOf = (all: readonly PackedBatch[][]) =>
    all.flat().reduce((sum, batch) => sum + batch.events, 0);
  const sent = eventsOf(journals) + eventsOf(warmUps);
  const [row] = await database.query<{ count: number }>('SELECT count(*) AS count FROM events');
  if (row?.count !== sent) throw new Error(`The office has ${row?.count} of ${sent} events.`);
  await Promise.all(offices.map((office) => office.end()));
  return eventsOf(journals) / seconds;
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
