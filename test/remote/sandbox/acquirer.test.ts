/** The sandbox's acquirer: what it pays for closed batches, and the mistakes that it makes when asked to. */
import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { startSandbox } from './rig.ts';

/** A Thursday. */
const clock = createVirtualClock({ startsAt: Date.UTC(2026, 2, 26, 8, 0, 0) });

async function startAcquirer() {
  const rig = await startSandbox({ seed: true, clock });
  const accounts = await rig.client.accounts.list().toArray(10);
  const account = accounts.find(({ currency_code }) => currency_code === 'EUR');
  if (account === undefined) throw new Error('no account');
  const settle = (body: object) =>
    rig.request('/sandbox/settlements', { method: 'POST', body: { account_id: account.id, ...body } });
  const booked = async (body: object) => {
    const { status, body: answer } = await settle(body);
    expect(status).toBe(200);
    const { transactions } = answer as { transactions: Record<string, string>[] };
    return transactions.map(({ debit_credit_indicator, amount, post_time, remark }) => [
      debit_credit_indicator,
      amount,
      post_time?.slice(0, 10),
      remark,
    ]);
  };
  return { ...rig, account, settle, booked };
}

describe('the acquirer of the sandbox', () => {
  it('pays net, now, and names the batch', async () => {
    const { booked } = await startAcquirer();
    expect(await booked({ batches: [{ number: '7', amount: '1284.50' }], fee_percent: '0.95' })).toEqual([
      ['credit', '1272.30', '2026-03-26', 'ACME SETTLEMENT BATCH 7'],
    ]);
  });

  it('pays several batches in one credit, each with its own fee, some weekdays later', async () => {
    const { booked } = await startAcquirer();
    const batches = [{ number: '7', amount: '10.50' }, { number: '8', amount: '10.50' }, { amount: '-1.00' }];
    // Of 10.50 one per cent is 0.105, which is rounded to 0.11 twice; of what was given back, 0.01 comes back.
    expect(await booked({ batches, fee_percent: '1', days: 2, remark: 'PAYOUT' })).toEqual([
      ['credit', '19.79', '2026-03-30', 'PAYOUT BATCH 7, 8'],
    ]);
  });

  it('makes the mistakes that it is asked to make', async () => {
    const { booked } = await startAcquirer();
    const [said, friday] = ['ACME SETTLEMENT BATCH 7', '2026-03-27'];
    const mistakes: Record<string, string[][]> = {
      short: [['credit', '90.00', friday, said]],
      doubled: [
        ['credit', '100.00', friday, said],
        ['credit', '100.00', friday, said],
      ],
      late: [['credit', '100.00', '2026-04-03', said]],
      reversed: [
        ['credit', '100.00', friday, said],
        ['debit', '100.00', '2026-03-30', `REVERSAL ${said}`],
      ],
    };
    for (const [mistake, expected] of Object.entries(mistakes)) {
      expect(await booked({ batches: [{ number: '7', amount: '100' }], days: 1, mistake })).toEqual(expected);
    }
  });

  it('books as everything is booked: the books come to zero, and the list has it by its time', async () => {
    const { booked, request, client, account } = await startAcquirer();
    await booked({ batches: [{ amount: '100' }], days: 3, mistake: 'reversed' });
    const { text } = await request('/sandbox/trial-balance');
    const sums = [...text.matchAll(/"total":"([^"]*)"/g)].map(([, sum]) => Number(sum));
    expect(sums.length).toBeGreaterThan(0);
    expect(new Set(sums)).toEqual(new Set([0]));
    const since = { account_id: account.id, since_time: '2026-03-31T00:00:00Z', time_column: 'post_time' };
    const list = await client.v20250212.transactions.list(since).toArray(10);
    expect(list.map(({ remark, amount }) => [remark, amount])).toEqual([
      ['ACME SETTLEMENT', '100.00'],
      ['REVERSAL ACME SETTLEMENT', '100.00'],
    ]);
  });

  it('refuses what it cannot pay, and books nothing', async () => {
    const { settle, request } = await startAcquirer();
    const before = (await request('/sandbox/trial-balance')).text;
    const wrong: [change: object, field: string][] = [
      [{ account_id: '00000000-0000-4000-8000-000000000000' }, 'account_id'],
      [{ batches: [] }, 'batches'],
      [{ batches: [{ amount: '1,00' }] }, 'batches.0.amount'],
      [{ batches: [{ amount: '1.001' }] }, 'batches.0.amount'],
      [{ batches: [{ amount: '1' }, { amount: '-1' }] }, 'batches'],
      [{ fee_percent: '1,5' }, 'fee_percent'],
      [{ mistake: 'stolen' }, 'mistake'],
      [{ bonus: 1 }, 'bonus'],
    ];
    for (const [change, field] of wrong) {
      const { status, text } = await settle({ batches: [{ amount: '1' }], ...change });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(text).toContain(`"path":"${field}`);
    }
    expect((await request('/sandbox/trial-balance')).text).toBe(before);
  });

  it('pays only for a token that may have it do so', async () => {
    const { settle, token, request } = await startAcquirer();
    expect((await settle({ batches: [{ amount: '1' }] })).status).toBe(200);
    const reading = await token('account:read');
    const refused = await request('/sandbox/settlements', {
      method: 'POST',
      headers: { authorization: `Bearer ${reading}` },
      body: {},
    });
    expect(refused).toMatchObject({ status: 403, body: { code: 'scope_missing' } });
  });
});
