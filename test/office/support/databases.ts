/** Both engines for one file of tests, each test on an empty database. */
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { createPostgres, openPglite } from '../../../src/office/index.ts';
import type { Database } from '../../../src/office/database/database.ts';
import { systemChance } from '../../../src/base/chance.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLog } from '../../../src/log/log.ts';
import { hasTool } from '../../support/needs.ts';
import { postgresPrograms, startPostgres, type PostgresServer } from '../../support/postgres-server.ts';

/** What the tests run on; where there is no server, on-a-server.realtime.test.ts says so. */
export function enginesHere(): ('pglite' | 'postgres')[] {
  return hasTool('PostgreSQL') ? ['pglite', 'postgres'] : ['pglite'];
}

export interface TestDatabase {
  database(): Database;
  /** A second connection to the same one, as another process of the office has it; closed with the test file. */
  second(): Database;
  /** Null: within the process. */
  server: PostgresServer | null;
}

/** Defines the tests once for each engine. */
export function onBothEngines(define: (on: TestDatabase) => void): void {
  for (const engine of enginesHere()) {
    describe(`on ${engine}`, () => {
      let first: Database;
      const others: Database[] = [];
      const on: TestDatabase = {
        database: () => first,
        second() {
          if (on.server === null) throw new Error('Only one may use a folder of PGlite.');
          const other = connect(on.server.url);
          others.push(other);
          return other;
        },
        server: null,
      };
      beforeAll(async () => {
        if (engine === 'pglite') first = await openPglite(null);
        else {
          on.server = await startPostgres(postgresPrograms() ?? '');
          first = connect(on.server.url);
        }
      });
      beforeEach(async () => {
        await first.run('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
      });
      afterAll(async () => {
        await Promise.all([first, ...others].map((database) => database.close()));
        await on.server?.stop();
      });
      define(on);
    });
  }
}

function connect(url: string): Database {
  return createPostgres(url, { clock: systemClock, chance: systemChance(systemClock), log: silentLog });
}
