/** "tillbridge office archive" as it is typed. */
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { acquireExclusiveLock } from '../../../src/bridge/locks/index.ts';
import { openPglite } from '../../../src/office/index.ts';
import { run } from '../../headless/test-context.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { officeOn } from '../support/office-kit.ts';
import { tillAt } from '../support/till.ts';

function folder(): string {
  const made = tempFolder('archive');
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

test('days go into files and come back, and the process that has the database is waited for by nobody', async () => {
  const dataDir = folder();
  const into = path.join(dataDir, 'files');
  const database = await openPglite(path.join(dataDir, 'database'));
  const office = await officeOn(database);
  const till = tillAt(office.clock.now());
  till.pay('R-1');
  await office.send(await office.join('Berlin'), till.journal);
  await database.close();
  const clock = createVirtualClock();
  clock.jump(Date.UTC(2027, 0, 15) - clock.now());
  const archive = (...flags: string[]) =>
    run(['office', 'archive', '--data-dir', dataDir, ...flags], { clock });

  const lock = acquireExclusiveLock(path.join(dataDir, 'database.lock'));
  if (lock.kind === 'taken') throw new Error('Somebody has it.');
  const busy = await archive('--before', '2026-12-01', '--folder', into);
  expect(busy).toMatchObject({ exitCode: 1, errors: expect.stringContaining('Another process works with') });
  lock.release();

  const done = await archive('--before', '2026-12-01', '--folder', into, '--by', 'Ada');
  expect(done).toMatchObject({ exitCode: 0, errors: '' });
  expect(done.output).toBe(
    '2026-11-03  events: 3 rows are in events-2026-11-03.csv.gz\n' +
      '2026-11-03  payments: 1 rows are in payments-2026-11-03.csv.gz',
  );
  expect(existsSync(path.join(into, 'manifest.json'))).toBe(true);
  const again = await archive('--before', '2026-12-01', '--folder', into);
  expect(again.output).toBe('There is no day as old as that in the database.');
  const back = await archive('--restore', into, '--json');
  expect(JSON.parse(back.output)).toMatchObject({ restored: [{ rows: 3 }, { rows: 1 }], there: [] });
});

test('what was forgotten or does not go together is said', async () => {
  const dataDir = folder();
  for (const flags of [[], ['--before', 'yesterday', '--folder', 'x'], ['--before', '2026-01-01']]) {
    const asked = await run(['office', 'archive', '--data-dir', dataDir, ...flags]);
    expect(asked).toMatchObject({ exitCode: 2, errors: expect.stringContaining('Name --before DATE') });
  }
  const both = await run(['office', 'archive', '--restore', 'x', '--folder', 'y', '--data-dir', dataDir]);
  expect(both).toMatchObject({ exitCode: 2, errors: expect.stringContaining('goes with neither') });
});
