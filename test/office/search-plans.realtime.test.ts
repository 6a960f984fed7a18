/**
 * How PostgreSQL finds what people ask for: by which indexes, in which days, and with how many pages touched. The days are
 * filled by SQL; times are not looked at.
 */
import { afterAll, beforeAll, expect } from 'vitest';
import { createPostgres } from '../../src/office/index.ts';
import { migrate } from '../../src/office/database/migrate.ts';
import { dayAfter } from '../../src/office/database/days.ts';
import type { Database } from '../../src/office/database/database.ts';
import { createOverview, type Overview } from '../../src/office/overview.ts';
import { createSearch, paymentSearchSchema, type Search } from '../../src/office/search.ts';
import { createShopStates } from '../../src/office/shop-states.ts';
import { systemChance } from '../../src/base/chance.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/log/log.ts';
import { describeWith } from '../support/describe-with.ts';
import { postgresPrograms, startPostgres, type PostgresServer } from '../support/postgres-server.ts';
import {
  fillDay,
  filledPayment,
  fillKeys,
  fillShops,
  type FilledPayment,
  type Filling,
} from './support/fill.ts';
import { ended, sale } from '../bridge/journal/sample-events.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { seededChance } from '../support/random.ts';
import { officeOn } from './support/office-kit.ts';
import { ShopJournal } from './support/shop.ts';
import { explaining, type Plan } from './support/plans.ts';

const filling: Filling = { firstDay: '2026-08-01', paymentsOfDay: 1_500, shops: 50 };
const days = 90;
/** The newest day that has payments. */
const today = dayAfter(filling.firstDay, days - 1);
const todayPartition = `payments_${today.replaceAll('-', '')}`;

