import { expect, it } from 'vitest';
import { defaultCount, maxCount } from '../../../src/remote/library/client.ts';
import { startSandbox } from './rig.ts';

it('a cursor neither skips nor repeats while others write', async () => {
  const { client } = await startSandbox();
  const make = async () =>
    (
      await client.accountHolderCreationIntents.create({
        know_your_customer: { type: 'cms', detail: { cms_id: 'x' } },
      })
    ).id;
  const before: string[] = [];
  for (let index = 0; index < 30; index += 1) before.push(await make());
  const seen: string[] = [];
  const written: string[] = [];
  for await (const page of client.accountHolderCreationIntents.list({ count: 4 }).pages()) {
    seen.push(...page.map(({ id }) => id));
    // New ones come, and old ones change, behind and before the cursor.
    if (written.length < 12) written.push(await make(), await make());
    await client.accountHolderCreationIntents.confirm({ id: before[written.length] ?? '', etag: '*' });
    await client.accountHolderCreationIntents.confirm({ id: before[0] ?? '', etag: '*' });
  }
  expect(seen).toEqual([...before, ...written]);
});

it('a list gives 20 records, or as many as asked for, up to 100', async () => {
  const rig = await startSandbox();
  for (let index = 0; index < defaultCount + 1; index += 1) {
    await rig.client.accountHolderCreationIntents.create({
      know_your_customer: { type: 'cms', detail: { cms_id: 'x' } },
    });
  }
  const path = '/account-holder-creation-intents';
  const length = async (query: string) =>
    (JSON.parse((await rig.request(`${path}${query}`)).text) as []).length;
  expect(await length('')).toBe(defaultCount);
  expect(await length('?count=3')).toBe(3);
  expect(await length(`?count=${maxCount}`)).toBe(defaultCount + 1);
  for (const query of ['?count=0', `?count=${maxCount + 1}`, '?count=x', '?token=', '?token=nonsense']) {
    expect((await rig.request(`${path}${query}`)).status, query).toBe(400);
  }
});

it('the deprecated list of transactions takes every parameter that the document names', async () => {
  const { client } = await startSandbox({ seed: true });
  const { transactions } = client.v20250212;
  const all = (await transactions.page({ count: 100 })).records;
  const [first] = all;
  const ids = async (query: Parameters<typeof transactions.page>[0]) =>
    (await transactions.page({ count: 100, ...query })).records.map(({ id }) => id);
  const idsWhere = (fits: (transaction: (typeof all)[number]) => boolean) =>
    all.filter(fits).map(({ id }) => id);
  expect(await ids({ account_id: first?.account_id })).toEqual(
    idsWhere(({ account_id }) => account_id === first?.account_id),
  );
  expect(await ids({ balance_id: first?.balance_id })).toEqual(
    idsWhere(({ balance_id }) => balance_id === first?.balance_id),
  );
  const debits = await ids({ debit_credit_indicator: 'debit' });
  expect(debits.length).toBeGreaterThan(0);
  expect(debits).toEqual(idsWhere((transaction) => transaction.debit_credit_indicator === 'debit'));
  expect(await ids({ pending: true })).toEqual([]);
  expect(await ids({ pending: false })).toEqual(all.map(({ id }) => id));
  expect(await ids({ until_time: '2020-01-01T00:00:00.000Z' })).toEqual([]);
  expect(await ids({ since_time: '2020-01-01T01:00:00+01:00', time_column: 'create_time' })).toEqual(
    all.map(({ id }) => id),
  );
  // The same moment, however it is written.
  const [made = ''] = all.map(({ post_time }) => post_time);
  for (const same of [
    made,
    made.replace('Z', '000+00:00'),
    new Date(Date.parse(made) + 3_600_000).toISOString().replace('Z', '+01:00'),
  ]) {
    expect((await ids({ since_time: same, until_time: same })).length, same).toBeGreaterThan(0);
  }
  for (const wrong of ['yesterday', '1', 'Sun Nov 22 2026', '2026-11-22', '2026-11-22T08:00:00']) {
    await expect(ids({ since_time: wrong }), wrong).rejects.toMatchObject({ status: 400 });
  }
});

it('a plus sign that nobody has escaped is named', async () => {
  const rig = await startSandbox({ seed: true });
  const headers = { 'x-service-api-version': 'v20250212' };
  const { status, body } = await rig.request('/transactions?since_time=2026-03-26T08:00:00+00:00', {
    headers,
  });
  expect(status).toBe(400);
  expect(body['message']).toContain('%2B');
  const escaped = await rig.request('/transactions?since_time=2026-03-26T08:00:00%2B00:00', { headers });
  expect(escaped.status).toBe(200);
});

it('the trial balance has every unit on an account, those of discounts, too', async () => {
  const rig = await startSandbox({ seed: true });
  const { status, text } = await rig.request('/sandbox/trial-balance');
  expect(status).toBe(200);
  const balances = JSON.parse(text) as {
    currency_code: string;
    total: string;
    accounts: { account: string; balance: string }[];
  }[];
  expect(balances.length).toBeGreaterThan(0);
  for (const { total, accounts } of balances) {
    expect(total).toMatch(/^0(\.0+)?$/);
    expect(accounts.map(({ account }) => account)).toContain('internal:outside');
  }
  const { records } = rig.sandbox.executor.context;
  for (const account of records.all('balance')) {
    const row = balances
      .find(({ currency_code }) => currency_code === account['currency_code'])
      ?.accounts.find(({ account: id }) => id === account['account_id']);
    expect(row?.balance ?? '0.00').toBe(account['amount']);
  }
});
