/**
 * What each question costs with many payments against one million: a small database stays as it is, another one grows
 * beside it in the same PostgreSQL, and each payment is asked for in both, in turn. As many payments a day in both: the
 * large one has more days.
 */
import { statfsSync } from 'node:fs';
import { systemChance } from '../../src/base/chance.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/log/log.ts';
import { createPostgres } from '../../src/office/index.ts';
import { dayAfter } from '../../src/office/database/days.ts';
import type { Database } from '../../src/office/database/database.ts';
import { migrate } from '../../src/office/database/migrate.ts';
import { createOverview } from '../../src/office/overview.ts';
import { createSearch } from '../../src/office/search.ts';
import { createShopStates } from '../../src/office/shop-states.ts';
import { fillDay, filledPayment, fillKeys, fillShops, type Filling } from '../../test/office/support/fill.ts';
import { explaining } from '../../test/office/support/plans.ts';
import { createRandom } from '../../test/support/random.ts';
import { postgresPrograms, startPostgres } from '../../test/support/postgres-server.ts';
import { medianOf, percentileOf } from '../measure/spread.ts';
import type { Bench } from '../world/bench.ts';
import { questions, type Answerer, type Question } from './questions.ts';
import { sizesOf } from './sizes.ts';

export interface GrowthOptions {
  /** How many payments the small database has, and the large one at each stop. */
  sizes: readonly number[];
  /** After so many minutes the large one does not grow any more. */
  minutes: number;
  /** So many bytes of the disk are left free. */
  spareBytes: number;
}

const filling: Filling = { firstDay: '2026-02-01', paymentsOfDay: 100_000, shops: 1_000 };
const rounds = 200;
const warmUps = 20;
const explained = 20;
/** The median of the large one's against the small one's, at most. */
const aim = 1.5;

interface Asked extends Answerer {
  database: Database;
  days: number;
}

/** The report, line by line. */
export async function growth(bench: Bench, { sizes, minutes, spareBytes }: GrowthOptions): Promise<string[]> {
  const programs = postgresPrograms();
  if (programs === null) throw new Error('It needs PostgreSQL: apt-get install postgresql');
  const folder = bench.folder();
  const settings = { shared_buffers: '1GB', max_wal_size: '4GB', autovacuum: 'off' };
  const server = await startPostgres(programs, { within: folder, settings });
  bench.atEnd(() => server.stop());
  const connect = (url: string) => {
    const database = createPostgres(url, {
      clock: systemClock,
      chance: systemChance(systemClock),
      log: silentLog,
    });
    bench.atEnd(() => database.close());
    return database;
  };
  const first = connect(server.url);
  const opened: Database[] = [];
  for (const name of ['small', 'large']) {
    await first.run(`CREATE DATABASE ${name}`);
    const database = connect(server.url.replace('/postgres?', `/${name}?`));
    await migrate(database);
    await database.run('CREATE EXTENSION pageinspect');
    await fillShops(database, filling);
    opened.push(database);
  }
  const [small, large] = opened;
  const [smallest = 0, ...stops] = sizes;
  if (small === undefined || large === undefined) throw new Error('There are no databases.');
  const until = performance.now() + minutes * 60_000;
  const isEnough = () => {
    const { bavail, bsize } = statfsSync(folder);
    return performance.now() > until || bavail * bsize < spareBytes;
  };

  const smallDays = await grow(bench, small, 0, smallest, () => false);
  const report: string[] = [];
  let days = 0;
  for (const size of stops) {
    if (isEnough()) break;
    days = await grow(bench, large, days, size, isEnough);
    bench.say(`asking of ${days * filling.paymentsOfDay} payments`);
    report.push(
      ...(await compared(asked(small, smallDays), asked(large, days))),
      ...(await sizeLines(large, days)),
      '',
    );
  }
  return report;
}

/** Adds days up to so many payments, as long as there is time and room. Gives how many days there are then. */
async function grow(
  bench: Bench,
  database: Database,
  from: number,
  payments: number,
  isEnough: () => boolean,
): Promise<number> {
  const to = Math.ceil(payments / filling.paymentsOfDay);
  // To add keys to the index one by one, in no order, takes many times as long as to make it anew.
  await database.run('ALTER TABLE payment_keys DROP CONSTRAINT payment_keys_pkey');
  let day = from;
  for (; day < to && !isEnough(); day += 1) {
    await fillDay(database, filling, day);
    await fillKeys(database, filling, { from: day, to: day + 1 });
    await database.run(`VACUUM (ANALYZE) payments_${dayAfter(filling.firstDay, day).replaceAll('-', '')}`);
    if (day % 10 === 9) bench.say(`${(day + 1) * filling.paymentsOfDay} payments filled in`);
  }
  bench.say('making the index of the keys');
  await database.transaction(async (queries) => {
    await queries.run("SET LOCAL statement_timeout = 0; SET LOCAL maintenance_work_mem = '1GB'");
    await queries.run('ALTER TABLE payment_keys ADD PRIMARY KEY (key, day, payment_id)');
  });
  await database.run(
    'ANALYZE payment_keys; ANALYZE chains; ANALYZE shops; ANALYZE bridges; ANALYZE open_operations',
  );
  return day;
}

