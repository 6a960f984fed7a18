/** The days to come are in the database before anybody needs them, whoever reads for long over midnight. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemChance } from '../../../src/base/chance.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLog } from '../../../src/log/log.ts';
import { createPostgres } from '../../../src/office/index.ts';
import type { Database } from '../../../src/office/database/database.ts';
import { keepDaysAhead, makeDaysAhead } from '../../../src/office/database/days-ahead.ts';
import { daysOf } from '../../../src/office/database/partitions.ts';
import { onBothEngines } from '../support/databases.ts';
import { officeOn } from '../support/office-kit.ts';
import { runningOffice } from '../support/running-office.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { seededChance } from '../../support/random.ts';
import { tillAt } from '../support/till.ts';

const dayMs = 24 * 60 * 60_000;
const hourMs = 60 * 60_000;
const lockNotAvailable = { code: '55P03' };

onBothEngines((on) => {
  const days = async () => {
    const [events, payments] = await Promise.all([
      daysOf(on.database(), 'events'),
      daysOf(on.database(), 'payments'),
    ]);
    expect(payments).toEqual(events);
    return events;
  };

  test('today and two more are made at the start, and each day one more', async () => {
    const { clock } = await officeOn(on.database());
    const end = new AbortController();
    const database = holdingTime(on.database(), clock);
    const kept = keepDaysAhead({ database, clock, log: silentLog, signal: end.signal });
    await clock.advance(1);
    expect(await days()).toEqual(['2026-11-03', '2026-11-04', '2026-11-05']);
    await clock.advance(dayMs);
    expect(await days()).toEqual(['2026-11-03', '2026-11-04', '2026-11-05', '2026-11-06']);
    end.abort();
    await kept;
  });

  test('each process of the office does so from its start on', async () => {
    const clock = createVirtualClock({ startsAt: Date.UTC(2026, 10, 3, 12), besideIo: true });
    const office = await runningOffice(on.database(), { clock, chance: seededChance(clock) });
    // What it has begun to make is made before that.
    await office.close();
    expect(await days()).toEqual(['2026-11-03', '2026-11-04', '2026-11-05']);
  });

  describe('where somebody reads for long', () => {
    /** As a copy of the database does: a lock of the readers on each table. Gives what ends it. */
    const readForLong = async () => {
      const until = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      const reading = on.second().transaction(async (queries) => {
        await queries.run('LOCK TABLE events_other, payments_other IN ACCESS SHARE MODE');
        begun.resolve();
        await until.promise;
      });
      await Promise.race([begun.promise, reading]);
      return async () => {
        until.resolve();
        await reading;
      };
    };

    test('over midnight, what bridges send comes in', async () => {
      if (on.server === null) return;
      const hasty = createPostgres(on.server.url, {
        clock: systemClock,
        chance: systemChance(systemClock),
        log: silentLog,
        // So that who waits for the reader is cut off, and does not wait for good.
        timings: { statementTimeoutMs: 1_000 },
      });
      onTestFinished(() => hasty.close());
      const office = await officeOn(hasty);
      const shop = await office.join('Berlin');
      await makeDaysAhead(hasty, office.clock);
      const end = await readForLong();
      onTestFinished(end);
      office.clock.jump(dayMs);
      const { journal, pay } = tillAt(office.clock.now());
      pay('R-1');
      await office.send(shop, journal);
      expect((await office.search.payments({ simulated: true, limit: 1 })).payments).toMatchObject([
        { reference: 'R-1', status: 'approved' },
      ]);
    });

    test('nobody waits behind it for the days to come: they are tried again later', async () => {
      if (on.server === null) return;
      const { clock } = await officeOn(on.database());
      const end = await readForLong();
      await expect(makeDaysAhead(on.database(), clock)).rejects.toMatchObject(lockNotAvailable);
      const stop = new AbortController();
      const warned: string[] = [];
      const log = { ...silentLog, warn: (text: string) => warned.push(text) };
      const database = holdingTime(on.database(), clock);
      const kept = keepDaysAhead({ database, clock, log, signal: stop.signal });
      await clock.advance(6 * 60_000);
      expect(await days()).toEqual([]);
      expect(warned).toEqual([expect.stringContaining('lock timeout')]);
      await end();
      await clock.advance(hourMs);
      expect(await days()).toEqual(['2026-11-03', '2026-11-04', '2026-11-05']);
      stop.abort();
      await kept;
    });
  });
});

/** While the database is asked, time stands still. */
function holdingTime(database: Database, clock: { hold(): () => void }): Database {
  const held = <T>(work: Promise<T>): Promise<T> => work.finally(clock.hold());
  return {
    ...database,
    query: (sql, values) => held(database.query(sql, values)),
    transaction: (work) => held(database.transaction(work)),
  };
}
