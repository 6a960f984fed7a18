import { describe, expect, it } from 'vitest';
import { apiVersions, catalogue, createRemoteClient } from '../../../src/remote/library/client.ts';
import { record } from '../catalogue/examples.ts';
import { cms, originator, transfers } from '../catalogue/examples.ts';
import { failureOf, intentId, rig } from './client-rig.ts';

const operations = apiVersions.flatMap((version) => catalogue.operations(version));
const asSandbox = { 'x-tillbridge-sandbox': 'true' };

describe('an operation whose address or body is a guess', () => {
  it('is refused against a real service, and nothing is sent', async () => {
    const sent: string[] = [];
    const client = createRemoteClient({
      baseUrl: 'https://remote.example/v1',
      auth: { bearer: 't' },
      fetch: (input) => {
        sent.push(input as string);
        return Promise.resolve(Response.json({}, { headers: asSandbox }));
      },
    });
    const error = await failureOf(client.accountHolderCreationIntents.retrieve(intentId));
    expect(error).toMatchObject({ kind: 'undocumented', outcome: 'not-sent', attempts: 0 });
    expect(error.message).toContain('path');
    expect(sent).toEqual([]);
  });

  it.each([
    ['without the header', {}],
    ['with another value of the header', { 'x-tillbridge-sandbox': 'false' }],
  ])('is refused on loopback by what answers %s', async (_name, headers: Record<string, string>) => {
    const { client, server } = await rig(() => ({ headers }), { allowUndocumented: false });
    const error = await failureOf(client.accounts.retrieve('a'));
    expect(error.kind).toBe('undocumented');
    expect(server.heard.map(({ method, path, headers }) => [method, path, headers.authorization])).toEqual([
      ['GET', '/v1/sandbox', undefined],
    ]);
  });

  it('passes to a sandbox, which is asked first, and again when its last answer is a while ago', async () => {
    const { client, server, clock } = await rig(() => ({ headers: asSandbox, body: record }), {
      allowUndocumented: false,
    });
    await client.accounts.retrieve('a');
    await client.accounts.retrieve('b');
    clock.skip(999);
    await client.accounts.retrieve('c');
    clock.skip(1_000);
    await client.accounts.retrieve('d');
    expect(server.heard.map(({ path }) => path)).toEqual([
      '/v1/sandbox',
      '/v1/accounts/a',
      '/v1/accounts/b',
      '/v1/accounts/c',
      '/v1/sandbox',
      '/v1/accounts/d',
    ]);
  });

  it.each(['an answer without the header', 'a lost answer'])('asks again after %s', async (what) => {
    let gone = false;
    const { client, server } = await rig(
      ({ path }) => {
        if (!gone || path === '/v1/sandbox') return { headers: asSandbox, body: record };
        return what === 'a lost answer' ? 'drop' : { body: record };
      },
      { allowUndocumented: false, retry: { maxAttempts: 1 } },
    );
    await client.accounts.retrieve('a');
    gone = true;
    await client.accounts.retrieve('b').catch(() => {});
    await client.accounts.retrieve('c').catch(() => {});
    expect(server.heard.map(({ path }) => path)).toEqual([
      '/v1/sandbox',
      '/v1/accounts/a',
      '/v1/accounts/b',
      '/v1/sandbox',
      '/v1/accounts/c',
    ]);
  });

  it('is refused by what took the place of a sandbox', async () => {
    let headers: Record<string, string> = asSandbox;
    const { client, server, clock } = await rig(() => ({ headers, body: record }), {
      allowUndocumented: false,
    });
    await client.accounts.retrieve('a');
    headers = {};
    clock.skip(1_000);
    expect((await failureOf(client.accounts.retrieve('b'))).kind).toBe('undocumented');
    expect(server.heard.map(({ path }) => path)).not.toContain('/v1/accounts/b');
  });

  it('is not repeated to what took the place of a sandbox', async () => {
    const { client, server } = await rig(
      (_request, index) => (index === 0 ? { headers: asSandbox } : index === 1 ? 'drop' : { body: record }),
      { allowUndocumented: false },
    );
    expect(await failureOf(client.accounts.retrieve('a'))).toMatchObject({ kind: 'network', attempts: 1 });
    expect(server.heard.map(({ path }) => path)).toEqual(['/v1/sandbox', '/v1/accounts/a', '/v1/sandbox']);
  });

  it('is not sent while nothing answers; that is said, after the usual attempts', async () => {
    let up = false;
    const { client, server, clock } = await rig(() => (up ? { headers: asSandbox, body: record } : 'drop'), {
      allowUndocumented: false,
    });
    const error = await failureOf(client.accounts.retrieve('a'));
    expect(error).toMatchObject({ kind: 'network', outcome: 'not-sent', attempts: 0 });
    expect(error.message).toContain('The connection failed');
    expect(server.heard).toHaveLength(4);
    expect(clock.pauses).toEqual([250, 500, 1_000]);
    up = true;
    expect((await client.accounts.retrieve('a')).id).toBe(record.id);
  });

  it('passes anywhere when the caller says so', async () => {
    const { client, server } = await rig(() => ({ body: record }));
    await client.accounts.retrieve('a');
    expect(server.heard.map(({ path }) => path)).toEqual(['/v1/accounts/a']);
  });
});

describe('the guard is exact', () => {
  const bodies: Record<string, unknown> = {
    'account-holder-creation-intent.create': { know_your_customer: cms },
    'verification-creation-intent.set-share-token': { share_token: 'st' },
    'virtual-account-creation-intent.update-travel-rule': originator,
    'clearing-entry-execution-intent.update-transfers': transfers,
  };

  it.each(
    operations.filter(({ assumed }) => !assumed).map((operation) => [operation.id, operation] as const),
  )('%s goes out without a question', async (_id, operation) => {
    const { client, server } = await rig(() => ({ body: operation.kind === 'list' ? [] : {} }), {
      allowUndocumented: false,
    });
    await client.call(operation, { id: 'i', body: bodies[operation.id], etag: '"1"' });
    expect(server.heard.map(({ method }) => method)).toEqual([operation.method]);
    expect(server.heard[0]?.path).not.toContain('sandbox');
  });

  it('each of the others is refused', async () => {
    const { client, server } = await rig(() => ({}), { allowUndocumented: false });
    const guesses = operations.filter(
      ({ assumed, request, query }) => assumed && request === null && query === null,
    );
    for (const operation of guesses) {
      const error = await failureOf(client.call(operation, { id: 'i', etag: '"1"' }));
      expect(error.kind, operation.id).toBe('undocumented');
    }
    expect(guesses.length).toBeGreaterThan(50);
    expect(new Set(server.heard.map(({ path }) => path))).toEqual(new Set(['/v1/sandbox']));
  });
});
