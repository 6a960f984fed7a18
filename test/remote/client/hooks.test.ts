import { describe, expect, it } from 'vitest';
import type { RemoteHooks } from '../../../src/remote/library/client.ts';
import { record } from '../catalogue/examples.ts';
import { failureOf, holderIntent, intentId, newHolder, rig } from './client-rig.ts';

describe('hooks', () => {
  it('hear each attempt, its answer and each repeat', async () => {
    const heard: unknown[] = [];
    const { client } = await rig(
      (_request, index) => (index === 0 ? 'drop' : { body: record, headers: { 'x-request-id': 'r-1' } }),
      {
        onRequest: (facts) => void heard.push(['request', facts]),
        onResponse: (facts) => void heard.push(['response', facts]),
        onRetry: (facts) => void heard.push(['retry', facts]),
      },
    );
    await client.accounts.retrieve('a');
    const attempt = (number: number) => ({
      operation: 'account.retrieve',
      version: 'v20260326',
      method: 'GET',
      path: '/accounts/{account_id}',
      attempt: number,
    });
    const lost = { ...attempt(1), durationMs: 0, status: null, requestId: null, failure: 'network' };
    expect(heard).toEqual([
      ['request', attempt(1)],
      ['response', lost],
      ['retry', { ...lost, pauseMs: 250 }],
      ['request', attempt(2)],
      ['response', { ...attempt(2), durationMs: 0, status: 200, requestId: 'r-1', failure: null }],
    ]);
  });

  it.each(['onRequest', 'onResponse', 'onRetry', 'onUnknown'] as const)(
    'that break change nothing: %s',
    async (name) => {
      for (const fail of [
        () => {
          throw new Error('broken hook');
        },
        () => Promise.reject(new Error('broken hook')),
      ]) {
        const { client, server, lines } = await rig(
          (_request, index) => (index === 0 ? { status: 429 } : holderIntent({ colour: 'red' })),
          { [name]: fail } satisfies RemoteHooks,
        );
        expect((await client.accountHolderCreationIntents.create(newHolder)).id).toBe(intentId);
        expect(server.heard).toHaveLength(2);
        await new Promise(setImmediate);
        expect(lines.filter((line) => line.includes('a hook of the caller broke'))).not.toEqual([]);
        expect(lines.join()).toContain(name);
      }
    },
  );
});

describe('a call', () => {
  it('gives the record, or the record with its answer, and is sent once', async () => {
    const { client, server } = await rig((_request, index) =>
      index === 0 ? { status: 429 } : { body: record, headers: { 'x-request-id': 'r-9', 'x-more': 'm' } },
    );
    const call = client.accounts.retrieve('a');
    const { data, status, headers, requestId, attempts } = await call.withResponse();
    expect(await call).toBe(data);
    expect([data.id, status, headers.get('x-more'), requestId, attempts]).toEqual([
      record.id,
      200,
      'm',
      'r-9',
      2,
    ]);
    expect(server.heard).toHaveLength(2);
  });

  it('that fails is told to whoever asked, in either way', async () => {
    const { client } = await rig(() => ({ status: 404 }));
    expect((await failureOf(client.accounts.retrieve('a'))).kind).toBe('not-found');
    // A promise that nobody waits for would end the process of the tests.
    expect((await failureOf(client.accounts.retrieve('a').withResponse())).kind).toBe('not-found');
    await new Promise(setImmediate);
  });
});
