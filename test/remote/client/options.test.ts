import { describe, expect, it } from 'vitest';
import {
  createRemoteClient,
  RemoteError,
  type RemoteClientOptions,
} from '../../../src/remote/library/client.ts';
import { record } from '../catalogue/examples.ts';
import { failureOf, holderIntent, intentId, newHolder, rig } from './client-rig.ts';

describe('what a client is told', () => {
  const make = (options: object) =>
    createRemoteClient({
      baseUrl: 'https://remote.example/v1',
      auth: { bearer: 't' },
      ...(options as Partial<RemoteClientOptions>),
    });

  it.each([
    [{ timeoutMs: Number.NaN }, 'timeoutMs'],
    [{ timeoutMs: 0 }, 'timeoutMs'],
    [{ timeoutMs: 3_000_000_000 }, 'timeoutMs'],
    [{ retry: { maxAttempts: 0 } }, 'retry.maxAttempts'],
    [{ retry: { maxAttempts: Infinity } }, 'retry.maxAttempts'],
    [{ retry: { firstPauseMs: -1 } }, 'retry.firstPauseMs'],
    [{ retry: { maxAttempt: 3 } }, 'maxAttempt'],
    [{ headers: { Authorization: 'Basic x' } }, 'headers.Authorization'],
    [{ headers: { 'a b': 'x' } }, 'headers.a b'],
    [{ headers: { a: 'x\ny' } }, 'headers.a'],
    [{ onResponse: 'log' }, 'onResponse'],
  ])('%j is refused, and the option is named', (options, name) => {
    expect(() => make(options)).toThrow(RemoteError);
    expect(() => make(options)).toThrow(name);
  });

  it('is as if it had not been said where it is undefined', async () => {
    const { client, clock } = await rig(() => ({ status: 503 }), {
      retry: { maxAttempts: undefined, firstPauseMs: undefined } as never,
      timeoutMs: undefined as never,
    });
    expect((await failureOf(client.accounts.retrieve('a'))).attempts).toBe(4);
    // Deadlines and pauses as they are by default.
    expect(clock.pauses).toEqual([30_000, 250, 30_000, 500, 30_000, 1_000, 30_000]);
  });
});

describe('what a call is told', () => {
  it('holds for it alone', async () => {
    const { client, server } = await rig(() => ({ status: 503, body: {} }), {
      headers: { 'x-shop': '17', 'x-till': '1' },
    });
    const retry = { maxAttempts: 2 };
    const error = await failureOf(client.accounts.retrieve('a', { retry, headers: { 'x-till': '2' } }));
    expect(error.attempts).toBe(2);
    await failureOf(client.accounts.retrieve('a'));
    expect(server.heard.map(({ headers }) => [headers['x-shop'], headers['x-till']])).toEqual([
      ['17', '2'],
      ['17', '2'],
      ['17', '1'],
      ['17', '1'],
      ['17', '1'],
      ['17', '1'],
    ]);
  });

  it.each([
    [{ timeoutMs: Number.NaN }, 'timeoutMs'],
    [{ retry: { maxAttempts: 1.5 } }, 'retry.maxAttempts'],
    [{ headers: { 'If-Match': '*' } }, 'If-Match'],
    [{ signal: {} }, 'signal'],
    [{ etag: '"1"' }, 'etag'],
    [{ idempotencyKey: 'k' }, 'idempotencyHeader'],
  ])('%j is refused, and nothing is sent', async (options, name) => {
    const { client, server } = await rig(() => ({ body: record }));
    const error = await failureOf(client.accounts.retrieve('a', options as never));
    expect(error).toMatchObject({ kind: 'invalid-request', outcome: 'not-sent' });
    expect(error.message).toContain(name);
    expect(server.heard).toEqual([]);
  });
});

describe('a header by which the service knows repeats', () => {
  const idempotencyHeader = 'Idempotency-Key';
  const keys = (heard: { headers: Record<string, unknown> }[]) =>
    heard.map(({ headers }) => headers['idempotency-key']);

  it('lets a create be sent again, each time with the same key', async () => {
    let made = 0;
    const { client, server } = await rig((_request, index) => (index === 0 ? 'drop' : holderIntent()), {
      idempotencyHeader,
      newKey: () => `key-${++made}`,
    });
    await client.accountHolderCreationIntents.create(newHolder);
    await client.accountHolderCreationIntents.create(newHolder);
    await client.accountHolderCreationIntents.create(newHolder, { idempotencyKey: 'mine' });
    expect(keys(server.heard)).toEqual(['key-1', 'key-1', 'key-2', 'mine']);
  });

  it('is not sent with what needs none, unless the caller gives a key', async () => {
    const { client, server } = await rig(() => holderIntent(), { idempotencyHeader });
    await client.accountHolderCreationIntents.retrieve(intentId);
    await client.accountHolderCreationIntents.confirm({ id: intentId, etag: '"1"' });
    await client.accountHolderCreationIntents.confirm({ id: intentId, etag: '*' }, { idempotencyKey: 'k' });
    expect(keys(server.heard)).toEqual([undefined, undefined, 'k']);
  });

  it('leaves the outcome open when the answers stay lost', async () => {
    const { client } = await rig(() => 'drop', { idempotencyHeader });
    const error = await failureOf(client.accountHolderCreationIntents.create(newHolder));
    expect(error).toMatchObject({ outcome: 'unknown', attempts: 4 });
  });
});

describe('a token that the caller provides', () => {
  it('is asked for each time, and once more when it was refused', async () => {
    const asked: (string | null)[] = [];
    const { client, server } = await rig(
      (request) => (request.headers.authorization === 'Bearer t1' ? { status: 401 } : holderIntent()),
      {
        auth: {
          token: async (refused) => {
            asked.push(refused);
            return await Promise.resolve(`t${asked.length}`);
          },
        },
      },
    );
    await client.accountHolderCreationIntents.create(newHolder);
    await client.accountHolderCreationIntents.retrieve(intentId);
    expect(asked.slice(0, 2)).toEqual([null, 't1']);
    expect(server.heard.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer t1',
      'Bearer t2',
      'Bearer t3',
    ]);
  });

  it('that cannot be had, or is none, ends the call before it is sent', async () => {
    const fault = new Error('the vault is sealed');
    const { client, server } = await rig(() => holderIntent(), {
      auth: { token: () => Promise.reject(fault) },
    });
    const error = await failureOf(client.accountHolderCreationIntents.create(newHolder));
    expect(error).toMatchObject({ kind: 'token-refused', outcome: 'not-sent', cause: fault });
    const { client: other } = await rig(() => holderIntent(), { auth: { token: () => 'a b' } });
    expect((await failureOf(other.accounts.retrieve('a'))).message).toContain('auth.token');
    expect(server.heard).toEqual([]);
  });
});

it('the program names itself, and the library', async () => {
  const { client, server } = await rig(() => ({ body: record }), { userAgent: 'shop-backend/2.1' });
  await client.accounts.retrieve('a');
  expect(server.heard[0]?.headers['user-agent']).toMatch(/^shop-backend\/2\.1 tillbridge-remote\/\d/);
});
