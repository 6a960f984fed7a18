import { expect, it } from 'vitest';
import { startSandbox, stoppedClock } from './rig.ts';

const most = '999999999999.99';

it.each([
  ['sell', 'EUR', 'USD'],
  ['buy', 'USD', 'GBP'],
  ['sell', 'BTC', 'JPY'],
] as const)('a quote whose other side is too large is refused (%s, %s to %s)', async (fixed, sell, buy) => {
  const { client } = await startSandbox();
  const amount = buy === 'JPY' ? '999999999999' : most;
  const asked = client.quoteCreationIntents.create({
    sell_currency_code: sell,
    buy_currency_code: buy,
    fixed_side: fixed,
    amount,
  });
  await expect(asked).rejects.toMatchObject({ status: 400, issues: [{ path: 'amount' }] });
});

it('the largest trade that there is settles, and the sandbox goes on', async () => {
  let ahead = 0;
  const clock = { ...stoppedClock, now: () => stoppedClock.now() + ahead };
  const { client } = await startSandbox({ seed: true, clock });
  ahead = 60_000;
  const [euro] = (await client.accounts.page({ currency_code: 'EUR' })).records;
  const [dollar] = (await client.accounts.page({ currency_code: 'USD' })).records;
  const [euroId, dollarId] = [euro?.id ?? '', dollar?.id ?? ''];
  await client.simulatorIncomingTransfers.create({ account_id: euroId, currency_code: 'EUR', amount: most });
  const quoteIntent = await client.quoteCreationIntents.create({
    sell_currency_code: 'EUR',
    buy_currency_code: 'USD',
    fixed_side: 'buy',
    amount: most,
  });
  const { quote_id } = await client.quoteCreationIntents.confirm(quoteIntent);
  const accounts = { sell_account_id: euroId, buy_account_id: dollarId };
  const trade = await client.tradeCreationIntents.create({ quote_id: quote_id ?? '', ...accounts });
  const { trade_id } = await client.tradeCreationIntents.confirm(trade);
  ahead += 10_000;
  expect(await client.trades.retrieve(trade_id ?? '')).toMatchObject({
    status: 'settled',
    buy_amount: most,
  });
});
