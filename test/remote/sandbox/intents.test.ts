import { describe, expect, it } from 'vitest';
import { shapes } from '../../../src/remote/library/client.ts';
import { startSandbox, stoppedClock, type SandboxRig } from './rig.ts';

/** The seed's: 10000 less what it moved, and an account of another holder in the same currency. */
async function euroAccounts({ client }: SandboxRig): Promise<[string, string]> {
  const [first, second] = (await client.accounts.page({ currency_code: 'EUR' })).records;
  return [first?.id ?? '', second?.id ?? ''];
}

async function newTransfer(rig: SandboxRig, reference: string | null, amount = '1.00') {
  const [source_account_id, destination_account_id] = await euroAccounts(rig);
  return await rig.client.internalTransferCreationIntents.create({
    source_account_id,
    destination_account_id,
    currency_code: 'EUR',
    amount,
    reference,
  });
}

describe('the life of an intent', () => {
  it('goes from requirements over confirmation to its resource', async () => {
    const { client } = await startSandbox();
    const intents = client.verificationCreationIntents;
    const created = await intents.create({
      customer_party_ref: 'customer-17',
      requested_capabilities: ['send-payments'],
    });
    expect(created).toMatchObject({
      life_cycle: 'pending-requirements',
      result: 'pending',
      origin: 'direct',
      fail_reason: null,
      confirm_time: null,
      approve_time: null,
      complete_time: null,
      collection_channel: null,
    });
    expect(created.requirements).toHaveLength(2);
    await expect(intents.confirm(created)).rejects.toMatchObject({ status: 409, code: 'state_conflict' });
    expect(await client.verifications.retrieve(created.verification_id)).toMatchObject({ status: 'pending' });

    const [first, second] = created.requirements;
    let seen = created;
    const answer = async (id = '', revision = 1, text = 'here') =>
      (seen = await intents.answerRequirement(seen, { requirement_id: id, revision, answer: { text } }));
    expect((await answer(first?.requirement_id)).life_cycle).toBe('pending-requirements');
    // Asked again: the next answer must be to the next revision.
    const again = await answer(second?.requirement_id, 1, 'sandbox:reject');
    expect(again.requirements).toEqual([{ requirement_id: second?.requirement_id, revision: 2 }]);
    await expect(answer(second?.requirement_id, 1)).rejects.toMatchObject({ code: 'state_conflict' });
    expect(await answer(second?.requirement_id, 2)).toMatchObject({
      life_cycle: 'pending-confirmation',
      requirements: [],
    });

    const confirmed = (seen = await intents.confirm(seen));
    expect(confirmed).toMatchObject({ life_cycle: 'completed', result: 'succeeded' });
    for (const time of [confirmed.confirm_time, confirmed.approve_time, confirmed.complete_time]) {
      expect(time).toMatch(/\.\d+Z$/);
    }
    expect(await client.verifications.retrieve(created.verification_id)).toMatchObject({
      status: 'verified',
    });
    const [capability] = (await client.capabilities.page({ name: 'send-payments' })).records;
    const check = await client.capabilities.check(capability?.id ?? '', { party_id: created.party_id });
    expect(check).toMatchObject({ granted: true, open_requirements: [] });
    await expect(answer(first?.requirement_id)).rejects.toMatchObject({ code: 'state_conflict' });
  });

  it('of an account holder begins as the document shows it', async () => {
    const { client } = await startSandbox();
    const created = await client.accountHolderCreationIntents.create({
      know_your_customer: { type: 'cms', detail: { cms_id: '4711' } },
    });
    expect(created).toMatchObject({
      life_cycle: 'pending-requirements',
      result: 'pending',
      requirements: [],
      account_holder_id: null,
      confirm_time: null,
      approve_time: null,
      complete_time: null,
    });
    const { account_holder_id } = await client.accountHolderCreationIntents.confirm(created);
    const accounts = (await client.accounts.page({ account_holder_id: account_holder_id ?? '' })).records;
    expect(accounts.map(({ currency_code }) => currency_code)).toEqual(['EUR', 'USD']);
  });

  it.each(shapes.failReasons)('fails with the reason %s when its request says so', async (reason) => {
    const rig = await startSandbox({ seed: true });
    const intent = await newTransfer(rig, `please sandbox:fail:${reason}`);
    const failed = await rig.client.internalTransferCreationIntents.confirm(intent);
    expect(failed).toMatchObject({
      life_cycle: 'failed',
      result: 'failed',
      fail_reason: reason,
      internal_transfer_id: null,
    });
    expect(failed.approve_time === null).toBe(reason === 'not-approved');
  });

  it.each([
    ['sandbox:hold-approval', 'pending-approval'],
    ['sandbox:hold-completion', 'pending-completion'],
  ])('%s holds it in %s until it is advanced', async (word, stage) => {
    const rig = await startSandbox({ seed: true });
    const intent = await newTransfer(rig, word);
    const held = await rig.client.internalTransferCreationIntents.confirm(intent);
    expect(held).toMatchObject({ life_cycle: stage, internal_transfer_id: null });
    const path = `/sandbox/internal-transfer-creation-intents/${intent.id}/advance`;
    const advanced = await rig.request(path, { method: 'PATCH' });
    expect(advanced.body).toMatchObject({ life_cycle: 'completed', result: 'succeeded' });
    expect(Object.keys(advanced.body).filter((name) => name.startsWith('_'))).toEqual([]);
    expect((await rig.request(path, { method: 'PATCH' })).body).toMatchObject({ code: 'state_conflict' });
  });

  it('refuses a reason that there is not, also behind another word', async () => {
    const { client } = await startSandbox({ seed: true });
    const request = {
      name: 'sandbox:hold-approval',
      type: 'individual',
      country: 'DE',
      address: {
        city: 'sandbox:fail:bogus',
        country: 'DE',
        dependent_locality: null,
        postal_code: '1',
        region: null,
        address_lines: [],
      },
    };
    await expect(client.beneficiaryCreationIntents.create(request)).rejects.toMatchObject({
      status: 400,
      issues: [{ path: 'address' }],
    });
  });

  it('refuses a reason that there is not', async () => {
    const rig = await startSandbox({ seed: true });
    await expect(newTransfer(rig, 'sandbox:fail:bad-mood')).rejects.toMatchObject({ status: 400 });
  });
});

