/** tillbridge reconcile with the statements of a bank, and nothing that asks a service. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { acmeRules, closeBatch } from './money-kit.ts';
import { readResults } from '../../src/host/reconcile/money-files.ts';
import { runTillbridge } from '../../src/headless/program.ts';
import { createTestContext, run } from './test-context.ts';

const main = '01890000-0000-7000-8000-000000000001';
const sample = path.resolve(import.meta.dirname, '../statements/samples/giro-2024-06-04.xml');
const dayMs = 86_400_000;
const account = 'DE02 1203 0000 0000 2020 51';
const clock = { ...createVirtualClock(), now: () => Date.parse('2024-06-13T10:00:00Z') };

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-statements-'));
  writeRules([{ account }]);
  closeBatch(dataDir, main, '7', 10_000);
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

function writeRules(changes: object[]): void {
  const [acquirer] = acmeRules.acquirers;
  const acquirers = changes.map((change) => ({ ...acquirer, ...change }));
  writeFileSync(path.join(dataDir, 'reconcile-rules.json'), JSON.stringify({ ...acmeRules, acquirers }));
}

function keepStatement(name: string, content = readFileSync(sample, 'utf8')): void {
  mkdirSync(path.join(dataDir, 'statements'), { recursive: true });
  writeFileSync(path.join(dataDir, 'statements', name), content);
}

const reconcile = (...commandLine: string[]) =>
  run(['reconcile', ...commandLine, '--data-dir', dataDir], { clock, currentFolder: dataDir });

const statesOf = (output: string) =>
  (JSON.parse(output) as { batches: { state: string; parts: { reason: string | null }[] }[] }).batches.map(
    ({ state, parts }) => [state, parts[0]?.reason ?? null],
  );

describe('tillbridge reconcile with statements', () => {
  it('reads those of the data folder, under the number that the rules write, and asks nobody for a token', async () => {
    keepStatement('2024-06-04.xml');
    const { exitCode, output, errors } = await reconcile();
    expect({ exitCode, errors }).toEqual({
      exitCode: 0,
      errors: '2024-06-04.xml: entries that are not booked yet count for nothing (1).',
    });
    expect(output).toMatch(/main +7 +Acme +EUR +99\.00 +99\.00 +2024-06-04 .*arrived +by its number/);
  });

  it('reads files and folders that are named, and counts what two files have once', async () => {
    copyFileSync(sample, path.join(dataDir, 'june.camt'));
    keepStatement('again.XML');
    const { output, errors } = await reconcile('--statement', 'june.camt', 'statements', '--json');
    expect(statesOf(output)).toEqual([['arrived', null]]);
    const { entries } = JSON.parse(output) as { entries: { id: string; account: string }[] };
    expect(entries).toEqual([
      expect.objectContaining({
        account,
        id: expect.stringMatching(/^2024-06-04\.[a-p]{10}$/),
      }),
    ]);
    expect(errors).toContain('count for nothing');
  });

  it('knows nothing of days that no statement has', async () => {
    keepStatement(
      'june.xml',
      readFileSync(sample, 'utf8')
        .replace('ACME PAY', 'RENT')
        .replaceAll('99.00', '49.50')
        .replace('1049.50', '1000.00'),
    );
    expect(statesOf((await reconcile('--json')).output)).toEqual([['unclear', 'account-not-known']]);
  });

  it('says which statement is missing, rather than that its money is late', async () => {
    expect(await reconcile()).toMatchObject({
      exitCode: 1,
      output: '',
      errors:
        `There is no statement of the account ${account}. Put the bank's files (camt.053) into ` +
        `${path.join(dataDir, 'statements')}, or name them with --statement.`,
    });
  });

  it('says nothing at all when one of them cannot be used', async () => {
    keepStatement('good.xml');
    keepStatement('bad.xml', readFileSync(sample, 'utf8').replace('1049.50', '1049.00'));
    expect(await reconcile()).toMatchObject({
      exitCode: 1,
      errors: expect.stringMatching(/^bad\.xml cannot be used/),
    });
    expect(await reconcile('--statement', 'nothing.xml')).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('nothing.xml cannot be read'),
    });
  });

  it('tells what it left out of a folder', async () => {
    keepStatement('june.xml');
    keepStatement('june.zip', 'PK');
    expect((await reconcile()).errors).toContain('only files .xml are read, not june.zip.');
  });

  it('asks the service for the accounts that no statement is of', async () => {
    writeRules([
      { account, terminals: ['main'] },
      { name: 'Other', account: 'giro', terminals: ['bar'] },
    ]);
    keepStatement('june.xml');
    expect(await reconcile()).toMatchObject({
      exitCode: 2,
      errors: expect.stringContaining('no access token'),
    });
  });

  it('does not take an account that the rules write in two ways for two', async () => {
    writeRules([
      { account, terminals: ['main'] },
      { name: 'Other', account: account.replaceAll(' ', ''), terminals: ['bar'] },
    ]);
    keepStatement('june.xml');
    expect(await reconcile()).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('The rules write one account in two ways'),
    });
  });

  it('looks again every hour when it watches, and prints what is new', async () => {
    const watched = createVirtualClock({ startsAt: Date.parse('2024-06-05T10:00:00Z') });
    const context = createTestContext({ clock: watched, currentFolder: dataDir });
    const unpaid = readFileSync(sample, 'utf8').replace('ACME PAY', 'RENT');
    keepStatement('june.xml', unpaid);
    const ended = runTillbridge(['reconcile', '--watch', '--data-dir', dataDir], context);
    const at = () => {
      const kept = readResults(dataDir);
      return kept.ok ? (kept.value?.at ?? null) : null;
    };
    const lookedAt = (time: string) =>
      watched.until(() => at() === `2024-06-05T${time}:00.000Z`, `a look at ${time}`, dayMs);
    await lookedAt('10:00');
    await lookedAt('11:00');
    keepStatement('june.xml', unpaid.replace('RENT', 'ACME PAY'));
    await lookedAt('12:00');
    keepStatement('june.xml', 'no statement');
    await watched.until(
      () => context.errors.some((line) => line.includes('cannot be used')),
      'a word of it',
      dayMs,
    );
    keepStatement('june.xml', unpaid.replace('RENT', 'ACME PAY'));
    await lookedAt('14:00');
    context.signal('SIGINT');
    expect(await watched.run(ended, 'the end')).toBe(0);
    expect(context.results.map((text) => text.match(/waiting|arrived +by its number/g))).toEqual([
      ['waiting'],
      ['arrived  by its number'],
    ]);
  });

  it.each([['0'], ['x'], ['1.5']])('does not watch every %s minutes', async (minutes) => {
    expect(await reconcile('--watch', minutes)).toMatchObject({
      exitCode: 2,
      errors: expect.stringContaining('--watch: must be a whole number of minutes'),
    });
  });
});