describeWith('PostgreSQL', 'on PostgreSQL, with 90 days of payments', (test) => {
  let server: PostgresServer;
  let database: Database;
  let plans: Plan[];
  let search: Search;
  let overview: Overview;
  let shopStates: ReturnType<typeof createShopStates>;
  /** In the first day, and one that the events of which are there, in the newest. */
  let old: FilledPayment;
  let young: FilledPayment;

  beforeAll(async () => {
    server = await startPostgres(postgresPrograms() ?? '');
    database = createPostgres(server.url, {
      clock: systemClock,
      chance: systemChance(systemClock),
      log: silentLog,
    });
    await migrate(database);
    await fillShops(database, filling);
    // Journals of other tills, as a large chain has them.
    await database.run(`
      INSERT INTO chains (chain_id, shop_id, terminal, simulated, bridge_id, head_seq, head_hash, grown_at)
      SELECT gen_random_uuid(), shop_id, 'till-' || till, false, shop_id, 0, '\\x00', now()
      FROM shops, generate_series(1, 40) AS till
    `);
    for (let day = 0; day < days; day += 1) {
      const eventsOfDay = day < days - 3 ? 0 : filling.paymentsOfDay;
      await fillDay(database, { ...filling, eventsOfDay }, day);
    }
    await fillKeys(database, filling, { from: 0, to: days });
    await database.run('VACUUM ANALYZE');
    const explained = explaining(database);
    ({ plans } = explained);
    const clock = { now: () => Date.parse(`${today}T18:00:00Z`) };
    search = createSearch(explained.database, clock);
    overview = createOverview(explained.database);
    shopStates = createShopStates(explained.database, { clock, version: '0.1.0' });
    old = await filledPayment(database, filling, 777);
    young = await filledPayment(database, filling, (days - 1) * filling.paymentsOfDay + 100);
  });
  afterAll(async () => {
    await database?.close();
    await server?.stop();
  });

  /** What was done for the question, all of its statements together. */
  async function done(asked: object): Promise<{ references: string[] } & ReturnType<typeof sumOf>> {
    plans.length = 0;
    const { payments } = await search.payments(paymentSearchSchema.parse(asked));
    return { references: payments.map(({ reference }) => reference), ...sumOf(plans) };
  }

  test('a reference is found by its key and in its day alone, however many days there are', async () => {
    const { reference } = old;
    const { references, partitions, indexes, wholly, buffers } = await done({ reference });
    expect(references).toEqual([reference]);
    expect(partitions).toEqual(['payments_20260801']);
    expect(indexes).toEqual(expect.arrayContaining(['payment_keys_pkey', 'payments_20260801_pkey']));
    expect(wholly).toEqual([]);
    expect(buffers).toBeLessThanOrEqual(15);
  });

  test('a reference that nobody has used touches no day', async () => {
    const { references, partitions, wholly, buffers } = await done({ reference: 'nobody has it' });
    expect({ references, partitions, wholly }).toEqual({ references: [], partitions: [], wholly: [] });
    expect(buffers).toBeLessThanOrEqual(5);
  });

  test('the last four digits with the approval code are found in the same way', async () => {
    const { cardDigits, approvalCode, reference } = old;
    const { references, partitions, wholly, buffers } = await done({ cardDigits, approvalCode });
    expect(references).toEqual([reference]);
    expect(partitions).toEqual(['payments_20260801']);
    expect(wholly).toEqual([]);
    expect(buffers).toBeLessThanOrEqual(15);
  });

  test('the number of a receipt in a shop is found in the same way', async () => {
    const { receiptNumber, shopId, reference } = old;
    const { references, partitions, wholly, buffers } = await done({ receiptNumber, shopId });
    expect(references).toEqual([reference]);
    expect(partitions).toEqual(['payments_20260801']);
    expect(wholly).toEqual([]);
    expect(buffers).toBeLessThanOrEqual(15);
  });

  test('what a key finds in other days than those asked for is not looked up there', async () => {
    const { reference } = old;
    const { references, partitions, wholly } = await done({ reference, from: `${today}T00:00:00Z` });
    expect({ references, partitions, wholly }).toEqual({ references: [], partitions: [], wholly: [] });
  });

  test('an amount and a time touch the days of that time by the index', async () => {
    const { amountMinor, createdAt, reference } = old;
    const at = Date.parse(createdAt);
    const asked = { amountMinor, from: stamp(at - 60 * 60_000), to: stamp(at + 60 * 60_000) };
    const { references, partitions, indexes, wholly, buffers } = await done(asked);
    expect(references).toContain(reference);
    // The day, and those beside it: a payment's id may have been made shortly before midnight.
    expect(partitions.length).toBeLessThanOrEqual(3);
    expect(indexes).toContain('payments_20260801_amount_minor_created_at_idx');
    expect(wholly).toEqual([]);
    expect(buffers).toBeLessThanOrEqual(30);
  });

  test('the newest payments of a terminal are found in the newest days', async () => {
    const { terminalId } = young;
    const { references, partitions, indexes, wholly, buffers } = await done({ terminalId, limit: 20 });
    expect(references).toHaveLength(20);
    expect(partitions.every((name) => name >= 'payments_20261027')).toBe(true);
    expect(indexes).toContain(`${todayPartition}_terminal_id_created_at_idx`);
    expect(wholly).toEqual([]);
    expect(buffers).toBeLessThanOrEqual(150);
  });

  test('the newest payments of a shop are found in the newest days', async () => {
    const { references, partitions, wholly, buffers } = await done({ shopId: young.shopId, limit: 20 });
    expect(references).toHaveLength(20);
    expect(partitions.every((name) => name >= 'payments_20261027')).toBe(true);
    expect(wholly).toEqual([]);
    expect(buffers).toBeLessThanOrEqual(150);
  });

  test('the newest payments of all touch no more of a day than the page that they fill', async () => {
    const { references, partitions, wholly, buffers } = await done({ limit: 20 });
    expect(references).toHaveLength(20);
    expect(partitions.every((name) => name >= 'payments_20261027')).toBe(true);
    expect(wholly).toEqual([]);
    expect(buffers).toBeLessThanOrEqual(150);
  });

  test('the last page of a question goes on from where the one before ended', async () => {
    const first = await search.payments(
      paymentSearchSchema.parse({ amountMinor: old.amountMinor, limit: 1 }),
    );
    const { wholly } = await done({ amountMinor: old.amountMinor, before: first.next ?? undefined });
    expect(wholly).toEqual([]);
  });

  test('a shop’s payments of a status that it never had are looked for by the index of the shop', async () => {
    const { references, wholly } = await done({ shopId: young.shopId, status: 'unknown' });
    expect({ references, wholly }).toEqual({ references: [], wholly: [] });
  });

  test('what no index has is asked for with a time, and touches the days of that time alone', async () => {
    expect(paymentSearchSchema.safeParse({ status: 'unknown' }).success).toBe(false);
    const { references, partitions } = await done({ status: 'unknown', from: `${today}T00:00:00Z` });
    expect(references).toEqual([]);
    expect(partitions).toEqual([`payments_${dayAfter(today, -1).replaceAll('-', '')}`, todayPartition]);
  });

  test('what is in none of its days is looked for, in the end, where clocks that began anew put it, and in no other day', async () => {
    const { references, wholly } = await done({ amountMinor: 1 });
    expect({ references, wholly }).toEqual({ references: [], wholly: [] });
    // Behind it comes only what asks for days that were taken out.
    const read = plans.at(-2)?.scans.map(({ relation }) => relation);
    expect(read?.filter((name) => name.startsWith('payments'))).toEqual(['payments_other']);
  });

  test('no statement plans more days at once than the locks of several offices allow', async () => {
    await done({ amountMinor: 1 });
    expect(Math.max(...plans.map((plan) => sumOf([plan]).partitions.length))).toBeLessThanOrEqual(
      maxDaysAtOnce,
    );
  });

  test('a payment with all of its events touches its own days alone', async () => {
    plans.length = 0;
    const found = await search.payment(young.paymentId);
    expect(found?.events).toHaveLength(5);
    const { partitions, wholly, buffers } = sumOf(plans);
    expect(partitions).toEqual([`events_${today.replaceAll('-', '')}`, todayPartition]);
    expect(wholly).toEqual([]);
    expect(buffers).toBeLessThanOrEqual(40);
  });

  test('what is open and the overview touch no day', async () => {
    plans.length = 0;
    expect((await overview.open(500)).doubts).toHaveLength(12);
    expect(await shopStates.shops()).toHaveLength(filling.shops);
    await overview.decisions({ before: null, limit: 100 });
    await shopStates.versions();
    const { partitions, buffers } = sumOf(plans);
    expect(partitions).toEqual([]);
    expect(buffers).toBeLessThanOrEqual(300);
  });

  test('what is taken from a shop locks no other days than its own', async () => {
    const clock = createVirtualClock();
    clock.jump(Date.parse(`${today}T18:00:00Z`) - clock.now());
    const locked = new Set<string>();
    const watched: Database = {
      ...database,
      transaction: (work) =>
        database.transaction(async (queries) => {
          const result = await work(queries);
          const rows = await queries.query<{ relname: string }>(
            `SELECT DISTINCT relname FROM pg_locks JOIN pg_class ON pg_class.oid = relation
             WHERE pid = pg_backend_pid() AND relkind = 'r' AND relname ~ '_\\d{8}$'`,
          );
          for (const { relname } of rows) locked.add(relname);
          return result;
        }),
    };
    const office = await officeOn(watched);
    const shop = await office.join('Berlin');
    const journal = new ShopJournal();
    const started = sale({ operationId: seededChance(clock).uuid(), reference: 'B-1' });
    journal.add(started, clock.now());
    await office.send(shop, journal);
    journal.add(ended(started, 'approved'), clock.now());
    await office.send(shop, journal);
    const { payments } = await office.search.payments(
      paymentSearchSchema.parse({ reference: 'B-1', simulated: started.simulated }),
    );
    expect(payments).toMatchObject([{ status: 'approved' }]);
    expect([...locked].toSorted()).toEqual([`events_20261103`, todayPartition]);
  });
});

/** A lock is held for each partition and each of its indexes; PostgreSQL has room for 6,400 by default. */
const maxDaysAtOnce = 64;

function sumOf(plans: readonly Plan[]) {
  const scans = plans.flatMap((plan) => plan.scans);
  const divided = scans.filter(({ relation }) => /^(payments|payment_keys|events|chains)/.test(relation));
  return {
    partitions: [
      ...new Set(divided.map(({ relation }) => relation).filter((name) => /_\d{8}$/.test(name))),
    ].toSorted(),
    indexes: [...new Set(divided.map(({ index }) => index))],
    /** Read from end to end; of what is empty nothing is read. */
    wholly: divided
      .filter(({ how, buffers }) => how === 'Seq Scan' && buffers > 0)
      .map(({ relation }) => relation),
    buffers: plans.reduce((sum, plan) => sum + plan.buffers, 0),
  };
}

function stamp(at: number): string {
  return new Date(at).toISOString();
}
