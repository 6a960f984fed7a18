import { describe, expect, it } from 'vitest';
import { createRemoteClient, RemoteError } from '../../../src/remote/library/client.ts';
import { verificationCreationIntent } from '../catalogue/examples.ts';
import { failureOf, holderIntent, intentId, newHolder, rig } from './client-rig.ts';

describe('a request', () => {
  it('carries the version, the token and the body as documented', async () => {
    const { client, server } = await rig(() => holderIntent());
    const created = await client.accountHolderCreationIntents.create(newHolder);
    expect(created.id).toBe(intentId);
    expect(server.heard).toHaveLength(1);
    expect(server.heard[0]).toMatchObject({
      method: 'POST',
      path: '/v1/account-holder-creation-intents',
      json: newHolder,
      headers: {
        'x-service-api-version': 'v20260326',
        authorization: 'Bearer the-access-token',
        'content-type': 'application/json',
      },
    });
    expect(server.heard[0]?.headers).not.toHaveProperty('if-match');
  });

  it('of an earlier version names that, and has its path', async () => {
    const transfers = [{ clearing_account_id: 'ca', discounts: [{ rate: '0.01' }] }];
    const { client, server } = await rig(() => ({ body: { transfers } }));
    expect(
      await client.v20250225.clearingEntryExecutionIntents.updateTransfers('i/1', { transfers }),
    ).toEqual({
      transfers,
    });
    expect(server.heard[0]).toMatchObject({
      method: 'PATCH',
      path: '/v1/payment/intents/clearing-entry-execution/i%2F1/transfers',
      headers: { 'x-service-api-version': 'v20250225' },
    });
  });

  it('without a body has no content type', async () => {
    const { client, server } = await rig(() => holderIntent());
    await client.accountHolderCreationIntents.confirm({ id: intentId, etag: '"1"' });
    expect(server.heard[0]).toMatchObject({ method: 'PATCH', text: '' });
    expect(server.heard[0]?.headers).not.toHaveProperty('content-type');
  });

  it('has the query parameters of a list and of a check', async () => {
    const { client, server } = await rig((request) => ({ body: request.path.includes('check') ? {} : [] }));
    await client.v20250212.transactions.page({ count: 3, pending: false, account_id: 'a&b' });
    const party = '7f1c2a34-5b6d-4e7f-8a9b-0c1d2e3f4a5b';
    await client.capabilities.check('c1', { party_id: party });
    expect(server.heard.map(({ path }) => path)).toEqual([
      '/v1/transactions?count=3&pending=false&account_id=a%26b',
      `/v1/capabilities/c1/check?party_id=${party}`,
    ]);
  });

  it('takes a Date where its query has a moment', async () => {
    const { client, server } = await rig(() => ({ body: [] }));
    await client.transactions.page({ since_time: new Date(Date.UTC(2026, 2, 26, 8)) });
    expect(server.heard[0]?.path).toBe('/v1/transactions?since_time=2026-03-26T08%3A00%3A00.000Z');
    const error = await failureOf(client.transactions.page({ since_time: new Date(Number.NaN) }));
    expect(error).toMatchObject({ kind: 'invalid-request', outcome: 'not-sent' });
    expect(error.message).toContain('since_time');
  });

  it.each(['a BigInt', 'a circle'])('is not sent when its body holds %s', async (what) => {
    const { client, server } = await rig(() => holderIntent());
    const detail: Record<string, unknown> = { cms_id: '4711' };
    detail['more'] = what === 'a circle' ? detail : 1n;
    const body = { know_your_customer: { type: 'cms', detail } };
    const error = await failureOf(client.accountHolderCreationIntents.create(body as never));
    expect(error).toMatchObject({ kind: 'invalid-request', outcome: 'not-sent' });
    expect(error.message).toContain('JSON');
    expect(server.heard).toEqual([]);
  });

  it.each(['', '.', '..'])('is not sent with the id "%s"', async (id) => {
    const { client, server } = await rig(() => holderIntent());
    const error = await failureOf(client.accountHolderCreationIntents.retrieve(id));
    expect(error).toMatchObject({ kind: 'invalid-request', outcome: 'not-sent' });
    expect(server.heard).toEqual([]);
  });

  it('is held to no bound and no list of words that the document does not show', async () => {
    const { client, server, reports } = await rig(
      (request) => ({ body: request.method === 'GET' ? [] : {} }),
      {
        allowUndocumented: false,
      },
    );
    await client.v20250212.virtualAccounts.page({ count: 500 });
    const other = { know_your_customer: { type: 'other', detail: { a: 1 } } };
    await client.accountHolderCreationIntents.create(other as never);
    expect(server.heard.map(({ path }) => path)).toEqual([
      '/v1/virtual-accounts?count=500',
      '/v1/account-holder-creation-intents',
    ]);
    expect(server.heard[1]?.json).toEqual(other);
    expect(reports.filter(({ where }) => where === 'request')).toMatchObject([
      { kind: 'unknown-value', path: 'know_your_customer.type' },
    ]);
  });

  it('whose body does not fit is not sent, and each field is named', async () => {
    const { client, server } = await rig(() => holderIntent());
    const wrong = { source_account_id: 'x', amount: 12.5 } as unknown as Parameters<
      typeof client.internalTransferCreationIntents.create
    >[0];
    const error = await failureOf(client.internalTransferCreationIntents.create(wrong));
    expect(error).toMatchObject({ kind: 'invalid-request', outcome: 'not-sent', attempts: 0 });
    expect(error.issues.map(({ path }) => path)).toEqual([
      'source_account_id',
      'destination_account_id',
      'currency_code',
      'amount',
    ]);
    expect(server.heard).toEqual([]);
  });
});