describe('confirm', () => {
  it('sent again, as after a lost answer, changes nothing and answers the same', async () => {
    const rig = await startSandbox({ seed: true });
    const intents = rig.client.internalTransferCreationIntents;
    const created = await newTransfer(rig, null, '5.00');
    const before = (await rig.client.internalTransfers.page()).records.length;
    const first = await intents.confirm(created);
    const second = await intents.confirm(created);
    const third = await intents.confirm(first);
    expect(second).toEqual(first);
    expect(third).toEqual(first);
    expect((await rig.client.internalTransfers.page()).records).toHaveLength(before + 1);
    await expect(intents.confirm({ ...created, etag: '"other"' })).rejects.toMatchObject({ status: 412 });
  });

  it('two at once yield one resource', async () => {
    const rig = await startSandbox({ seed: true });
    const created = await newTransfer(rig, null, '5.00');
    const before = (await rig.client.internalTransfers.page()).records.length;
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => rig.client.internalTransferCreationIntents.confirm(created)),
    );
    expect(new Set(answers.map(({ internal_transfer_id }) => internal_transfer_id)).size).toBe(1);
    expect((await rig.client.internalTransfers.page()).records).toHaveLength(before + 1);
  });
});

describe('money', () => {
  it('that is not there fails the intent, and nothing moves', async () => {
    const rig = await startSandbox({ seed: true });
    const balances = async () => (await rig.client.balances.page()).records.map(({ amount }) => amount);
    const before = await balances();
    const intent = await newTransfer(rig, null, '99999.00');
    expect(await rig.client.internalTransferCreationIntents.confirm(intent)).toMatchObject({
      life_cycle: 'failed',
      fail_reason: 'insufficient-funds',
    });
    expect(await balances()).toEqual(before);
  });

  it('comes in by the simulator, also to a virtual account', async () => {
    const { client } = await startSandbox({ seed: true });
    const [virtual] = (await client.virtualAccounts.page()).records;
    const before = (await client.balances.page({ account_id: virtual?.account_id })).records[0];
    const transfer = await client.simulatorIncomingTransfers.create({
      virtual_account_id: virtual?.id,
      currency_code: 'EUR',
      amount: '12.34',
      reference: 'Invoice 7',
    });
    expect(transfer).toMatchObject({ status: 'completed', account_id: virtual?.account_id });
    const after = (await client.balances.page({ account_id: virtual?.account_id })).records[0];
    expect(Number(after?.amount) - Number(before?.amount)).toBeCloseTo(12.34);
    const posted = await client.transactions.retrieve(transfer.transaction_id ?? '');
    expect(posted).toMatchObject({ credit_amount: '12.34', remark: 'Invoice 7', balance: after?.amount });
  });

  it('is exchanged at a quote, which is used once and runs out; a trade can be cancelled until it settles', async () => {
    let ahead = 0;
    const rig = await startSandbox({
      seed: true,
      clock: { ...stoppedClock, now: () => stoppedClock.now() + ahead },
    });
    const { client } = rig;
    const [account] = (await client.accounts.page({ currency_code: 'EUR' })).records;
    const [dollars] = (await client.accounts.page({ currency_code: 'USD' })).records;
    const balance = async (id = '') => (await client.balances.page({ account_id: id })).records[0]?.amount;
    const newQuote = async () => {
      const intent = await client.quoteCreationIntents.create({
        sell_currency_code: 'EUR',
        buy_currency_code: 'USD',
        fixed_side: 'sell',
        amount: '100.00',
      });
      return (await client.quoteCreationIntents.confirm(intent)).quote_id ?? '';
    };
    const trade = async (quote_id: string) => {
      const intent = await client.tradeCreationIntents.create({
        quote_id,
        sell_account_id: account?.id ?? '',
        buy_account_id: dollars?.id ?? '',
      });
      return await client.tradeCreationIntents.confirm(intent);
    };
    const cancel = async (trade_id: string) => {
      const intent = await client.tradeCancellationIntents.create({ trade_id });
      return await client.tradeCancellationIntents.confirm(intent);
    };
    ahead = 15_000;
    const [euroBefore, dollarBefore] = [await balance(account?.id), await balance(dollars?.id)];
    const quote = await newQuote();
    expect(await client.quotes.retrieve(quote)).toMatchObject({ rate: '1.25', buy_amount: '125.00' });
    const cancelled = (await trade(quote)).trade_id ?? '';
    expect(await balance(account?.id)).toBe((Number(euroBefore) - 100).toFixed(2));
    expect(await trade(quote)).toMatchObject({ fail_reason: 'quote-used' });
    expect(await cancel(cancelled)).toMatchObject({ result: 'succeeded' });
    expect(await client.trades.retrieve(cancelled)).toMatchObject({ status: 'cancelled' });
    expect(await balance(account?.id)).toBe(euroBefore);

    const settled = (await trade(await newQuote())).trade_id ?? '';
    const late = await newQuote();
    ahead += 10_000;
    expect(await client.trades.retrieve(settled)).toMatchObject({ status: 'settled' });
    expect(await balance(dollars?.id)).toBe((Number(dollarBefore) + 125).toFixed(2));
    expect(await cancel(settled)).toMatchObject({ fail_reason: 'trade-not-cancellable' });
    ahead += 60_000;
    expect(await trade(late)).toMatchObject({ fail_reason: 'quote-expired' });
  });

  it('that waits for clearing is spread with its discounts, to the last cent', async () => {
    const { client, sandbox } = await startSandbox({ seed: true });
    const earlier = client.v20250225;
    const [source, ...targets] = (await earlier.clearingAccounts.page({ currency_code: 'EUR' })).records;
    const [account] = (await client.accounts.page({ currency_code: 'EUR' })).records;
    await client.simulatorIncomingTransfers.create({
      account_id: account?.id,
      currency_code: 'EUR',
      amount: '100.01',
      reference: 'sandbox:clearing',
    });
    const entry = (await earlier.clearingEntries.page({ status: 'open' })).records.at(-1);
    expect(entry).toMatchObject({ amount: '100.01', clearing_account_id: source?.id });
    const intent = await earlier.clearingEntryExecutionIntents.create({ clearing_entry_id: entry?.id ?? '' });
    const transfers = targets.map(({ id }, index) => ({
      clearing_account_id: id,
      discounts: index === 0 ? [{ rate: '0.015' }, { rate: '0.1' }] : [],
    }));
    expect(await earlier.clearingEntryExecutionIntents.updateTransfers(intent.id, { transfers })).toEqual({
      transfers,
    });
    const done = await earlier.clearingEntryExecutionIntents.confirm(intent.id);
    expect(done).toMatchObject({ life_cycle: 'completed' });
    const balances = (await earlier.clearingAccounts.page({ currency_code: 'EUR' })).records.map(
      ({ balance }) => balance,
    );
    // 50.01 less 0.75 less 4.92; 50.00.
    expect(balances).toEqual(['300.00', '44.34', '50.00']);
    expect(await earlier.clearingEntries.retrieve(entry?.id ?? '')).toMatchObject({ status: 'executed' });
    for (const sum of sandbox.executor.context.ledger.recount().byCurrency.values()) expect(sum).toBe(0n);
  });
});

