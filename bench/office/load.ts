/**
 * A day of a whole chain: every shop's journal goes up to the processes of the office, from a bounded number of senders,
 * and then all of it has to be there: each payment by count, each journal in its order and with its hashes, and some
 * thousand payments by a search for their references.
 */
import { systemChance } from '../../src/base/chance.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/log/log.ts';
import { createPostgres } from '../../src/office/index.ts';
import { postgresPrograms, startPostgres } from '../../test/support/postgres-server.ts';
import type { Bench } from '../world/bench.ts';
import { peakResidentMb, processorMs } from '../world/usage.ts';
import { checkCounts, checkFound, checkJournals } from './checks.ts';
import { dayOfShop, startOfYesterday, type PaymentOfDay } from './day-of-shop.ts';
import { joinOffice, packed, sendAll, startOffices } from './offices.ts';
import { sizesOf } from './sizes.ts';

export interface LoadOptions {
  shops: number;
  /** Of all shops together. */
  payments: number;
  offices: number;
  /** How many shops send at the same moment. */
  senders: number;
  /** How many payments are searched for. */
  samples: number;
  /** After so many minutes no further shop begins; what was sent is checked all the same. */
  minutes: number;
}

/** The report, line by line. Rejects with the first thing that is not as it should be. */
export async function load(bench: Bench, options: LoadOptions): Promise<string[]> {
  const programs = postgresPrograms();
  if (programs === null) throw new Error('It needs PostgreSQL: apt-get install postgresql');
  const server = await startPostgres(programs, { synced: true, within: bench.folder() });
  bench.atEnd(() => server.stop());
  const database = createPostgres(server.url, {
    clock: systemClock,
    chance: systemChance(systemClock),
    log: silentLog,
  });
  bench.atEnd(() => database.close());
  const offices = await startOffices(bench, server.url, options.offices);
  const [firstOffice] = offices;
  if (firstOffice === undefined) throw new Error('At least one office is needed.');

  const { shops, payments, senders, samples, minutes } = options;
  const sampleEvery = Math.max(1, Math.floor(payments / samples));
  const sampled: PaymentOfDay[] = [];
  const made = { shops: 0, payments: 0, events: 0, bytes: 0 };
  const statuses = new Map<PaymentOfDay['status'], number>();
  const from = startOfYesterday();
  const until = performance.now() + minutes * 60_000;
  let next = 0;
  /** What one sender does: a shop after the other, as long as there are any. */
  async function sendShops(): Promise<void> {
    while (next < shops && performance.now() < until) {
      const shop = next;
      next += 1;
      const office = offices[shop % offices.length] ?? firstOffice;
      if (office === undefined) return;
      const bridge = await joinOffice(office, `Shop ${shop}`);
      // What is left over goes to the first shops.
      const own = Math.floor(payments / shops) + (shop < payments % shops ? 1 : 0);
      const day = dayOfShop({ shop, payments: own, from }, (payment) => {
        if (made.payments % sampleEvery === 0) sampled.push(payment);
        made.payments += 1;
        statuses.set(payment.status, (statuses.get(payment.status) ?? 0) + 1);
      });
      await sendAll(bridge, packed(day), ({ events, packed }) => {
        made.events += events;
        made.bytes += packed.length;
      });
      made.shops += 1;
      if (made.shops % 50 === 0) bench.say(`${made.shops} shops, ${made.payments} payments`);
    }
  }
  const processorBefore = offices.map(({ processId }) => processorMs(processId) ?? 0);
  const start = performance.now();
  await Promise.all(Array.from({ length: senders }, sendShops));
  const seconds = (performance.now() - start) / 1_000;
  const processor = offices.map(
    ({ processId }, at) => (processorMs(processId) ?? 0) - (processorBefore[at] ?? 0),
  );
  const memory = offices.map(({ processId }) => peakResidentMb(processId));

  bench.say('checking');
  await checkCounts(database, made, statuses);
  await checkJournals(database, bench.say);
  const searching = performance.now();
  await checkFound(firstOffice, sampled, senders);
  const searched = performance.now() - searching;
  const sizes = await sizesOf(database);

  const perSecond = (count: number) => Math.round(count / seconds).toLocaleString('en-US');
  const perPayment = (bytes: number) => Math.round(bytes / made.payments);
  const total = sizes.reduce((sum, { table, indexes }) => sum + table + indexes, 0);
  return [
    `${made.shops} of ${shops} shops, ${made.payments.toLocaleString('en-US')} payments, ${made.events.toLocaleString('en-US')} events,` +
      ` ${offices.length} offices, ${senders} senders`,
    `sent in ${seconds.toFixed(0)} s: ${perSecond(made.payments)} payments/s, ${perSecond(made.events)} events/s`,
    `on the wire: ${perPayment(made.bytes)} bytes a payment, compressed`,
    `offices: ${memory.map((mb) => `${mb?.toFixed(0) ?? '?'} MB`).join(', ')} at most; ` +
      `${processor.map((ms) => `${(ms / 1_000).toFixed(0)} s`).join(', ')} of processor time`,
    `database: ${perPayment(total)} bytes a payment`,
    ...sizes.map(
      ({ name, table, indexes }) =>
        `  ${name}: ${perPayment(table)} in the table, ${perPayment(indexes)} in its indexes`,
    ),
    `checked: every journal by its order and hashes, every payment by count and status, ${sampled.length} by their reference ` +
      `(${(searched / sampled.length).toFixed(1)} ms each, ${senders} at a time)`,
  ];
}
