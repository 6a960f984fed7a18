/** What the client has once heard of a payment holds for as long as it lives, whatever becomes of the bridge's journal. */
import { describe, expect, it } from 'vitest';
import { PosInputError, type PayProgress } from '../../src/pos/index.ts';
import { failure, scripted, standing, wish } from './scripted-bridge.ts';

const first = '01890a5d-ac96-774b-bcce-b302099a8057';
const other = '01890a5d-0000-774b-bcce-b302099a8057';

describe('a payment that the bridge has known', () => {
  it.each([failure('payment_not_found'), failure('payment_unresolved')])(
    'is not begun again by another call, nor called not started: %o',
    async (lost) => {
      const { client, clock, commands } = scripted([standing('in_progress'), lost]);
      expect(await clock.run(client.pay(wish), 'the first end')).toMatchObject({ outcome: 'unknown' });
      expect(await clock.run(client.pay(wish), 'the second end')).toMatchObject({ outcome: 'unknown' });
      expect(await clock.run(client.resume('A-1'), 'the third end')).toMatchObject({ outcome: 'unknown' });
      expect(await clock.run(client.query('A-1'), 'the query')).toMatchObject({ outcome: 'unknown' });
      expect(commands().filter((command) => command === 'CreatePayment')).toHaveLength(1);
    },
  );

  it('is not begun again after a query that found it, nor after its end', async () => {
    const { client, clock, commands } = scripted([standing('approved')]);
    await clock.run(client.query('A-1'), 'the query');
    expect(await clock.run(client.pay(wish), 'the first end')).toMatchObject({ outcome: 'approved' });
    expect(await clock.run(client.pay(wish), 'the second end')).toMatchObject({ outcome: 'approved' });
    expect(new Set(commands())).toEqual(new Set(['QueryPayment']));
  });

  it('is not another one under the same reference', async () => {
    const another = standing('approved', { transaction_id: other, approved_amount: '5.00' });
    const { client, clock } = scripted([standing('in_progress'), another]);
    const unknown = { outcome: 'unknown', payment: { transaction_id: first } };
    expect(await clock.run(client.pay(wish), 'the end')).toMatchObject(unknown);
    expect(await clock.run(client.resume('A-1'), 'the end')).toMatchObject({ outcome: 'unknown' });
    expect(await clock.run(client.query('A-1'), 'the query')).toMatchObject({ outcome: 'unknown' });
  });

  it('pays for no other amount, except for what CreatePayment has compared', async () => {
    const part = standing('approved', { approved_amount: '7.50' });
    const { client, clock } = scripted([standing('in_progress'), part]);
    expect(await clock.run(client.pay(wish), 'the end')).toMatchObject({ approvedAmount: '7.50' });
    expect(await clock.run(client.pay(wish), 'the end')).toMatchObject({ approvedAmount: '7.50' });
    const more = { ...wish, amount: '13.00' };
    expect(await clock.run(client.pay(more), 'the end')).toMatchObject({
      outcome: 'unknown',
      code: 'reference_conflict',
    });
    expect(await clock.run(client.resume('A-1'), 'the end')).toMatchObject({ approvedAmount: '7.50' });
  });
});

it('a void of a payment that the bridge has lost may have been done', async () => {
  const lost = failure('payment_not_found', 'not_started');
  const { client, clock } = scripted([standing('approved'), lost]);
  await clock.run(client.query('A-1'), 'the query');
  expect(await clock.run(client.void('A-1'), 'the end')).toMatchObject({ outcome: 'unknown' });
  const never = scripted([lost]);
  expect(await never.clock.run(never.client.void('A-1'), 'the end')).toMatchObject({ outcome: 'not_voided' });
});

describe('a till that starts again', () => {
  it('is given what it has to store', async () => {
    const heard: PayProgress[] = [];
    const { client, clock } = scripted(['lost', standing('in_progress'), standing('approved')]);
    await clock.run(client.pay(wish, { onProgress: (progress) => void heard.push(progress) }), 'the end');
    expect(heard.map(({ transactionId }) => transactionId)).toEqual([null, first]);
  });

  it.each([failure('payment_not_found'), standing('approved', { transaction_id: other })])(
    'and tells the payment that it began does not begin it again: %o',
    async (reply) => {
      for (const call of ['pay', 'resume'] as const) {
        const { client, clock, commands } = scripted([reply]);
        const options = { known: first.toUpperCase() };
        const ended = call === 'pay' ? client.pay(wish, options) : client.resume('A-1', options);
        expect(await clock.run(ended, 'the end')).toMatchObject({ outcome: 'unknown' });
        expect(commands()).toEqual(['QueryPayment']);
      }
    },
  );

  it('gets the end of that payment', async () => {
    const { client, clock } = scripted([standing('approved')]);
    const paid = client.pay(wish, { known: first });
    expect(await clock.run(paid, 'the end')).toMatchObject({ outcome: 'approved', repeated: true });
    await expect(client.resume('A-1', { known: other })).rejects.toThrow(PosInputError);
  });
});
