import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import {
  createCatalogue,
  assumed,
  formats,
  intent,
  pluralOf,
  readQuery,
  resource,
  tables,
  writeQuery,
} from '../../../src/remote/catalogue/index.ts';
import { createRemoteClient } from '../../../src/remote/library/client.ts';
import { startScriptedServer } from '../client/scripted-server.ts';

/** What one would write into a file of the tables. */
const directDebits = {
  'direct-debit': resource({
    area: 'treasury',
    meaning: 'Money that somebody lets us fetch.',
    fields: { amount: assumed(formats.amount), mandate: assumed(z.string()) },
    filters: { mandate: assumed(z.string()) },
  }),
  'direct-debit-creation-intent': intent({
    area: 'treasury',
    meaning: 'Asks to fetch money.',
    yields: 'direct-debit',
    effect: 'create',
    request: { amount: assumed(formats.amount), mandate: assumed(formats.optional(z.string())) },
    steps: { 'set-mandate': { segment: 'mandate', request: { mandate: assumed(z.string()) } } },
  }),
};

const catalogue = createCatalogue({
  ...tables,
  v20260326: { ...tables.v20260326, ...directDebits },
});

describe('a resource more is an entry more: from it follow', () => {
  it('the operations', () => {
    const added = catalogue
      .operations('v20260326')
      .filter(({ resource }) => resource.startsWith('direct-debit'));
    expect(added.map(({ method, path, scope }) => `${method} ${path} ${scope}`)).toEqual([
      'GET /direct-debits/{direct_debit_id} direct-debit:read',
      'GET /direct-debits direct-debit:read',
      'POST /direct-debit-creation-intents direct-debit-creation-intent:create',
      'PATCH /direct-debit-creation-intents/{direct_debit_creation_intent_id}/mandate direct-debit-creation-intent:update',
      'PATCH /direct-debit-creation-intents/{direct_debit_creation_intent_id}/confirm direct-debit-creation-intent:confirm',
      'GET /direct-debit-creation-intents/{direct_debit_creation_intent_id} direct-debit-creation-intent:read',
      'GET /direct-debit-creation-intents direct-debit-creation-intent:read',
    ]);
    expect(added.every(({ assumed }) => assumed)).toBe(true);
    expect(catalogue.findOperation('v20260326', 'direct-debits', 'list')?.title).toBe('List direct debits');
    const { record } = catalogue.tables.v20260326['direct-debit-creation-intent'];
    expect(Object.keys(record.shape)).toEqual(
      expect.arrayContaining(['life_cycle', 'direct_debit_id', 'amount', 'mandate']),
    );
    expect(record.shape.mandate.safeParse(null).success).toBe(true);
    expect(record.shape.mandate.safeParse(undefined).success).toBe(false);
  });

  it('the client’s methods and their types', async () => {
    const server = await startScriptedServer((request) => ({
      body: { id: 'd1', etag: '"1"', path: request.path, sent: request.json },
    }));
    const client = createRemoteClient({
      baseUrl: server.baseUrl,
      auth: { bearer: 't' },
      allowUndocumented: true,
      catalogue,
      onUnknown: () => {},
    });
    type Created = Awaited<ReturnType<typeof client.directDebitCreationIntents.create>>;
    expectTypeOf<Created['direct_debit_id']>().toEqualTypeOf<string | null>();
    expectTypeOf<Created['mandate']>().toEqualTypeOf<string | null>();
    expectTypeOf(client.directDebitCreationIntents.create).parameter(0).toEqualTypeOf<{
      amount: string;
      mandate?: string | null | undefined;
    }>();
    const created = await client.directDebitCreationIntents.create({ amount: '1.00' });
    expect(created).toMatchObject({ path: '/v1/direct-debit-creation-intents', sent: { amount: '1.00' } });
    expect(
      await client.directDebitCreationIntents.setMandate({ id: 'd1', etag: '*' }, { mandate: 'm' }),
    ).toMatchObject({
      path: '/v1/direct-debit-creation-intents/d1/mandate',
    });
    await server.close();
  });
});

it.each([
  ['party', 'parties'],
  ['crypto-address', 'crypto-addresses'],
  ['partner-access', 'partner-accesses'],
  ['evidence', 'evidences'],
  ['clearing-entry', 'clearing-entries'],
])('the plural of %s is %s', (name, plural) => {
  expect(pluralOf(name)).toBe(plural);
});

it('a query goes to text and back', () => {
  const { query } = tables.v20260326.transaction.operations.list;
  const values = { count: 5, pending: false, account_id: 'a b&c', token: 'x' };
  const text = writeQuery({ ...values, since_time: undefined });
  expect(text).toBe('?count=5&pending=false&account_id=a+b%26c&token=x');
  expect(readQuery(query, new URLSearchParams(text))).toEqual(values);
  expect(readQuery(query, [['count', 'many']])).toEqual({ count: 'many' });
  expect(query.safeParse({ count: 'many' }).success).toBe(false);
  expect(writeQuery({})).toBe('');
});
