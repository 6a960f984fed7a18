import { expect, expectTypeOf, it } from 'vitest';
import {
  apiVersions,
  createRemoteClient,
  operations,
  type OpenEnum,
  type Page,
  type RecordList,
  type Sources,
} from '../../../src/remote/library/client.ts';

const client = createRemoteClient({ baseUrl: 'https://remote.example/v1', auth: { bearer: 't' } });

type Cms = { type: 'cms'; detail: { cms_id: string } };

it('a request has the types of its fields', () => {
  expect(client.verificationCreationIntents.setShareToken).toBeTypeOf('function');
  expectTypeOf(client.accountHolderCreationIntents.create).parameter(0).toHaveProperty('know_your_customer');
  expectTypeOf<Cms>().toExtend<
    Parameters<typeof client.accountHolderCreationIntents.create>[0]['know_your_customer']
  >();
  expectTypeOf(client.outgoingTransferCreationIntents.create).parameter(0).toEqualTypeOf<{
    account_id: string;
    beneficiary_account_id: string;
    currency_code: string;
    amount: string;
    charge_bearer?: OpenEnum<'shared' | 'sender' | 'receiver'> | null | undefined;
    purpose_code?: string | null | undefined;
    reference?: string | null | undefined;
  }>();
  expectTypeOf(client.verificationCreationIntents.setShareToken)
    .parameter(1)
    .toEqualTypeOf<{ share_token: string }>();
});

it('an answer has the types of its fields', () => {
  expect(client.capabilities.check).toBeTypeOf('function');
  type Holder = Awaited<ReturnType<typeof client.accountHolderCreationIntents.retrieve>>;
  expectTypeOf<Holder['account_holder_id']>().toEqualTypeOf<string | null>();
  expectTypeOf<Holder['confirm_time']>().toEqualTypeOf<string | null>();
  expectTypeOf<Extract<Holder['know_your_customer'], { type: 'cms' }>>().toEqualTypeOf<Cms>();
  type Verification = Awaited<ReturnType<typeof client.verificationCreationIntents.confirm>>;
  expectTypeOf<Verification['verification_id']>().toEqualTypeOf<string>();
  expectTypeOf<Verification['requirements']>().toEqualTypeOf<
    { requirement_id: string; revision: number }[]
  >();
  expectTypeOf<Verification['origin']>().toEqualTypeOf<OpenEnum<'direct' | 'donor-reuse'>>();
  type Check = Awaited<ReturnType<typeof client.capabilities.check>>;
  expectTypeOf<Check['granted']>().toEqualTypeOf<boolean>();
});

it('a list gives records, a page of it too', () => {
  expect([client.accounts.list, client.accounts.page]).toEqual([expect.any(Function), expect.any(Function)]);
  type Accounts = ReturnType<typeof client.accounts.list>;
  type Account = Awaited<ReturnType<typeof client.accounts.retrieve>>;
  expectTypeOf<Accounts>().toEqualTypeOf<RecordList<Account>>();
  expectTypeOf<Awaited<ReturnType<typeof client.accounts.page>>>().toEqualTypeOf<Page<Account>>();
  expectTypeOf<NonNullable<Parameters<typeof client.accounts.list>[0]>['count']>().toEqualTypeOf<
    number | undefined
  >();
});

it('earlier versions have their own members', () => {
  expect(Object.keys(client.v20250225)).toContain('clearingEntries');
  expect(Object.keys(client.v20250212)).not.toContain('clearingEntries');
  expectTypeOf(client.v20250225.clearingEntryExecutionIntents.updateTransfers).parameter(1).toEqualTypeOf<{
    transfers: { clearing_account_id: string; discounts: { rate: string }[] }[];
  }>();
  type Transaction = Awaited<ReturnType<typeof client.v20250212.transactions.page>>['records'][number];
  expectTypeOf<Transaction['foreign_amount']>().toEqualTypeOf<string>();
  expectTypeOf<typeof client.v20250212>().not.toHaveProperty('clearingEntries');
  expectTypeOf<typeof client.v20250225.virtualAccountCreationIntents>().not.toHaveProperty('list');
  expectTypeOf(client.v20260326).toHaveProperty('accounts');
});

it('a method says what is assumed of it, because the document does not show it', () => {
  const { create } = client.accountHolderCreationIntents;
  expect(create.assumed).toEqual(['scope']);
  expectTypeOf(create.assumed).toEqualTypeOf<readonly 'scope'[]>();
  expectTypeOf(client.v20250212.transactions.list.assumed).toEqualTypeOf<readonly ('version' | 'scope')[]>();
  expectTypeOf(client.accounts.list.assumed).toEqualTypeOf<
    readonly ('method' | 'path' | 'query' | 'response' | 'scope')[]
  >();
  expectTypeOf(client.v20250225.virtualAccountCreationIntents.create.assumed).toEqualTypeOf<
    readonly ('path' | 'request' | 'response' | 'scope')[]
  >();
  type Guess = 'operation' | 'method' | 'path' | 'request';
  type Shown<Resource> = {
    [Method in keyof Resource]: Resource[Method] extends Sources<infer Assumed>
      ? Extract<Assumed, Guess> extends never
        ? Method
        : never
      : never;
  }[keyof Resource];
  type ShownOf<Version> = { [Member in keyof Version]: Shown<Version[Member]> }[keyof Version];
  expectTypeOf<ShownOf<typeof client.v20260326>>().toEqualTypeOf<'create' | 'setShareToken'>();
  expectTypeOf<ShownOf<typeof client.v20250225>>().toEqualTypeOf<'updateTravelRule' | 'updateTransfers'>();
  expectTypeOf<ShownOf<typeof client.v20250212>>().toEqualTypeOf<'list'>();
});

it('each method says it as it runs, too', () => {
  const all = apiVersions.flatMap((version) => operations(version));
  const told = all.map(({ version, member, clientMethod, id }) => {
    const resources = client[version] as unknown as Record<string, Record<string, Partial<Sources<never>>>>;
    return { id, assumed: resources[member]?.[clientMethod]?.assumed };
  });
  expect(told).toEqual(all.map(({ id, assumptions }) => ({ id, assumed: assumptions })));
});

it('what is wrong does not compile', () => {
  expect(client.accounts).not.toHaveProperty('create');
  const never = () => {
    // @ts-expect-error -- a field is missing
    void client.internalTransferCreationIntents.create({ amount: '1.00' });
    // @ts-expect-error -- money is a string
    void client.tradeCancellationIntents.create({ trade_id: 17 });
    // @ts-expect-error -- there is no such filter
    void client.accounts.list({ colour: 'blue' });
    // @ts-expect-error -- accounts are read only
    void client.accounts.create({});
    // @ts-expect-error -- the check asks about a party
    void client.capabilities.check('id');
  };
  expectTypeOf(never).toBeFunction();
});
