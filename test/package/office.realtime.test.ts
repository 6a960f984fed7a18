/** The head office as it is built: its search for money has a file of its own, which the program has to find. */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { DepositList } from '../../src/contract/office-deposits.ts';
import { chain } from '../office/deposits/deposit-kit.ts';
import { ended, runTillbridge } from '../support/programs.ts';
import { tempFolder } from '../support/temp-folder.ts';

it('looks for money on its thread', { timeout: 180_000 }, async () => {
  const folder = tempFolder('built-office');
  writeFileSync(path.join(folder, 'reconcile-rules.json'), JSON.stringify({ merchants: [chain] }));
  const office = runTillbridge(['office', '--port', '0', '--data-dir', folder]);
  onTestFinished(async () => {
    await office.end();
    rmSync(folder, { recursive: true, force: true });
  });
  const [, origin = ''] = await office.printed(/listening on (http:\/\/127[\d.:]+)/, 120_000);
  const asked = ['office', 'deposits', '--json', '--url', origin, '--data-dir', folder];
  const looks = async () => {
    const { stdout } = await ended(runTillbridge(asked));
    return (JSON.parse(stdout) as DepositList).looks;
  };
  await expect
    .poll(looks, { timeout: 120_000, interval: 500 })
    .toMatchObject([{ merchant: 'Chain', trouble: null }]);
});