describe('If-Match', () => {
  it('is the etag of the record as the caller saw it, whatever the client has seen since', async () => {
    let revision = 1;
    const { client, server } = await rig(() => holderIntent({ etag: `"${revision++}"` }));
    const seen = await client.accountHolderCreationIntents.create(newHolder);
    await client.accountHolderCreationIntents.retrieve(intentId);
    await client.accountHolderCreationIntents.confirm(seen);
    expect(server.heard.map(({ headers }) => headers['if-match'])).toEqual([undefined, undefined, '"1"']);
  });

  it('goes with the body of a step, and may be any', async () => {
    const { client, server } = await rig(() => ({ body: verificationCreationIntent }));
    const { setShareToken } = client.verificationCreationIntents;
    await setShareToken({ id: 'v', etag: '"mine"' }, { share_token: 'st' });
    await setShareToken({ id: 'v', etag: '*' }, { share_token: 'st' });
    expect(server.heard[0]).toMatchObject({ json: { share_token: 'st' }, headers: { 'if-match': '"mine"' } });
    expect(server.heard[1]?.headers['if-match']).toBe('*');
  });

  it('is not made up: without an etag nothing is sent, even of a record that the client has seen', async () => {
    const { client, server } = await rig(() => holderIntent());
    await client.accountHolderCreationIntents.retrieve(intentId);
    const error = await failureOf(client.accountHolderCreationIntents.confirm(intentId as never));
    expect(error).toMatchObject({ kind: 'etag-unknown', outcome: 'not-sent' });
    const unquoted = { id: intentId, etag: '1' };
    expect((await failureOf(client.accountHolderCreationIntents.confirm(unquoted))).kind).toBe(
      'invalid-request',
    );
    expect(server.heard).toHaveLength(1);
  });

  it('is not asked for in earlier versions', async () => {
    const { client, server } = await rig(() => ({ body: {} }));
    await client.v20250225.virtualAccountCreationIntents.confirm('i1');
    expect(server.heard[0]?.headers).not.toHaveProperty('if-match');
  });
});

