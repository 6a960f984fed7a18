/** Deposits by way of a whole office: what the command line prints and hands in, who may do what, and what the audit log has. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemChance } from '../../../src/base/chance.ts';
import { systemClock } from '../../../src/base/clock.ts';
import type { AuditEntry } from '../../../src/contract/office-page.ts';
import type { DepositList } from '../../../src/contract/office-deposits.ts';
import { openPglite, readDepositRules } from '../../../src/office/index.ts';
import { run } from '../../headless/test-context.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { administratorKey, runningOffice } from '../support/running-office.ts';
import { ShopJournal } from '../support/shop.ts';
import { acme, chain, closeEvents, dayMs, rulesOf } from './deposit-kit.ts';
import { statementsOfDays } from './statement.ts';

const chance = systemChance(systemClock);
/** Far longer than anything takes, also on a machine that has much else to do. */
const patience = { timeout: 60_000, interval: 100 };
/** Noon of today, so that the hour of the test is none of its matters. */
const noon = Math.floor(Date.now() / dayMs) * dayMs + dayMs / 2;
const dayBefore = (days: number) => new Date(noon - days * dayMs).toISOString().slice(0, 10);

test('a chain’s money, from the bank’s files to what a manager settles', { timeout: 120_000 }, async () => {
  const folder = tempFolder('deposits');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(path.join(folder, 'administrator-key'), administratorKey);
  const database = await openPglite(null);
  onTestFinished(() => database.close());
  const everyDay = { timeZone: 'UTC', weekend: [], holidays: { calendar: 'none' } };
  const depositRules = rulesOf({ ...chain, ...everyDay, acquirers: [acme] });
  const office = await runningOffice(database, { clock: systemClock, chance, depositRules });
  onTestFinished(() => office.close());
  const cli = (...words: string[]) => {
    const [command = '', ...rest] = words;
    const place = ['--url', office.origin, '--data-dir', folder];
    return command === 'add'
      ? run(['office', 'statements', 'add', ...place, ...rest])
      : run(['office', command, ...place, ...rest]);
  };

  const berlin = await office.join('Berlin');
  const journal = new ShopJournal();
  const batchId = chance.uuid();
  for (const event of closeEvents(batchId, { number: '000001', totalMinor: 100_000 }))
    journal.add(event, noon - 10 * dayMs);
  for (const event of closeEvents(chance.uuid(), { number: '000002', totalMinor: 50_000 }))
    journal.add(event, noon - 9 * dayMs);
  expect((await berlin.send(journal)).status).toBe(200);

  mkdirSync(path.join(folder, 'bank'));
  const bookings = { [dayBefore(8)]: [{ minor: 49_500, remark: 'ACME BATCH 2 TID 52500041' }] };
  const files = statementsOfDays(dayBefore(14), dayBefore(1), bookings).map(({ name, content }) => {
    const file = path.join(folder, 'bank', name);
    writeFileSync(file, content);
    return file;
  });
  const added = await cli('add', ...files);
  expect(added.exitCode).toBe(0);
  expect(added.output.split('\n')[0]).toBe(`${dayBefore(14)}.xml was kept: ${acme.account}.`);
  expect((await cli('add', ...files.slice(0, 1))).output).toBe(`${dayBefore(14)}.xml was there already.`);

  await expect
    .poll(async () => (await cli('deposits', '--late')).output, patience)
    .toMatch(
      new RegExp(
        `Berlin \\(main\\) batch 000001 {2}Acme to ${acme.account} {2}990\\.00 EUR {2}LATE, due ${dayBefore(7)}`,
      ),
    );
  expect((await cli('deposits', '--late')).exitCode).toBe(1);
  const statements = `Chain: statements of ${acme.account} from ${dayBefore(14)} to ${dayBefore(1)}.`;
  await expect.poll(async () => (await cli('deposits')).output, patience).toContain(statements);
  const all = await cli('deposits', '--shop', 'Berlin');
  expect(all.exitCode).toBe(0);
  expect(all.output).toMatch(
    new RegExp(`batch 000002 .* arrived 495\\.00 EUR on ${dayBefore(8)}, fee 5\\.00 EUR \\(by its number\\)`),
  );
  expect((await cli('deposits', '--shop', 'Nowhere')).output).toMatch(/^No batch is listed\./);

  // Whoever may only read hands nothing in and settles nothing.
  const support = await office.signIn('support', 'Sam');
  const manager = await office.signIn('manager', 'Grace');
  const word = { batchIds: [batchId], acquirer: 'Acme', by: 'Grace', reason: 'Acme kept a chargeback.' };
  expect((await support.post('/office/v1/deposits/settle', word)).status).toBe(403);
  expect((await support.post('/office/v1/statements', { name: 'a.xml', content: '' })).status).toBe(403);
  const bad = await manager.post('/office/v1/statements', { name: 'a.xml', content: 'PGE+PC9hPg==' });
  expect([bad.status, (bad.json() as { error: string }).error]).toEqual([409, 'statement_not_kept']);
  const list = (await support.get('/office/v1/deposits?late=true')).json() as DepositList;
  expect(list.deposits.map(({ batch_id }) => batch_id)).toEqual([batchId]);
  expect((await manager.post('/office/v1/deposits/settle', { ...word, reason: '' })).status).toBe(400);
  expect((await manager.post('/office/v1/deposits/settle', word)).status).toBe(200);
  expect((await cli('deposits', '--late')).exitCode).toBe(0);
  const settled = await cli('settle', batchId, '--acquirer', 'Acme', '--by', 'Ada', '--reason', 'Twice.');
  expect(settled).toMatchObject({ exitCode: 0, output: 'It is settled.' });
  const back = ['--acquirer', 'Acme', '--by', 'Ada', '--reason', 'It was of another day.'];
  expect(await cli('unsettle', batchId, ...back)).toMatchObject({
    exitCode: 0,
    output: 'It is taken back, and looked for anew.',
  });
  expect((await cli('deposits', '--late')).output).toContain(batchId);
  expect(await cli('unsettle', batchId, ...back)).toMatchObject({
    exitCode: 1,
    errors: 'Nobody has settled such a batch.',
  });
  expect((await support.post('/office/v1/deposits/unsettle', { ...word, batchId })).status).toBe(403);

  const { entries } = (await manager.get('/office/v1/audit')).json() as { entries: AuditEntry[] };
  const ofPage = entries
    .filter(({ signed_in_by }) => signed_in_by === 'link')
    .map(({ person, act }) => [person, act]);
  expect(ofPage).toEqual(
    expect.arrayContaining([
      ['Grace', 'deposit_settled'],
      ['Sam', 'deposits_read'],
    ]),
  );
  expect(entries.filter(({ act }) => act === 'statement_added')).toHaveLength(14);
  expect(entries.filter(({ act }) => act === 'deposit_unsettled').map(({ about }) => about)).toEqual([
    { batchId, acquirer: 'Acme', by: 'Ada', reason: 'It was of another day.' },
  ]);
});

