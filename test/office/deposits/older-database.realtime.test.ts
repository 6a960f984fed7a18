/** Journals that an office had before it knew of deposits: what reconciling needs of their batches is filled in. */
import { expect, test } from 'vitest';
import { migrate } from '../../../src/office/database/migrate.ts';
import { migrations } from '../../../src/office/database/migrations.ts';
import { depositTables } from '../../../src/office/database/migrations/deposits.ts';
import { overdueDeposits } from '../../../src/office/database/migrations/overdue-deposits.ts';
import type { Database } from '../../../src/office/database/database.ts';
import { onBothEngines } from '../support/databases.ts';
import { chainOn, dayMs } from './deposit-kit.ts';

const batchColumns = 'told_terminal_id, told_merchant_id, told_number, told_currency, totals';

onBothEngines((on) => {
  test('the batches of an older database are filled from its events', async () => {
    const database = on.database();
    const office = await chainOn(database);
    const berlin = await office.shop('Berlin');
    await berlin.close({ number: '000001', totalMinor: 100_000, merchantId: 'M1' });
    // What a journal may hold and PostgreSQL may not: NUL, half of a character, and a text that only looks like one.
    await berlin.close({ number: '7\0\ud800\\u0000', totalMinor: 50_000, terminalId: '52500099' });
    const rows = () =>
      database.query(`SELECT batch_id, ${batchColumns} FROM batches ORDER BY started_at, batch_id`);
    const before = await rows();
    expect(before).toContainEqual(
      expect.objectContaining({ told_merchant_id: 'M1', told_number: '000001', told_currency: 'EUR' }),
    );
    await asBefore(database);
    await migrate(database);
    const after = await rows();
    const withoutNumber = (list: object[]) => list.map((row) => ({ ...row, told_number: null }));
    expect(withoutNumber(after)).toEqual(withoutNumber(before));
    expect(after.map((row) => row['told_number'])).toContain('000001');
    expect(after.map((row) => row['told_number'])).toContainEqual(expect.stringMatching(/^7\ufffd\ufffd/));
  });

  test('what is overdue in an older database is so in the newer one', async () => {
    const database = on.database();
    const office = await chainOn(database);
    const berlin = await office.shop('Berlin');
    await office.addDays('2026-11-08', '2026-11-09');
    await berlin.close({ number: '1', totalMinor: 100_000 });
    office.clock.jump(4 * dayMs);
    await berlin.close({ number: '2', totalMinor: 100_000 });
    await office.look();
    await database.run(
      `${takeBackLaterSteps}
       ALTER TABLE deposits DROP COLUMN past_due;
       ALTER TABLE batches DROP COLUMN arrived_at;
       DELETE FROM office_versions WHERE version > ${migrations.indexOf(overdueDeposits)}`,
    );
    await migrate(database);
    const { deposits } = await office.list();
    expect(deposits.map(({ state, past_due }) => [state, past_due])).toEqual([
      ['unclear', true],
      ['waiting', false],
    ]);
  });
});

/** What came after the steps of deposits, as SQL. */
const takeBackLaterSteps = `
  DROP VIEW open_discrepancies;
  ALTER TABLE discrepancies DROP COLUMN received_at;
  ALTER TABLE open_operations DROP COLUMN doubt_received_at;
  ALTER TABLE alarm_turn DROP COLUMN rules_tell;`;

/** As it was before there were tables of deposits. */
async function asBefore(database: Database): Promise<void> {
  const tables = [
    'deposits',
    'deposit_entries',
    'deposit_decisions',
    'deposit_looks',
    'deposit_rules',
    'statements',
    'statement_files',
  ];
  await database.run(
    `DROP TABLE ${tables.join(', ')} CASCADE; DROP INDEX batches_closed; DROP INDEX batches_by_id;
     ALTER TABLE batches DROP COLUMN arrived_at;`,
  );
  for (const column of batchColumns.split(', '))
    await database.run(`ALTER TABLE batches DROP COLUMN ${column}`);
  await database.run('DROP TABLE deposits_deleted');
  // What came after them.
  await database.run(
    `${takeBackLaterSteps}
     DROP TABLE journal_lags; DROP INDEX findings_told_once;
     ALTER TABLE findings ADD UNIQUE (bridge_id, terminal, simulated, kind, seq);
     ALTER TABLE discrepancies DROP COLUMN seq;
     ALTER TABLE decisions DROP COLUMN discrepancy_id;
     ALTER TABLE chains DROP COLUMN in_journal_to`,
  );
  await database.run(`DELETE FROM office_versions WHERE version > ${migrations.indexOf(depositTables)}`);
}
