/** What bridges and people do on a server while an old day is taken out: they go on, whatever the day's size. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { systemChance } from '../../../src/base/chance.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLog } from '../../../src/log/log.ts';
import { createPostgres } from '../../../src/office/index.ts';
import type { Database } from '../../../src/office/database/database.ts';
import { dayAfter, dayOf } from '../../../src/office/database/days.ts';
import { partitionName } from '../../../src/office/database/partitions.ts';
import { restoreDays } from '../../../src/office/operations/archive/restore.ts';
import { takeOutDays } from '../../../src/office/operations/archive/take-out.ts';
import { ended, voidOf } from '../../bridge/journal/sample-events.ts';
import { postgresPrograms, startPostgres, type PostgresServer } from '../../support/postgres-server.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { officeOn } from '../support/office-kit.ts';
import { tillAt } from '../support/till.ts';

const dayMs = 24 * 60 * 60_000;

describe('while an old day is taken out', () => {
  let server: PostgresServer;
  let database: Database;
  /** Of the office that goes on meanwhile. */
  let other: Database;

  beforeAll(async () => {
    server = await startPostgres(postgresPrograms() ?? '');
    const parts = { clock: systemClock, chance: systemChance(systemClock), log: silentLog };
    database = createPostgres(server.url, parts);
    other = createPostgres(server.url, parts);
  });
  beforeEach(async () => {
    await database.run('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  });
  afterAll(async () => {
    await Promise.all([database.close(), other.close()]);
    await server.stop();
  });

  /** A shop with two days of payments, which are old now. */
  async function oldShop() {
    const office = await officeOn(other);
    const { clock } = office;
    const shop = await office.join('Berlin');
    const till = tillAt(clock.now());
    const oldDay = dayOf(clock.now());
    const sold = till.pay('R-1');
    await office.send(shop, till.journal);
    clock.jump(dayMs);
    till.clock.jump(dayMs);
    till.pay('R-2');
    await office.send(shop, till.journal);
    clock.jump(60 * dayMs);
    till.clock.jump(60 * dayMs);
    const into = tempFolder('archive');
    onTestFinished(() => rmSync(into, { recursive: true, force: true }));
    // Whoever takes the day out waits in real time for others.
    const waiting = { ...clock, after: systemClock.after };
    const who = { name: 'Ada', role: 'administrator' } as const;
    const parts = { database, clock: waiting, version: '2.0.0', who };
    /** `atStatement` is called before each statement that goes over all rows of the day. */
    const takeOut = (folder: string | null, atStatement: (sql: string) => Promise<void>) =>
      takeOutDays(
        { before: dayAfter(oldDay), folder },
        {
          ...parts,
          database: {
            ...database,
            transaction: (work, options) =>
              database.transaction(
                (queries) =>
                  work({
                    ...queries,
                    async query(sql, values) {
                      if (goesOverAll.test(sql)) await atStatement(sql);
                      return await queries.query(sql, values);
                    },
                  }),
                options,
              ),
          },
        },
      );
    return { office, shop, till, sold, oldDay, into, takeOut, restore: () => restoreDays(into, parts) };
  }
  /** The one who takes the day out has it, and goes through its rows for the last time. */
  const isHeld = async (partition: string) => {
    const held = await other.query(
      `SELECT FROM pg_locks WHERE relation = to_regclass($1) AND mode = 'ShareRowExclusiveLock' AND granted`,
      [partition],
    );
    return held.length > 0;
  };
  const goesOverAll = /hashtextextended|count\(|string_agg|DELETE FROM payment_keys/;

  for (const how of ['archived', 'deleted'] as const) {
    test(`bridges send and people read, that day and others, as long as its rows are gone through (${how})`, async () => {
      const { office, oldDay, into, takeOut } = await oldShop();
      let shops = 0;
      const { taken } = await takeOut(how === 'archived' ? into : null, async () => {
        const locked = await other.query(
          `SELECT relation::regclass::text AS table FROM pg_locks
           WHERE mode = 'AccessExclusiveLock' AND granted AND relation::regclass::text ~ '^(events|payments)'`,
        );
        expect(locked).toEqual([]);
        const found = await office.search.payments({ simulated: true, limit: 50 });
        expect(found.payments.map(({ reference }) => reference)).toContain('R-2');
        const events = await other.query('SELECT seq FROM events WHERE received_on <> $1', [oldDay]);
        expect(events.length).toBeGreaterThan(0);
        // Each on a day that has no partition yet.
        office.clock.jump(dayMs);
        const till = tillAt(office.clock.now(), 100 + shops);
        till.pay(`meanwhile-${shops}`);
        await office.send(await office.join(`Shop ${shops}`), till.journal);
        shops += 1;
      });
      expect(taken).toHaveLength(2);
      expect(shops).toBeGreaterThan(3);
      const [kept] = await other.query('SELECT count(*) AS payments FROM payments');
      expect(kept).toEqual({ payments: 1 + shops });
    });
  }

  test('whoever writes to that very day waits, and what they say of it is not lost', async () => {
    const { office, shop, till, sold, oldDay, into, takeOut, restore } = await oldShop();
    const reversal = voidOf(sold, { operationId: till.chance.uuid() });
    till.add(reversal, ended(reversal, 'voided'));
    const sending: Promise<string>[] = [];
    const partition = partitionName('payments', oldDay);
    const { taken } = await takeOut(into, async () => {
      if (sending.length > 0 || !(await isHeld(partition))) return;
      sending.push(office.send(shop, till.journal));
      // The bridge's transaction has the table by now and waits for the day, as the day's own will for the table.
      await expect
        .poll(() =>
          other.query('SELECT FROM pg_locks WHERE relation = to_regclass($1) AND NOT granted', [partition]),
        )
        .toHaveLength(1);
    });
    expect(taken).toHaveLength(2);
    expect(sending).toHaveLength(1);
    await Promise.all(sending);
    await restore();
    const { payments } = await office.search.payments({ simulated: true, limit: 50, reference: 'R-1' });
    expect(payments).toMatchObject([{ status: 'voided' }]);
  });

  test('another one that takes it out as well is told so', async () => {
    const { into, oldDay, takeOut } = await oldShop();
    const second: Promise<unknown>[] = [];
    await takeOut(into, async () => {
      if (second.length > 0 || !(await isHeld(partitionName('events', oldDay)))) return;
      second.push(takeOut(into, () => Promise.resolve()).catch((error: unknown) => error));
      await expect
        .poll(() => other.query('SELECT FROM pg_locks WHERE NOT granted'), { interval: 20 })
        .toHaveLength(1);
    });
    const [told] = await Promise.all(second);
    expect(String(told)).toContain('Somebody else has taken out the events');
  });
});
