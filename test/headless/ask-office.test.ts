/** A head office that is asked from the command line and says nothing. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { asNobody, isRoot } from '../support/nobody.ts';
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

it('that does not run is told as such', async () => {
  const { port } = office.address() as AddressInfo;
  await new Promise((resolve) => office.close(resolve));
  const url = `http://127.0.0.1:${port}`;
  expect(await run(['office', 'shops', '--url', url, '--data-dir', folder])).toEqual({
    exitCode: 1,
    output: '',
    errors: `The office at ${url} cannot be asked: nothing answers there. Is the office running, and is --url right?`,
  });
});

it('starts on no database that cannot be one, or that cannot be reached, and says what to look at', async () => {
  const start = (database: string) =>
    run(['office', '--port', '0', '--database', database, '--data-dir', folder]);
  expect(await start('foo')).toMatchObject({
    exitCode: 1,
    errors: 'The office cannot start: --database must be an address such as postgres://user@host/database.',
  });
  const { port } = office.address() as AddressInfo;
  await new Promise((resolve) => office.close(resolve));
  expect(await start(`postgres://office@127.0.0.1:${port}/office`)).toMatchObject({
    exitCode: 1,
    errors: `The office cannot start: PostgreSQL at 127.0.0.1:${port} cannot be reached. Is it running?`,
  });
});

it.skipIf(!isRoot)('says what to do where it may not write its data folder', async () => {
  chmodSync(folder, 0o755);
  const dataDir = path.join(folder, 'office');
  const { exitCode, errors } = await asNobody(() => run(['office', '--port', '0', '--data-dir', dataDir]));
  expect(exitCode).toBe(1);
  expect(errors).toMatch(
    /^The office cannot start: its data folder .* cannot be used \(EACCES: .*--data-dir/,
  );
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
