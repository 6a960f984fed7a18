import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startScriptedServer } from '../remote/client/scripted-server.ts';
import { startSandbox, temporaryFolder } from '../remote/sandbox/rig.ts';
import { closeBatch } from './money-kit.ts';
import { run } from './test-context.ts';

it.each(['x', '-1', '65536', '1.5'])('sandbox refuses the port %s', async (port) => {
  const { exitCode, errors } = await run(['sandbox', `--port=${port}`, '--data-dir', temporaryFolder()]);
  expect(exitCode).toBe(2);
  expect(errors).toContain('--port');
});

it('sandbox says so when its port is taken', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  const { exitCode, errors } = await run([
    'sandbox',
    '--port',
    String(port),
    '--data-dir',
    temporaryFolder(),
  ]);
  expect(exitCode).toBe(1);
  expect(errors).toContain('EADDRINUSE');
  await new Promise<void>((resolve) => taken.close(() => resolve()));
});

describe('tillbridge sandbox settle', () => {
  async function settle(environment: NodeJS.ProcessEnv, ...commandLine: string[]) {
    const dataDir = temporaryFolder();
    closeBatch(path.join(dataDir, 'simulator'), '01890000-0000-7000-8000-000000000001', '7', 10_000);
    return run(['sandbox', 'settle', ...commandLine, '--bridge-data-dir', dataDir], { environment });
  }

  it('has the batch paid that was closed last, into an account of its currency', async () => {
    const rig = await startSandbox({ seed: true });
    const environment = {
      TILLBRIDGE_REMOTE_URL: rig.sandbox.baseUrl,
      TILLBRIDGE_REMOTE_TOKEN: await rig.token(),
    };
    const accounts = await rig.client.accounts.list().toArray(100);
    const idIn = (currency: string) =>
      accounts.find(({ currency_code }) => currency_code === currency)?.id ?? '';
    const paid = await settle(environment, '--account', idIn('EUR'), '--percent', '1', '--mistake', 'short');
    expect(paid.errors).toBe('');
    expect(paid.output).toMatch(/^\d{4}-\d\d-\d\d {2}89\.10 EUR {2}ACME SETTLEMENT BATCH 7\n?$/);
    const other = await settle(environment, '--account', idIn('USD'));
    expect(other).toMatchObject({ exitCode: 1, errors: expect.stringContaining('the account is in USD') });
  });

  it('asks nobody but a sandbox', async () => {
    const server = await startScriptedServer(() => ({ body: {} }));
    const environment = { TILLBRIDGE_REMOTE_URL: server.baseUrl, TILLBRIDGE_REMOTE_TOKEN: 'the-token' };
    const { exitCode, errors } = await settle(environment, '--account', crypto.randomUUID());
    expect(exitCode).not.toBe(0);
    expect(errors).toContain('does not say that it is a sandbox');
    expect(server.heard.map(({ method, headers }) => [method, headers['authorization']])).toEqual([
      ['GET', undefined],
    ]);
    await server.close();
  });
});