function asked(database: Database, days: number): Asked {
  const clock = { now: () => Date.parse(dayAfter(filling.firstDay, days)) };
  return {
    database,
    days,
    search: createSearch(database, clock),
    overview: createOverview(database),
    shopStates: createShopStates(database, { clock, version: '0.1.0' }),
  };
}

async function compared(small: Asked, large: Asked): Promise<string[]> {
  const lines = [
    `${large.days * filling.paymentsOfDay} payments of ${large.days} days, against ${small.days * filling.paymentsOfDay} of ${small.days}`,
    '',
    '| question | median, ms | small | ratio | p95, ms | small | ratio | pages | small | aim |',
    '|---|---:|---:|---:|---:|---:|---:|---:|---:|---|',
  ];
  for (const question of questions) {
    const times = await timesOf(question, small, large);
    const [smallPages, largePages] = [await pagesOf(question, small), await pagesOf(question, large)];
    const [median, p95] = [medianOf, (values: number[]) => percentileOf(values, 95)].map((figure) => ({
      small: figure(times.small),
      large: figure(times.large),
      ratio: figure(times.large) / figure(times.small),
    }));
    if (median === undefined || p95 === undefined) continue;
    const verdict = question.everyDay ? '' : `≤ ${aim} ${median.ratio <= aim ? 'met' : 'MISSED'}`;
    const cells = [median, p95].map(
      (one) => `${one.large.toFixed(2)} | ${one.small.toFixed(2)} | ${one.ratio.toFixed(2)}`,
    );
    lines.push(`| ${question.name} | ${cells.join(' | ')} | ${largePages} | ${smallPages} | ${verdict} |`);
  }
  return lines;
}

/** In milliseconds, of payments anywhere in each database. */
async function timesOf(question: Question, small: Asked, large: Asked) {
  const times = { small: [] as number[], large: [] as number[] };
  const random = createRandom(1);
  for (let round = -warmUps; round < rounds; round += 1) {
    const share = random.fraction();
    const sides = [
      ['small', small],
      ['large', large],
    ] as const;
    for (const [name, of] of round % 2 === 0 ? sides : sides.toReversed()) {
      const payment = await somePayment(of, share);
      // What was asked a moment ago is in memory, and the connection knows that day's tables.
      await question.ask(of, payment);
      const start = performance.now();
      const found = await question.ask(of, payment);
      if (round >= 0) times[name].push(performance.now() - start);
      if (found === false) throw new Error(`${question.name}: ${payment.reference} was not found.`);
    }
  }
  return times;
}

/** The median of the pages of 8 kB that all statements of the question touch. */
async function pagesOf(question: Question, of: Asked): Promise<number> {
  const { database, plans } = explaining(of.database);
  const same = { ...asked(database, of.days) };
  const random = createRandom(2);
  const pages: number[] = [];
  for (let round = 0; round < explained; round += 1) {
    const payment = await somePayment(of, random.fraction());
    plans.length = 0;
    await question.ask(same, payment);
    pages.push(plans.reduce((sum, plan) => sum + plan.buffers, 0));
  }
  return medianOf(pages);
}

function somePayment({ database, days }: Asked, share: number) {
  return filledPayment(database, filling, Math.floor(share * days * filling.paymentsOfDay));
}

async function sizeLines(database: Database, days: number): Promise<string[]> {
  const payments = days * filling.paymentsOfDay;
  const [index] = await database.query<{ level: number }>("SELECT level FROM bt_metap('payment_keys_pkey')");
  const sizes = await sizesOf(database);
  return [
    '',
    ...sizes.map(
      ({ name, table, indexes }) =>
        `${name}: ${Math.round(table / payments)} bytes a payment in the table, ${Math.round(indexes / payments)} in its indexes`,
    ),
    `the index of the keys has ${(index?.level ?? 0) + 1} levels`,
  ];
}