describe('lists', () => {
  const pages = (all: string[], size: number) => (request: { path: string }) => {
    const token = new URL(request.path, 'http://x').searchParams.get('token');
    const from = token === null ? 0 : all.indexOf(token) + 1;
    return { body: all.slice(from, from + size).map((name) => ({ id: name, token: name })) };
  };

  it('go on behind the last record until a page is empty', async () => {
    const { client, server } = await rig(pages(['a', 'b', 'c', 'd', 'e'], 2));
    const seen: string[] = [];
    for await (const account of client.accounts.list({ count: 2 })) seen.push(account.id);
    expect(seen).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(server.heard.map(({ path }) => path)).toEqual([
      '/v1/accounts?count=2',
      '/v1/accounts?count=2&token=b',
      '/v1/accounts?count=2&token=d',
      '/v1/accounts?count=2&token=e',
    ]);
  });

  it('fetch no page that nobody asks for', async () => {
    const { client, server } = await rig(pages(['a', 'b', 'c'], 1));
    for await (const account of client.accounts.list()) if (account.id === 'b') break;
    expect(server.heard).toHaveLength(2);
  });

  it('come in pages too, from where one wants', async () => {
    const { client } = await rig(pages(['a', 'b', 'c'], 2));
    const sizes: number[] = [];
    for await (const page of client.accounts.list({ token: 'a' }).pages()) sizes.push(page.length);
    expect(sizes).toEqual([2]);
    const page = await client.accounts.page();
    expect([page.records.length, page.nextToken]).toEqual([2, 'b']);
  });

  it('come as an array of the first ones', async () => {
    const { client, server } = await rig(pages(['a', 'b', 'c', 'd', 'e'], 2));
    const ids = async (limit: number) => (await client.accounts.list().toArray(limit)).map(({ id }) => id);
    expect(await ids(3)).toEqual(['a', 'b', 'c']);
    expect(server.heard).toHaveLength(2);
    expect(await ids(100)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(await ids(0)).toEqual([]);
    expect((await failureOf(ids(1.5))).kind).toBe('invalid-request');
  });

  it.each([2, 3, 7])('that go in a circle of %i pages end with an error instead of never', async (length) => {
    const { client, server } = await rig((_request, index) => {
      // Two pages before the circle.
      const name = index < 2 ? `before-${index}` : `in-${(index - 2) % length}`;
      return { body: [{ id: name, token: name }] };
    });
    const iterate = async () => {
      for await (const account of client.accounts.list()) void account;
    };
    expect(await failureOf(iterate())).toMatchObject({ kind: 'unreadable-answer' });
    expect(server.heard.length).toBeLessThan(5 * length + 5);
  });

  it('that do not move on end with an error instead of never', async () => {
    const { client, server } = await rig(() => ({ body: [{ id: 'a', token: 'a' }] }));
    const iterate = async () => {
      for await (const account of client.accounts.list()) void account;
    };
    expect(await failureOf(iterate())).toMatchObject({ kind: 'unreadable-answer' });
    expect(server.heard).toHaveLength(2);
  });

  it('whose records have no token end with an error instead of too early', async () => {
    const { client } = await rig(() => ({ body: [{ id: 'a', token: 'a' }, { id: 'b' }] }));
    const seen: string[] = [];
    const iterate = async () => {
      for await (const account of client.accounts.list()) seen.push(account.id);
    };
    expect(await failureOf(iterate())).toMatchObject({ kind: 'unreadable-answer' });
    expect(seen).toEqual(['a', 'b']);
  });
});

describe('a base address', () => {
  const make = (baseUrl: string) => createRemoteClient({ baseUrl, auth: { bearer: 't' } });

  it.each([
    ['https://remote.example', 'ends with /v1'],
    ['https://remote.example/v2', 'ends with /v1'],
    ['http://remote.example/v1', 'must be https'],
    ['http://127.0.0.1.example/v1', 'must be https'],
    ['http://remote.localhost/v1', 'must be https'],
    ['ftp://127.0.0.1/v1', 'must be https'],
    ['https://user:word@remote.example/v1', 'credentials'],
    ['https://remote.example/v1?x=1', 'neither'],
    ['remote.example/v1', 'not an address'],
  ])('%s is refused', (baseUrl, words) => {
    expect(() => make(baseUrl)).toThrow(RemoteError);
    expect(() => make(baseUrl)).toThrow(words);
  });

  it.each([
    'https://remote.example/v1',
    'https://remote.example/api/v1/',
    'http://127.0.0.1:8090/v1',
    'http://[::1]:8090/v1',
    'http://localhost:8090/v1',
  ])('%s is taken', (baseUrl) => {
    expect(() => make(baseUrl)).not.toThrow();
  });
});
