/** The alarms by way of a whole office: its file, its interface, and the command line. */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemChance } from '../../../src/base/chance.ts';
import { systemClock } from '../../../src/base/clock.ts';
import type { AlarmList } from '../../../src/contract/office-alarms.ts';
import { readOfficeAlarms } from '../../../src/headless/office-alarms.ts';
import { silentLog } from '../../../src/log/log.ts';
import { createOffice, openPglite } from '../../../src/office/index.ts';
import { run } from '../../headless/test-context.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { alarmFile, alarmsOn, settingsOf } from './alarm-kit.ts';

const administratorKey = 'the-key-of-the-administrator';

function folder(): string {
  const made = tempFolder('alarms');
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

describe('the file', () => {
  const webhook = { kind: 'webhook', url: 'https://support.example/tills', secret: { file: 'hook' } };
  const read = (dataDir: string, named?: string, environment: NodeJS.ProcessEnv = {}) =>
    readOfficeAlarms(named, dataDir, { currentFolder: dataDir, environment });

  test('need not be there, unless it was named', () => {
    const dataDir = folder();
    expect(read(dataDir)).toMatchObject({ ok: true, settings: { receivers: [] } });
    expect(read(dataDir, 'other.json')).toMatchObject({
      ok: false,
      errors: [expect.stringContaining(path.join(dataDir, 'other.json'))],
    });
  });

  test('has its secrets beside it or in variables, and warns of those that all can read', () => {
    const dataDir = folder();
    mkdirSync(path.join(dataDir, 'etc'));
    const secret = path.join(dataDir, 'etc/hook');
    writeFileSync(secret, 'a-secret-that-is-long-enough\n');
    chmodSync(secret, 0o600);
    const other = { ...webhook, secret: { variable: 'HOOK' } };
    writeFileSync(
      path.join(dataDir, 'etc/alarms.json'),
      JSON.stringify({ receivers: { support: webhook, other } }),
    );
    expect(read(dataDir, 'etc/alarms.json', { HOOK: 'another-that-is-long-enough' })).toMatchObject({
      ok: true,
      settings: {
        receivers: [{ secret: 'a-secret-that-is-long-enough' }, { secret: 'another-that-is-long-enough' }],
      },
      warnings: [],
    });
    expect(read(dataDir, 'etc/alarms.json')).toMatchObject({
      ok: false,
      errors: [expect.stringContaining('the variable HOOK is not set. Set it where the office is started.')],
    });
    if (process.platform === 'win32') return;
    chmodSync(secret, 0o644);
    expect(read(dataDir, 'etc/alarms.json', { HOOK: 'another-that-is-long-enough' })).toMatchObject({
      warnings: [expect.stringContaining('chmod go-r')],
    });
  });

  test('that is wrong keeps the office from starting, and says where', async () => {
    const dataDir = folder();
    writeFileSync(path.join(dataDir, 'alarms.json'), '{"rules": [{"name": "Doubts", "watch": "dout"}]}');
    const { exitCode, errors } = await run(['office', '--port', '0', '--data-dir', dataDir]);
    expect(exitCode).toBe(2);
    expect(errors).toMatch(/"rules", entry 1, "watch" in .*alarms\.json must be one of doubt, /);
  });
});

test('"office alarms" lists what stands and who was told, and tries a receiver', async () => {
  const dataDir = folder();
  writeFileSync(path.join(dataDir, 'administrator-key'), administratorKey);
  const file = alarmFile(['support', 'owner'], { name: 'Discrepancies', watch: 'discrepancy' });
  const database = await openPglite(null);
  const chain = await alarmsOn(database, file);
  await (await chain.live('Berlin')).discrepancy('Records are missing.');
  const told: string[] = [];
  let onTold = () => {};
  const bothTold = new Promise<void>((resolve) => (onTold = resolve));
  const office = await createOffice({
    database,
    port: 0,
    host: '127.0.0.1',
    version: '0.0.0-test',
    administratorKey,
    rendererFolder: null,
    publicOrigin: null,
    alarms: {
      settings: settingsOf({ ...file, groupSeconds: 0 }),
      fetch: () => Promise.reject(new Error('There is no webhook.')),
      sendMail: (_server, { to: [address = ''] }) => {
        told.push(address);
        if (told.length === 2) onTold();
        return address.startsWith('owner')
          ? Promise.reject(new Error('535 wrong password'))
          : Promise.resolve({ answer: '250 queued', refused: [] });
      },
    },
    clock: systemClock,
    chance: systemChance(systemClock),
    log: silentLog,
  });
  onTestFinished(() => office.close());
  const [url = ''] = office.addresses;
  const alarms = (...flags: string[]) =>
    run(['office', 'alarms', '--url', url, '--data-dir', dataDir, ...flags]);

  await bothTold;
  expect(told.toSorted()).toEqual(['owner@chain.example', 'support@chain.example']);
  const { output } = await alarms();
  expect(output).toMatch(
    /^2026-11-03T12:00:00\.000Z {2}Berlin \(main\) {2}Discrepancies: There is a discrepancy: Records are missing\. {2}told: owner \(not sent yet\), support/,
  );
  expect(output).toMatch(/^Receivers: support \(email\), owner \(email\)$/m);
  const asJson = JSON.parse((await alarms('--json')).output) as AlarmList;
  expect(asJson.alarms).toMatchObject([
    { rule: 'Discrepancies', shop: 'Berlin', told: [{ receiver: 'owner' }, { receiver: 'support' }] },
  ]);

  const good = await alarms('--test', 'support');
  expect(good).toMatchObject({ exitCode: 0, output: 'The test message was sent. It answered 250 queued' });
  const bad = await alarms('--test', 'owner');
  expect(bad).toMatchObject({
    exitCode: 1,
    output: 'The test message could not be sent. 535 wrong password',
  });
  const unknown = await alarms('--test', 'nobody');
  expect(unknown).toMatchObject({
    exitCode: 1,
    errors: expect.stringContaining('There is no such receiver'),
  });
});