it('a virtual account with a crypto account is pending, as the document shows it, until somebody has looked at it', async () => {
  const rig = await startSandbox({ seed: true });
  const { client } = rig;
  const [account] = (await client.accounts.page({ currency_code: 'EUR' })).records;
  const intent = await client.virtualAccountCreationIntents.create({ account_id: account!.id });
  const external_account = {
    type: 'crypto-account' as const,
    detail: { network: 'ethereum', address: '0xabc' },
  };
  const told = await client.virtualAccountCreationIntents.setExternalAccount(intent, { external_account });
  await client.virtualAccountCreationIntents.confirm(told);
  const { records } = await client.v20250212.virtualAccounts.page({ count: 100 });
  const pending = records.find(({ external_account: { type } }) => type === 'crypto-account');
  expect(pending).toMatchObject({ status: 'pending', external_account });

  const transfer = { virtual_account_id: pending!.id, currency_code: 'EUR', amount: '1.00' };
  await expect(client.simulatorIncomingTransfers.create(transfer)).rejects.toMatchObject({
    code: 'state_conflict',
  });
  const advanced = await rig.request(`/sandbox/virtual-accounts/${pending!.id}/advance`, { method: 'PATCH' });
  expect(advanced.body['status']).toBe('active');
  await client.simulatorIncomingTransfers.create({ ...transfer, reference: 'sandbox:adjustment' });
  const transactions = await client.v20250212.transactions.list({ account_id: account!.id }).toArray(1_000);
  expect(transactions.at(-1)).toMatchObject({ type: 'adjustment', credit_amount: '1.00' });
});
