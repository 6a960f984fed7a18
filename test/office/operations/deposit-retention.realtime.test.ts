/** How long bank statements are kept, and what was found from them; and what is never deleted of it. */
import { describe, expect, test } from 'vitest';
import { applyRetention, showRetention } from '../../../src/office/operations/retention/retention.ts';
import { chainOn, dayMs, rulesOf, chain } from '../deposits/deposit-kit.ts';
import { statementFile } from '../deposits/statement.ts';
import { onBothEngines } from '../support/databases.ts';

const who = { name: 'Ada', role: 'administrator' } as const;
const settings = { payments: 62, statements: 200 };
/** Days after the first batch. */
const dayOf = (days: number) => new Date(Date.UTC(2026, 10, 9) + days * dayMs).toISOString().slice(0, 10);

onBothEngines((on) => {
  const count = async (table: string) =>
    (await on.database().query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))[0]?.n;

  /** A batch that was paid, and half a year later one that was not; with rules, as a running office has them. */
  async function halfAYear() {
    const rules = rulesOf(chain);
    const office = await chainOn(on.database(), rules);
    await on
      .database()
      .query('INSERT INTO deposit_rules (rules, digest, set_at) VALUES ($1::jsonb, $2, now())', [
        '{"merchants": []}',
        rules.digest,
      ]);
    const berlin = await office.shop('Berlin');
    await berlin.close({ number: '1', totalMinor: 100_000 });
    await office.addDays(dayOf(-1), dayOf(4), {
      [dayOf(1)]: [{ minor: 99_000, remark: 'ACME BATCH 1 TID 52500041' }],
    });
    office.clock.jump(4 * dayMs);
    await office.look();
    office.clock.jump(126 * dayMs);
    const batchId = await berlin.close({ number: '2', totalMinor: 50_000 });
    await office.addDays(dayOf(129), dayOf(140));
    office.clock.jump(120 * dayMs);
    await office.look();
    expect(await office.said()).toEqual(['Berlin 2: late !', 'Berlin 1: arrived']);
    const parts = { database: on.database(), clock: office.clock, version: '2.0.0', who };
    return { office, batchId, parts };
  }
  const rowsOf = ({ items }: Awaited<ReturnType<typeof showRetention>>) =>
    Object.fromEntries(items.map(({ what, rows }) => [what, rows]));

  describe('statements and what was found from them', () => {
    test('stay as long as a look may need them, and go afterwards', async () => {
      const { office, batchId, parts } = await halfAYear();
      // All of it is older than 62 and 200 days; but money is waited for that may be explained by it.
      const kept = await applyRetention(settings, parts);
      expect(rowsOf(kept)).toMatchObject({ 'bank statements': 0, batches: 0, deposits: 0, settlements: 0 });
      expect(await count('statement_files')).toBe(18);

      const word = { by: 'Grace', reason: 'Acme kept a chargeback.' };
      await office.settle({ batchIds: [batchId], acquirer: 'Acme', entryIds: [], ...word });
      office.clock.jump(dayMs);
      expect(await office.look()).toEqual(['looked']);
      const shown = await showRetention(settings, parts);
      expect(rowsOf(shown)).toMatchObject({ 'bank statements': 6, batches: 1, deposits: 1, settlements: 0 });
      expect(await count('statement_files')).toBe(18);
      const done = await applyRetention(settings, parts);
      expect(done.items).toEqual(shown.items);
      expect(await count('statement_files')).toBe(12);
      expect(await count('statements')).toBe(12);
      expect(await office.said()).toEqual(['Berlin 2: short']);
      const [entry] = await on
        .database()
        .query<{ act: string; person: string }>('SELECT act, person FROM audit ORDER BY entry DESC LIMIT 1');
      expect(entry).toEqual({ act: 'data_deleted', person: 'Ada' });

      // Nothing is found otherwise from what is left, also when the old file is handed in once more.
      office.clock.jump(dayMs);
      expect(await office.look()).toEqual(['looked']);
      expect(await office.said()).toEqual(['Berlin 2: short']);
      const old = statementFile({
        day: dayOf(1),
        number: 3,
        openingMinor: 100_000,
        bookings: [{ minor: 99_000, remark: 'ACME BATCH 1 TID 52500041' }],
      });
      expect(await office.add('old.xml', old)).toMatchObject({ ok: true, value: { isNew: true } });
      expect(await office.look()).toEqual(['looked']);
      expect(await office.said()).toEqual(['Berlin 2: short']);
      expect((await office.list()).entries).toEqual([]);
      expect((await applyRetention(settings, parts)).items).toContainEqual(
        expect.objectContaining({ what: 'bank statements', rows: 1 }),
      );
    });

    test('of a batch that nobody has settled the batch and what was found stay, whatever their age', async () => {
      const { office, batchId, parts } = await halfAYear();
      office.clock.jump(400 * dayMs);
      await office.look();
      expect(rowsOf(await applyRetention(settings, parts))).toMatchObject({
        'bank statements': 18,
        batches: 1,
        deposits: 1,
      });
      expect(await count('statements')).toBe(0);
      office.clock.jump(dayMs);
      await office.look();
      expect(await office.said()).toEqual(['Berlin 2: late !']);
      // It can still be settled, and taken back; then its time is over.
      const word = { by: 'Grace', reason: 'Acme kept a chargeback.' };
      const which = { acquirer: 'Acme', ...word };
      await office.settle({ batchIds: [batchId], entryIds: [], ...which });
      await office.unsettle({ batchId, ...which });
      await office.look();
      expect(await office.said()).toEqual(['Berlin 2: late !']);
      await office.settle({ batchIds: [batchId], entryIds: [], ...which });
      await office.look();
      expect(rowsOf(await applyRetention(settings, parts))).toMatchObject({ batches: 1, deposits: 1 });
      expect(await office.said()).toEqual([]);
      expect(await count('batches')).toBe(0);
    });

    test('that were corrected go by themselves, and count no more all the time', async () => {
      const { office, parts } = await halfAYear();
      const corrected = statementFile({ day: dayOf(135), number: 7, openingMinor: 100_000 });
      const changed = Buffer.from(`${corrected.toString()}\n`);
      expect(await office.add('corrected.xml', changed, true)).toMatchObject({ value: { replaced: 1 } });
      office.clock.jump(400 * dayMs);
      expect(rowsOf(await applyRetention(settings, parts))).toMatchObject({ 'bank statements': 19 });
      expect(await count('statements')).toBe(0);
    });

    test('without rules go by their days alone', async () => {
      const { parts } = await halfAYear();
      await on.database().run('DELETE FROM deposit_rules');
      expect(rowsOf(await applyRetention(settings, parts))).toMatchObject({
        'bank statements': 6,
        batches: 1,
      });
      expect(await count('deposits_deleted')).toBe(0);
    });
  });
});
