/** A head office that is asked from the command line and says nothing. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { run } from './test-context.ts';

let folder: string;
let office: Server;
let asked: Promise<void>;
beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-ask-'));
  writeFileSync(path.join(folder, 'administrator-key'), 'KEY\n', { mode: 0o600 });
  asked = new Promise((resolve) => (office = createServer(() => resolve())));
  await new Promise<void>((resolve) => office.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  office.closeAllConnections();
  office.close();
  rmSync(folder, { recursive: true, force: true });
});

it('is not waited for longer than half a minute, and that is told', async () => {
  const clock = createVirtualClock();
  const url = `http://127.0.0.1:${(office.address() as AddressInfo).port}`;
  const asking = run(['office', 'link', '--url', url, '--data-dir', folder], { clock });
  await asked;
  await clock.advance(30_000);
  expect(await asking).toEqual({
    exitCode: 1,
    output: '',
    errors: `The office at ${url} cannot be asked: no answer within 30 seconds`,
  });
});

it('is not asked for an amount that is not in minor units: 8.00 would be taken for 8', async () => {
  const find = (amount: string) => run(['office', 'find', '--amount', amount, '--data-dir', folder]);
  expect(await find('8.00')).toEqual({
    exitCode: 2,
    output: '',
    errors: '--amount is in minor units: 800 for 8.00.',
  });
  expect((await find('8 EUR')).errors).toBe('--amount is in minor units: 1250 for 12.50.');
});
