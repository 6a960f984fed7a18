import { expect, expectTypeOf, it } from 'vitest';
import {
  createRemoteClient,
  tables,
  type Account,
  type IncomingTransfer,
  type RecordOf,
} from '../../src/remote/library/client.ts';
import { withSandbox } from '../../src/remote/library/sandbox.ts';
import { readFileSync } from 'node:fs';

it('lends a sandbox with data for as long as a test takes', async () => {
  const nameOf = (account: Account): string | null => account.name;
  const { names, baseUrl } = await withSandbox(async (access) => {
    const client = createRemoteClient(access);
    const accounts = await client.accounts.list().toArray(100);
    return { names: accounts.map(nameOf), baseUrl: access.baseUrl };
  });
  expect(names.length).toBeGreaterThan(0);
  await expect(fetch(`${baseUrl}/sandbox`)).rejects.toThrow('fetch failed');
});

it('closes the sandbox also when the test fails, and tells how it failed', async () => {
  let baseUrl = '';
  const failing = withSandbox(async (access) => {
    baseUrl = access.baseUrl;
    throw new Error('the test found something');
  });
  await expect(failing).rejects.toThrow('the test found something');
  await expect(fetch(`${baseUrl}/sandbox`)).rejects.toThrow('fetch failed');
});

it('each resource of the latest version has a type with its name', () => {
  const source = readFileSync(new URL('../../src/remote/catalogue/record-types.ts', import.meta.url), 'utf8');
  for (const resource of Object.keys(tables.v20260326)) {
    const name = resource.replace(/(?:^|-)(.)/g, (_whole, letter: string) => letter.toUpperCase());
    expect(source).toContain(`export type ${name} = RecordOf<'${resource}'>;`);
  }
  expectTypeOf<IncomingTransfer>().toEqualTypeOf<RecordOf<'incoming-transfer'>>();
  expectTypeOf<IncomingTransfer['amount']>().toEqualTypeOf<string>();
});
