/** Databases of every earlier version, with something in them, become the newest one. */
import { expect, test } from 'vitest';
import { migrate, DatabaseTooNewError } from '../../../src/office/database/migrate.ts';
import { migrations } from '../../../src/office/database/migrations.ts';
import { onBothEngines } from '../support/databases.ts';
import { officeOn } from '../support/office-kit.ts';
import { tillAt } from '../support/till.ts';

onBothEngines((on) => {
  const empty = () => on.database().run('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  /** What the tables are made of: columns, indexes, constraints. */
  const shape = async () => {
    const columns = await on.database().query(
      `SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns
       WHERE table_schema = 'public' ORDER BY 1, ordinal_position`,
    );
    const indexes = await on
      .database()
      .query(`SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`);
    const constraints = await on.database().query(
      `SELECT conrelid::regclass::text AS of, pg_get_constraintdef(oid) AS says FROM pg_constraint
         WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2`,
    );
    return { columns, indexes, constraints };
  };

  test('from each version, step by step or at once, the tables are the same', async () => {
    await migrate(on.database());
    const newest = await shape();
    expect(newest.columns.length).toBeGreaterThan(100);
    for (let version = 0; version < migrations.length; version += 1) {
      await empty();
      await migrate(on.database(), migrations.slice(0, version));
      await migrate(on.database());
      expect(await shape()).toEqual(newest);
      const rows = await on.database().query('SELECT version FROM office_versions ORDER BY version');
      expect(rows).toEqual(migrations.map((_step, index) => ({ version: index + 1 })));
    }
  });

  test('rows of each earlier version are there afterwards', async () => {
    // The journals' tables are those of the first version, and a journal fills most of them.
    await migrate(on.database());
    const kept = async (table: string) =>
      await on.database().query<{ text: string }>(`SELECT t::text AS text FROM ${table} AS t ORDER BY 1`);
    const { journal, pay } = tillAt();
    pay('R-1');
    const office = await officeOn(on.database());
    await office.send(await office.join('Berlin'), journal);
    const tables = ['shops', 'bridges', 'chains', 'events', 'payments', 'payment_keys', 'terminals'];
    const expected = await Promise.all(tables.map(kept));
    for (let version = 1; version < migrations.length; version += 1) {
      // As that version had it: without what later steps add.
      const dump = await Promise.all(
        tables.map((table) =>
          on.database().query<{ rows: string }>(`SELECT jsonb_agg(t)::text AS rows FROM ${table} AS t`),
        ),
      );
      await empty();
      await migrate(on.database(), migrations.slice(0, version));
      for (const [index, table] of tables.entries()) {
        await on.database().query(
          `INSERT INTO ${table} OVERRIDING SYSTEM VALUE
           SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`,
          [dump[index]?.[0]?.rows],
        );
      }
      await migrate(on.database());
      expect(await Promise.all(tables.map(kept))).toEqual(expected);
    }
  });

  test('a step that fails leaves the version before it, whole', async () => {
    await migrate(on.database());
    const before = await shape();
    const broken = [...migrations, 'CREATE TABLE half (id integer); SELECT nothing FROM nowhere'];
    await expect(migrate(on.database(), broken)).rejects.toThrow('nowhere');
    expect(await shape()).toEqual(before);
  });

  test('a database of a newer office is refused, with what to do', async () => {
    await migrate(on.database(), [...migrations, 'CREATE TABLE of_tomorrow (id integer)']);
    await expect(migrate(on.database())).rejects.toThrow(DatabaseTooNewError);
    await expect(migrate(on.database())).rejects.toThrow('Update this office');
  });

  test('several that start at the same moment make it once', async () => {
    const all = on.server === null ? [on.database()] : [on.database(), on.second(), on.second()];
    await Promise.all([...all, ...all].map((database) => migrate(database)));
    const rows = await on.database().query('SELECT version FROM office_versions');
    expect(rows).toHaveLength(migrations.length);
  });

  test('several that start on an empty database do not stand in each other’s way, also when it is tried often', async () => {
    // Which of PostgreSQL's catalogs two that make the same table collide in differs from time to time.
    const all = on.server === null ? [on.database()] : [on.database(), on.second(), on.second()];
    for (let round = 0; round < 50; round += 1) {
      await empty();
      await Promise.all(
        [...all, ...all].map((database) => migrate(database, ['CREATE TABLE one (id integer)'])),
      );
      expect(await on.database().query('SELECT version FROM office_versions')).toEqual([{ version: 1 }]);
    }
  });
});