test('the page’s rules and commands are what it says they are', { timeout: 120_000 }, async () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../../docs/office.md'), 'utf8');
  const [rules = ''] = [
    ...(/```json\n(.*?)```/gs.exec(page.slice(page.indexOf('## Deposits')))?.slice(1) ?? []),
  ];
  const [commands = ''] = /```sh deposits\n(.*?)```/s.exec(page)?.slice(1) ?? [];
  const reading = readDepositRules(rules, 'reconcile-rules.json');
  if (!reading.ok) throw new Error(reading.errors.join('\n'));
  const folder = tempFolder('deposits');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(path.join(folder, 'administrator-key'), administratorKey);
  const database = await openPglite(null);
  onTestFinished(() => database.close());
  const office = await runningOffice(database, { clock: systemClock, chance, depositRules: reading.rules });
  onTestFinished(() => office.close());
  const potsdam = await office.join('Potsdam');
  const journal = new ShopJournal();
  for (const event of closeEvents(chance.uuid(), { number: '000001', totalMinor: 100_000 }))
    journal.add(event, noon - 30 * dayMs);
  expect((await potsdam.send(journal)).status).toBe(200);
  const files = statementsOfDays(dayBefore(33), dayBefore(1), {}).map(({ name, content }) => {
    const file = path.join(folder, name);
    writeFileSync(file, content);
    return file;
  });
  for (const line of commands.trim().split('\n')) {
    const words = line.split(' ').slice(1);
    const [last] = words.splice(-1);
    const all = [...words, ...(last === 'statements/*.xml' ? files : [last ?? ''])];
    const place = ['--url', office.origin, '--data-dir', folder];
    const said = () => run([...all, ...place]);
    if (last === 'statements/*.xml') expect((await said()).exitCode).toBe(0);
    else
      await expect
        .poll(async () => (await said()).output, patience)
        .toMatch(
          /Potsdam \(main\) batch 000001 {2}Acme to DE89 3704 0044 0532 0130 00 {2}990\.50 EUR {2}LATE/,
        );
  }
});

test('rules that are wrong keep the office from starting, and say where', async () => {
  const folder = tempFolder('deposits');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(path.join(folder, 'reconcile-rules.json'), '{"merchants": [{"name": "Chain"}]}');
  const { exitCode, errors } = await run(['office', '--port', '0', '--data-dir', folder]);
  expect(exitCode).toBe(2);
  expect(errors).toMatch(/reconcile-rules\.json: merchants\[0\]\.timeZone: /);
  const missing = await run([
    'office',
    '--port',
    '0',
    '--data-dir',
    folder,
    '--deposit-rules',
    'nowhere.json',
  ]);
  expect(missing).toMatchObject({
    exitCode: 2,
    errors: expect.stringContaining('nowhere.json cannot be read'),
  });
});
