/** Old days taken out of the database and read again, by the parts of the office that bridges and people meet. */
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { dayAfter, dayOf } from '../../../src/office/database/days.ts';
import { migrations } from '../../../src/office/database/migrations.ts';
import type { Database } from '../../../src/office/database/database.ts';
import { ArchiveError, readManifest } from '../../../src/office/operations/archive/archive-files.ts';
import { restoreDays } from '../../../src/office/operations/archive/restore.ts';
import { takeOutDays } from '../../../src/office/operations/archive/take-out.ts';
import { batch, closed, ended, inDoubt, record, sale, voidOf } from '../../bridge/journal/sample-events.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { onBothEngines } from '../support/databases.ts';
import { officeOn } from '../support/office-kit.ts';
import { tillAt } from '../support/till.ts';

const dayMs = 24 * 60 * 60_000;
const who = { name: 'Ada', role: 'administrator' } as const;

function folder(): string {
  const made = tempFolder('archive');
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

onBothEngines((on) => {
  /** Three days of payments, sent day by day, and then nothing for sixty days. */
  async function oldShop() {
    const office = await officeOn(on.database());
    const { clock } = office;
    const shop = await office.join('Berlin');
    const till = tillAt(clock.now());
    const days: string[] = [];
    const sales: ReturnType<typeof till.pay>[] = [];
    for (let day = 0; day < 3; day += 1) {
      days.push(dayOf(clock.now()));
      for (let i = 0; i < 4; i += 1) sales.push(till.pay(`R-${day}-${i}`));
      await office.send(shop, till.journal);
      clock.jump(dayMs);
      till.clock.jump(clock.now() - till.clock.now());
    }
    clock.jump(60 * dayMs);
    till.clock.jump(60 * dayMs);
    const before = dayAfter(days.at(-1) ?? '', 1);
    const parts = { database: on.database(), clock, version: '2.0.0', who };
    const takeOut = (into: string, database: Database = on.database(), day = before) =>
      takeOutDays({ before: day, folder: into }, { ...parts, database });
    const restore = (from: string, database: Database = on.database()) =>
      restoreDays(from, { ...parts, database });
    return { office, shop, till, days, sales, before, takeOut, restore };
  }

  /** All rows of the divided tables, wherever they lie. */
  const rows = async () => {
    const read = (table: string) =>
      on.database().query<{ text: string }>(`SELECT t::text AS text FROM ${table} AS t ORDER BY 1`);
    return { events: await read('events'), payments: await read('payments') };
  };
  const partitions = async () =>
    (
      await on
        .database()
        .query<{ relname: string }>(
          `SELECT relname FROM pg_class WHERE relkind = 'r' AND relname ~ '^(events|payments)_2' ORDER BY 1`,
        )
    ).map(({ relname }) => relname);

  describe('what is taken out', () => {
    test('is in files that say what they hold, and comes back as it was', async () => {
      const { takeOut, restore, days } = await oldShop();
      const into = folder();
      const expected = await rows();
      const { taken, stayed } = await takeOut(into);
      expect(stayed).toEqual([]);
      expect(taken.map(({ table, day, rows: count }) => [table, day, count])).toEqual([
        ['events', days[0], 9],
        ['events', days[1], 8],
        ['events', days[2], 8],
        ['payments', days[0], 4],
        ['payments', days[1], 4],
        ['payments', days[2], 4],
      ]);
      expect(await rows()).toEqual({ events: [], payments: [] });
      expect(await partitions()).toEqual([]);
      const entries = readManifest(into);
      expect(entries).toHaveLength(6);
      expect(entries[0]).toMatchObject({
        table: 'events',
        day: days[0],
        rows: 9,
        schemaVersion: migrations.length,
      });
      const text = gunzipSync(readFileSync(path.join(into, entries[3]?.file ?? ''))).toString();
      expect(text).toMatch(/^"day","payment_id",/);
      expect(text).toContain('"R-0-0"');

      const again = await restore(into);
      expect(again.restored).toHaveLength(6);
      expect(await rows()).toEqual(expected);
      expect(await partitions()).toHaveLength(6);
      expect(await restore(into)).toMatchObject({ restored: [], there: { length: 6 } });
      expect(await rows()).toEqual(expected);
      const acts = await on.database().query('SELECT act, person, signed_in_by FROM audit ORDER BY entry');
      expect(acts).toHaveLength(12);
      expect(acts[0]).toEqual({ act: 'day_archived', person: 'Ada', signed_in_by: 'command' });
      // And once more, into the same folder.
      await takeOut(into);
      expect(await rows()).toEqual({ events: [], payments: [] });
      await restore(into);
      expect(await rows()).toEqual(expected);
    });

    test('is old enough, or the command says which day would be', async () => {
      const { office, takeOut } = await oldShop();
      const tooYoung = dayAfter(dayOf(office.clock.now()), -30);
      await expect(takeOut(folder(), on.database(), tooYoung)).rejects.toThrow('at least 31 days old');
    });

    test('is read as files by PostgreSQL itself', async () => {
      if (on.server === null) return;
      const { takeOut } = await oldShop();
      const into = folder();
      const expected = await rows();
      await takeOut(into);
      // The server may run as another user.
      chmodSync(into, 0o755);
      await on
        .database()
        .run('CREATE TABLE read_events (LIKE events); CREATE TABLE read_payments (LIKE payments)');
      for (const { table, file, columns } of readManifest(into)) {
        const plain = path.join(into, `${file}.csv`);
        writeFileSync(plain, gunzipSync(readFileSync(path.join(into, file))), { mode: 0o644 });
        const copy = `COPY read_${table} (${columns.join(', ')}) FROM '${plain}' (FORMAT csv, HEADER)`;
        await on.database().run(copy);
      }
      for (const table of ['events', 'payments'] as const) {
        const read = await on.database().query(`SELECT t::text AS text FROM read_${table} AS t ORDER BY 1`);
        expect(read).toEqual(expected[table]);
      }
    });
  });

  describe('bridges, meanwhile', () => {
    test('go on, and what comes again is known to be there', async () => {
      const { office, shop, till, takeOut } = await oldShop();
      await takeOut(folder());
      const [head] = await office.ingest.heads(shop);
      expect(head).toMatchObject(till.journal.head());
      // From the start, as after a lost answer, and from the middle.
      const all = await office.takeText(shop, till.journal.batch(null, 0));
      expect(all).toMatchObject({ kind: 'kept', newEvents: 0, place: { chain: head?.chain } });
      const part = await office.takeText(shop, till.journal.batch(head?.chain ?? null, 5, 7));
      expect(part).toMatchObject({ kind: 'kept', newEvents: 0 });
      till.pay('new');
      await office.send(shop, till.journal);
      expect((await rows()).events).toHaveLength(2);
      expect(await office.findings()).toEqual([]);
      expect(await on.database().query('SELECT chain FROM chains')).toHaveLength(1);
    });

    test('that were put back from an old copy are found out as ever', async () => {
      const { office, shop, till, takeOut } = await oldShop();
      await takeOut(folder());
      const old = till.journal.copy(6);
      await office.send(shop, old);
      expect(await office.findings()).toMatchObject([{ kind: 'journal_behind', seq: 6 }]);
      old.add(sale({ operationId: till.chance.uuid(), reference: 'other' }), till.clock.now());
      await office.send(shop, old);
      expect((await office.findings()).map(({ kind }) => kind)).toContain('journal_branched');
      expect((await rows()).events).toHaveLength(1);
    });

    test('of another shop with a copy of the journal do not count its payments again', async () => {
      const { office, till, takeOut } = await oldShop();
      await takeOut(folder());
      const other = await office.join('Potsdam');
      await office.send(other, till.journal);
      expect(await office.findings()).toMatchObject([{ kind: 'payments_elsewhere' }]);
      expect((await rows()).payments).toEqual([]);
    });
  });

  describe('payments', () => {
    test('that are asked for are said to be in files, and found again once restored', async () => {
      const { office, shop, sales, days, takeOut, restore } = await oldShop();
      const into = folder();
      await takeOut(into);
      const byReference = { simulated: true, limit: 50, reference: 'R-1-2' };
      expect(await office.search.payments(byReference)).toEqual({
        payments: [],
        next: null,
        archived: [days[1]],
      });
      const byShop = { simulated: true, limit: 50, shopId: shop.shopId };
      expect((await office.search.payments(byShop)).archived).toEqual(days.toReversed());
      const from = `${days[1]}T00:00:00Z`;
      expect((await office.search.payments({ ...byShop, from })).archived).toContain(days[2]);
      const id = sales[6]?.operationId ?? '';
      expect(await office.search.payment(id)).toBeNull();
      expect(await office.search.archivedDayOf(id)).toBe(days[1]);
      await restore(into);
      expect(await office.search.payments(byReference)).toMatchObject({
        payments: [{ reference: 'R-1-2', status: 'approved' }],
        archived: [],
      });
      expect((await office.search.payment(id))?.events).toHaveLength(2);
    });

    test('that are not done stay, with the days of their events', async () => {
      const { office, shop, till, before, takeOut, restore } = await oldShop();
      const late = tillAt(Date.parse(before) - dayMs + 60_000, 99);
      const doubtful = sale({ operationId: late.chance.uuid(), reference: 'doubtful' });
      till.add(doubtful, inDoubt(doubtful));
      await office.send(shop, till.journal);
      office.clock.jump(40 * dayMs);
      till.clock.jump(40 * dayMs);
      const into = folder();
      const received = dayOf(office.clock.now() - 40 * dayMs);
      const { taken, stayed } = await takeOut(into, on.database(), dayAfter(received));
      expect(stayed).toEqual([{ table: 'events', day: received, why: '1 operation of it is still open' }]);
      expect(taken.filter(({ stayed: payments }) => payments > 0)).toMatchObject([
        { table: 'payments', rows: 5, stayed: 1 },
      ]);
      expect((await office.overview.open(10)).doubts).toMatchObject([{ reference: 'doubtful' }]);
      till.add(ended(doubtful, 'approved', { result: record() }));
      await office.send(shop, till.journal);
      const asked = { simulated: true, limit: 50, reference: 'doubtful' };
      expect((await office.search.payments(asked)).payments).toMatchObject([{ status: 'approved' }]);
      await restore(into);
      // What was said since counts, not what the file has.
      expect((await office.search.payments(asked)).payments).toMatchObject([{ status: 'approved' }]);
      expect((await rows()).payments).toHaveLength(13);
    });

    test('that change afterwards are right once they are restored, and only those of the shop', async () => {
      const { office, shop, till, sales, takeOut, restore } = await oldShop();
      const into = folder();
      await takeOut(into);
      const [first, second] = sales;
      if (first === undefined || second === undefined) throw new Error('There is no payment.');
      const reversal = voidOf(first, { operationId: till.chance.uuid() });
      till.add(reversal, ended(reversal, 'voided'));
      const close = batch({ operationId: till.chance.uuid() });
      till.add(close, closed(close, [second.operationId], '77'));
      await office.send(shop, till.journal, 2);
      expect((await rows()).payments).toEqual([]);
      await restore(into);
      const { payments } = await office.search.payments({ simulated: true, limit: 50, shopId: shop.shopId });
      const statusOf = (id: string) => payments.find(({ payment_id }) => payment_id === id);
      expect(statusOf(first.operationId)).toMatchObject({ status: 'voided' });
      expect(statusOf(second.operationId)).toMatchObject({ status: 'settled', batch_number: '77' });
      expect(await on.database().query('SELECT FROM late_payment_changes')).toEqual([]);
      expect((await office.search.payment(first.operationId))?.events).toHaveLength(4);
    });

    test('that a bridge was too long offline to send lie beside the archived day, and join it', async () => {
      const { office, takeOut, restore, days } = await oldShop();
      const into = folder();
      await takeOut(into);
      const other = await office.join('Potsdam');
      const late = tillAt(Date.parse(days[1] ?? '') + 3_600_000, 55);
      late.pay('late');
      await office.send(other, late.journal);
      const asked = { simulated: true, limit: 50, reference: 'late' };
      expect((await office.search.payments(asked)).payments).toMatchObject([{ shop: 'Potsdam' }]);
      await restore(into);
      expect((await office.search.payments(asked)).payments).toMatchObject([{ shop: 'Potsdam' }]);
      expect((await rows()).payments).toHaveLength(13);
    });
  });

  describe('what goes wrong', () => {
    test('at any question to the database loses nothing, and a repeat goes on', async () => {
      const { takeOut, restore, office, shop, till } = await oldShop();
      const into = folder();
      const expected = await rows();
      /** Fails at the question with this number, and with all that come after it, as a process that was killed. */
      const dying = (at: number): Database => {
        let asked = 0;
        const wrap = <T extends Pick<Database, 'query' | 'run'>>(queries: T): T => {
          const count = () => {
            asked += 1;
            if (asked >= at) throw new Error('killed');
          };
          return {
            ...queries,
            query: async (sql: string, values?: readonly unknown[]) => {
              count();
              return await queries.query(sql, values);
            },
            run: async (sql: string) => {
              count();
              await queries.run(sql);
            },
          };
        };
        const database = on.database();
        return {
          ...wrap(database),
          transaction: (work) => database.transaction((queries) => work(wrap(queries))),
        };
      };
      const all = async () => {
        const { events, payments } = await rows();
        const [kept] = await on
          .database()
          .query<{ rows: number }>('SELECT coalesce(sum(rows), 0)::bigint AS rows FROM archived_days');
        return events.length + payments.length + (kept?.rows ?? 0);
      };
      const total = expected.events.length + expected.payments.length;
      let died = 0;
      for (const [work, isDone] of [
        [takeOut, async () => (await rows()).events.length === 0 && (await rows()).payments.length === 0],
        [restore, async () => (await rows()).payments.length === expected.payments.length],
      ] as const) {
        // Each life gets a little further than the one before.
        for (let at = 1; !(await isDone()); at += 3) {
          if (at > 500) throw new Error('It never ends.');
          await work(into, dying(at)).then(
            () => {},
            (error: unknown) => {
              expect(String(error)).toContain('killed');
              died += 1;
            },
          );
          expect(await all()).toBe(total);
        }
      }
      expect(died).toBeGreaterThan(10);
      expect(await rows()).toEqual(expected);
      const again = await office.takeText(shop, till.journal.batch(null, 0));
      expect(again).toMatchObject({ kind: 'kept', newEvents: 0 });
    });

    test('a damaged file is refused before anything is put back', async () => {
      const { takeOut, restore } = await oldShop();
      const into = folder();
      await takeOut(into);
      const last = readManifest(into).at(-1);
      const file = path.join(into, last?.file ?? '');
      const good = readFileSync(file);
      for (const [bytes, words] of [
        [good.subarray(0, good.length - 1), 'is damaged: its hash is not the one of the manifest'],
        [good.with(good.length >> 1, (good[good.length >> 1] ?? 0) ^ 1), 'is damaged'],
        [null, 'cannot be read'],
      ] as const) {
        if (bytes === null) rmSync(file);
        else writeFileSync(file, bytes);
        await expect(restore(into)).rejects.toThrow(words);
        expect(await rows()).toEqual({ events: [], payments: [] });
      }
      writeFileSync(file, good);
      writeFileSync(path.join(into, 'manifest.json'), '{');
      await expect(restore(into)).rejects.toThrow(ArchiveError);
    });

    test('files of another database, or made over with a new hash, are refused', async () => {
      const { takeOut, restore } = await oldShop();
      const into = folder();
      await takeOut(into);
      const manifest = path.join(into, 'manifest.json');
      const text = readFileSync(manifest, 'utf8');
      const [entry] = readManifest(into);
      writeFileSync(manifest, text.replace(entry?.sha256 ?? '', 'a'.repeat(64)));
      await expect(restore(into)).rejects.toThrow('is not the file that this database has written');
      await expect(restore(folder())).rejects.toThrow('There is no manifest.json');
      expect(await rows()).toEqual({ events: [], payments: [] });
    });

    test('rows that come while the file is written are in the file, or the day is written again', async () => {
      if (on.server === null) return;
      const { takeOut, restore, days, shop } = await oldShop();
      const into = folder();
      const second = on.second();
      let meddled = false;
      const database: Database = {
        ...on.database(),
        async transaction(work) {
          const file = path.join(into, `payments-${days[1]}.csv.gz`);
          if (!meddled && existsSync(file)) {
            meddled = true;
            await second.query(
              `UPDATE payments SET reason = 'changed meanwhile' WHERE day = $1 AND shop_id = $2 AND reference = 'R-1-0'`,
              [days[1], shop.shopId],
            );
          }
          return await on.database().transaction(work);
        },
      };
      const working = takeOut(into, database);
      await working;
      expect(meddled).toBe(true);
      await restore(into);
      const changed = await on
        .database()
        .query(`SELECT reference FROM payments WHERE reason = 'changed meanwhile'`);
      expect(changed).toEqual([{ reference: 'R-1-0' }]);
    });
  });
});
