/** The process of an office ends at any statement: what was sent is there whole or not at all, and is there in the end. */
import { describe, expect, test } from 'vitest';
import { makeTill } from '../../bridge/journal/random-till.ts';
import { createRandom } from '../../support/random.ts';
import type { Database, Queries, Transaction } from '../../../src/office/database/database.ts';
import { onBothEngines } from '../support/databases.ts';
import { officeOn } from '../support/office-kit.ts';
import { ShopJournal } from '../support/shop.ts';

class Killed extends Error {}

/** The database as a process sees it that ends at its statement `step`, before or right behind it. */
function dyingAt(database: Database, step: number, when: 'before' | 'behind') {
  let steps = 0;
  let dead = false;
  async function through<T>(work: () => Promise<T>): Promise<T> {
    if (dead) throw new Killed();
    steps += 1;
    const last = steps === step;
    if (last && when === 'before') dead = true;
    if (dead) throw new Killed();
    const result = await work();
    if (last) dead = true;
    if (dead) throw new Killed();
    return result;
  }
  const dyingQueries = (queries: Queries): Queries => ({
    query: <T extends object>(sql: string, values?: readonly unknown[]) =>
      through(() => queries.query<T>(sql, values)),
    run: (sql) => through(() => queries.run(sql)),
  });
  const dyingTransaction = (queries: Transaction): Transaction => ({
    ...dyingQueries(queries),
    copy: (table, columns, lines) => through(() => queries.copy(table, columns, lines)),
  });
  const dying: Database = {
    ...database,
    ...dyingQueries(database),
    // The commit is a statement as well: behind it all is kept, and nobody has heard so.
    transaction: (work) => through(() => database.transaction((queries) => work(dyingTransaction(queries)))),
  };
  return {
    dying,
    get dead() {
      return dead;
    },
  };
}

/** Of one shop, with everything that happens at a till. */
function journalOf(seed: number) {
  const random = createRandom(seed);
  const till = makeTill((choices) => random.integer(0, choices - 1));
  const journal = new ShopJournal();
  for (let i = 0; i < 40; i += 1) journal.add(till.next(), Date.UTC(2026, 10, 1) + i * 1_000);
  return { journal, expected: till.expected() };
}

const batchEvents = 14;

onBothEngines((on) => {
  describe('an office whose process ends', () => {
    test.each(['before', 'behind'] as const)(
      '%s any statement leaves nothing that another one cannot go on with',
      async (when) => {
        const next = await officeOn(on.database());
        let step = 1;
        for (let reached = true; reached; step += 1) {
          const seed = 1_000 + step;
          const { journal, expected } = journalOf(seed);
          const shop = await next.join(`Shop ${seed}`);
          const end = dyingAt(on.database(), step, when);
          const first = await officeOn(end.dying, seed, { migrated: true });
          await first.send(shop, journal, batchEvents).catch((error: unknown) => {
            if (!(error instanceof Killed)) throw error;
          });
          reached = end.dead;
          const chain = await next.send(shop, journal, batchEvents);
          expect(await next.kept(chain), `step ${step}`).toEqual(
            journal.lines.map(({ seq, hash }) => ({ seq, hash, branch: chain })),
          );
          const payments = await on.database().query<{
            id: string;
            status: string;
          }>('SELECT payment_id AS id, status FROM payments WHERE shop_id = $1 ORDER BY payment_id', [shop.shopId]);
          const wanted = expected.payments.map(({ sale, status }) => ({ id: sale.operationId, status }));
          expect(payments, `step ${step}`).toEqual(
            wanted.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
          );
          const chains = await on
            .database()
            .query('SELECT chain FROM chains WHERE shop_id = $1', [shop.shopId]);
          expect(chains, `step ${step}`).toHaveLength(1);
        }
        expect(await next.findings()).toEqual([]);
        // Fewer would mean that most of the way was not walked.
        expect(step).toBeGreaterThan(15);
      },
      300_000,
    );
  });
});
