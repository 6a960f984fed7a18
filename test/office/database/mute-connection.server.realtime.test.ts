/** Connections that a firewall forgets: nothing comes any more, and nobody says so. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemChance } from '../../../src/base/chance.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLog } from '../../../src/log/log.ts';
import { createPostgres } from '../../../src/office/index.ts';
import type { Database } from '../../../src/office/database/database.ts';
import type { PostgresTimings } from '../../../src/office/database/postgres.ts';
import { postgresPrograms, startPostgres, type PostgresServer } from '../../support/postgres-server.ts';
import { relayTo } from '../support/relay.ts';

const parts = { clock: systemClock, chance: systemChance(systemClock), log: silentLog };
/** As many as a process of the office holds connections at most. */
const all = Array.from({ length: 10 }, (_, index) => index);

describe('a connection to the database that went mute', () => {
  let server: PostgresServer;
  /** Past the relay. */
  let direct: Database;

  beforeAll(async () => {
    server = await startPostgres(postgresPrograms() ?? '');
    direct = createPostgres(server.url, parts);
  });
  afterAll(async () => {
    await direct.close();
    await server.stop();
  });

  async function behindRelay(timings: Partial<PostgresTimings>) {
    const relay = await relayTo(server);
    const database = createPostgres(relay.url, { ...parts, timings });
    let closed: Promise<void> | null = null;
    const close = () => (closed ??= database.close());
    onTestFinished(async () => {
      await close();
      await relay.close();
    });
    const heard: string[] = [];
    let again = 0;
    await database.listen(
      'news',
      (payload) => heard.push(payload),
      () => (again += 1),
    );
    const tell = (payload: string) => direct.query("SELECT pg_notify('news', $1)", [payload]);
    /** Says it until it is heard. */
    const untilHeard = async (payload: string) => {
      await expect
        .poll(async () => {
          await tell(payload);
          return heard;
        })
        .toContain(payload);
    };
    await untilHeard('first');
    return { relay, database, close, heard, tell, untilHeard, again: () => again };
  }

  test('is found out by whoever listens, who hears that something may have been missed, and listens again', async () => {
    const { relay, heard, tell, untilHeard, again } = await behindRelay({
      listenCheckMs: 100,
      listenAnswerMs: 2_000,
    });
    const before = again();
    relay.mute();
    await tell('missed');
    await expect.poll(again).toBeGreaterThan(before);
    await untilHeard('afterwards');
    expect(heard).not.toContain('missed');
  });

  test('holds up nobody for good, and is given up', async () => {
    const { relay, database } = await behindRelay({ statementTimeoutMs: 1_000, answerTimeoutMs: 2_000 });
    await Promise.all(all.map(() => database.query('SELECT pg_sleep(0.1)')));
    relay.mute();
    const unanswered = { name: 'DatabaseError', code: null };
    const answers = await Promise.allSettled(
      all.map((number) => (number === 0 ? database.run('SELECT 1; SELECT 2') : database.query('SELECT 1'))),
    );
    for (const answer of answers) expect(answer).toMatchObject({ status: 'rejected', reason: unanswered });
    // Each of the next finds a new connection, and there is room for it.
    const next = await Promise.all(all.map(() => database.query('SELECT 1 AS one')));
    expect(next).toEqual(all.map(() => [{ one: 1 }]));

    for (const last of ['query', 'copy', 'commit']) {
      const work = database.transaction(async (queries) => {
        await queries.run('CREATE TEMPORARY TABLE gone (id integer) ON COMMIT DROP');
        relay.mute();
        if (last === 'query') await queries.query('SELECT 1');
        if (last === 'copy') await queries.copy('gone', { id: 'integer' }, [[1]]);
      });
      await expect(work, last).rejects.toMatchObject(unanswered);
      // Those beside it are mute as well, until each was tried.
      await expect.poll(() => database.query('SELECT 1 AS one').catch(() => null)).toEqual([{ one: 1 }]);
    }
  });

  test('does not keep the office from ending', async () => {
    const { relay, close } = await behindRelay({});
    relay.mute();
    await expect(close()).resolves.toBeUndefined();
  });
});
