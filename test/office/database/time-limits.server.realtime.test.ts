/** A statement that somebody waits for is cut off when it takes too long; one that works on whole days or tables is not. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { systemChance } from '../../../src/base/chance.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLog } from '../../../src/log/log.ts';
import { createPostgres } from '../../../src/office/index.ts';
import type { Database } from '../../../src/office/database/database.ts';
import { dayAfter, dayOf } from '../../../src/office/database/days.ts';
import { migrate } from '../../../src/office/database/migrate.ts';
import { migrations } from '../../../src/office/database/migrations.ts';
import { restoreDays } from '../../../src/office/operations/archive/restore.ts';
import { takeOutDays } from '../../../src/office/operations/archive/take-out.ts';
import { applyRetention, showRetention } from '../../../src/office/operations/retention/retention.ts';
import { postgresPrograms, startPostgres, type PostgresServer } from '../../support/postgres-server.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { officeOn } from '../support/office-kit.ts';
import { tillAt } from '../support/till.ts';

const parts = { clock: systemClock, chance: systemChance(systemClock), log: silentLog };
const tooLong = 'SELECT pg_sleep(0.8)';
const cutOff = { code: '57014' };

describe('with 500 ms for a statement', () => {
  let server: PostgresServer;
  let database: Database;
  /** For what the tests need beside it, however busy the machine is. */
  let patient: Database;

  beforeAll(async () => {
    server = await startPostgres(postgresPrograms() ?? '');
    database = createPostgres(server.url, { ...parts, timings: { statementTimeoutMs: 500 } });
    patient = createPostgres(server.url, parts);
  });
  beforeEach(async () => {
    await patient.run('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  });
  afterAll(async () => {
    await Promise.all([database.close(), patient.close()]);
    await server.stop();
  });

  test('what somebody waits for is cut off', async () => {
    await expect(database.query(tooLong)).rejects.toMatchObject(cutOff);
    await expect(database.transaction((queries) => queries.query(tooLong))).rejects.toMatchObject(cutOff);
    await database.transaction((queries) => queries.query(tooLong), { mayTakeLong: true });
    // That was for the one transaction.
    await expect(database.query(tooLong)).rejects.toMatchObject(cutOff);
  });

  test('what may take long is waited for on this side as well', async () => {
    const hasty = createPostgres(server.url, { ...parts, timings: { answerTimeoutMs: 100 } });
    onTestFinished(() => hasty.close());
    await expect(hasty.query(tooLong)).rejects.toMatchObject({ code: null });
    await hasty.transaction((queries) => queries.query(tooLong), { mayTakeLong: true });
  });

  test('a step to a newer database takes what it takes, and so does whoever waits for it', async () => {
    const steps = [...migrations, tooLong];
    await Promise.all([migrate(database, steps), migrate(database, steps)]);
    const [row] = await database.query('SELECT max(version) AS version FROM office_versions');
    expect(row).toEqual({ version: steps.length });
  });

  test('so do days that are taken out, come back and are deleted', async () => {
    const into = tempFolder('archive');
    onTestFinished(() => rmSync(into, { recursive: true, force: true }));
    const { clock, join, send } = await officeOn(patient);
    const till = tillAt(clock.now());
    till.pay('R-1');
    await send(await join('Berlin'), till.journal);
    const before = dayAfter(dayOf(clock.now()));
    clock.jump(100 * 24 * 60 * 60_000);
    /** Where whole days are worked on, something takes too long. */
    const slow: Database = {
      ...database,
      transaction: (work, options) =>
        database.transaction(async (queries) => {
          const result = await work(queries);
          await queries.query(tooLong);
          return result;
        }, options),
    };
    const at = {
      database: slow,
      clock,
      version: '2.0.0',
      who: { name: 'Ada', role: 'administrator' } as const,
    };
    expect((await takeOutDays({ before, folder: into }, at)).taken).toHaveLength(2);
    expect((await restoreDays(into, at)).restored).toHaveLength(2);
    const settings = { events: 62, payments: 62 };
    const shown = await showRetention(settings, at);
    expect(shown.items).toContainEqual(expect.objectContaining({ what: 'events', rows: 3 }));
    expect((await applyRetention(settings, at)).items).toEqual(shown.items);
  });
});
