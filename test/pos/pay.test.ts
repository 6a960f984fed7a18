/** What `pay` makes of each answer, and of none: it ends with what is known, or says that nobody can tell. */
import { describe, expect, it, vi } from 'vitest';
import type { PayProgress } from '../../src/pos/index.ts';
import { expectOneReference, failure, scripted, standing, wish, type Reply } from './scripted-bridge.ts';

const simulated = { 'x-simulated': 'true' };

/** Longer than `pay` asks when nothing else is said. */
const wholeMs = 6 * 60_000;

function payAgainst(replies: readonly Reply[]) {
  const bridge = scripted(replies);
  const paid = bridge.clock.run(bridge.client.pay(wish), 'the end of the payment', wholeMs);
  return { bridge, paid };
}

describe('a payment', () => {
  it('is asked for once it is begun, and begun once', async () => {
    const { bridge, paid } = payAgainst([standing('in_progress'), standing('approved')]);
    expect(await paid).toMatchObject({ outcome: 'approved', approvedAmount: '12.00', reference: 'A-1' });
    expect(bridge.commands()).toEqual(['CreatePayment', 'QueryPayment']);
    expect(bridge.asked[0]?.headers).not.toHaveProperty('prefer');
    expect(bridge.asked[1]?.headers).toMatchObject({ prefer: 'wait=60', 'x-api-version': 'v1' });
  });

  it('has the amount that was approved, not the one that was asked for', async () => {
    const { paid } = payAgainst([standing('in_progress'), standing('approved', { approved_amount: '7.50' })]);
    expect(await paid).toMatchObject({ outcome: 'approved', approvedAmount: '7.50' });
  });

  it.each([
    ['approved', 'approved'],
    ['settled', 'approved'],
    ['declined', 'declined'],
    ['cancelled', 'cancelled'],
    ['failed', 'failed'],
    ['voided', 'voided'],
  ])('that is %s ends as %s', async (status, outcome) => {
    const { paid } = payAgainst([standing('in_progress'), standing(status)]);
    expect(await paid).toMatchObject({ outcome, payment: { transaction_status: status } });
  });

  it.each(['in_progress', 'unknown', 'voiding', 'a status of tomorrow'])(
    'that is %s is asked for until its time is over, and is unknown then',
    async (status) => {
      const { bridge, paid } = payAgainst([standing(status)]);
      expect(await paid).toMatchObject({ outcome: 'unknown', message: `It is ${status}.` });
      expect(bridge.clock.elapsed()).toBe(5 * 60_000);
      expectOneReference(bridge);
    },
  );

  it('is repeated with its own reference when nothing is heard, and then asked for', async () => {
    const { bridge, paid } = payAgainst([
      'lost',
      'silent',
      { text: '<h1>Bad Gateway</h1>', status: 502 },
      { text: '{"success": true, "mess', status: 200 },
      standing('in_progress', { repeated: true }),
      'lost',
      standing('approved'),
    ]);
    expect(await paid).toMatchObject({ outcome: 'approved' });
    expect(bridge.commands()).toEqual([
      ...Array.from({ length: 5 }, () => 'CreatePayment'),
      'QueryPayment',
      'QueryPayment',
    ]);
    expectOneReference(bridge);
  });

  it.each(['lost', 'silent'] as const)('that gets no answer (%s) is unknown', async (reply) => {
    const { bridge, paid } = payAgainst([reply]);
    expect(await paid).toMatchObject({ outcome: 'unknown', code: null, payment: null });
    expectOneReference(bridge);
  });

  it('was not started only when the bridge says so', async () => {
    const { bridge, paid } = payAgainst([failure('terminal_busy', 'not_started')]);
    expect(await paid).toMatchObject({ outcome: 'not_started', code: 'terminal_busy' });
    expect(bridge.commands()).toEqual(['CreatePayment']);
  });

  it.each([
    failure('terminal_busy', 'unknown'),
    failure('journal_unavailable', 'unknown'),
    failure('payment_not_found'),
    failure('terminal_unavailable'),
  ])('is asked for again after a failure that is no refusal', async (reply) => {
    const { bridge, paid } = payAgainst([reply, standing('approved'), standing('approved')]);
    expect(await paid).toMatchObject({ outcome: 'approved' });
    expectOneReference(bridge);
  });

  it.each(['unauthorized', 'reference_conflict', 'origin_not_allowed', 'payment_unresolved'])(
    'is unknown at once when asking again is of no use (%s)',
    async (code) => {
      const { bridge, paid } = payAgainst([failure(code, 'unknown')]);
      expect(await paid).toMatchObject({ outcome: 'unknown', code });
      expect(bridge.asked).toHaveLength(1);
    },
  );

  it('that the bridge has known and knows no more is unknown, and is not begun again', async () => {
    const { bridge, paid } = payAgainst([standing('in_progress'), failure('payment_not_found')]);
    expect(await paid).toMatchObject({
      outcome: 'unknown',
      code: 'payment_not_found',
      payment: { transaction_status: 'in_progress' },
    });
    expect(bridge.commands()).toEqual(['CreatePayment', 'QueryPayment']);
  });

  it('that was decided long ago is asked for until its receipt and its discrepancy are told', async () => {
    const receipt = { receipt: { lines: ['CARD PAYMENT'] } };
    const repeated = standing('approved', { repeated: true });
    const told = payAgainst([repeated, 'lost', 'lost', standing('approved', receipt)]);
    expect(await told.paid).toMatchObject({ outcome: 'approved', payment: receipt });
    const untold = await payAgainst([repeated, 'lost']).paid;
    expect(untold).toMatchObject({ outcome: 'unknown', payment: { transaction_status: 'approved' } });
    expect('payment' in untold && untold.payment).not.toHaveProperty('discrepancy');
  });

  it.each([
    ['declined', 'contradicted_outcome', 'unknown'],
    ['approved', 'contradicted_outcome', 'unknown'],
    ['failed', 'late_result_refused', 'unknown'],
    ['approved', 'unexplained_reversal', 'unknown'],
    ['declined', 'unexplained_payment', 'unknown'],
    ['failed', 'amount_differs', 'unknown'],
    ['approved', 'a kind of tomorrow', 'unknown'],
    ['approved', 'amount_differs', 'approved'],
    ['settled', 'batch_differs', 'approved'],
    ['approved', 'unseen_records', 'approved'],
  ])('that is %s, and of which the terminal tells %s, is %s', async (status, kind, outcome) => {
    const discrepancy = { id: 'd', kind, message: 'They do not agree.', found_at: '' };
    const { paid } = payAgainst([standing(status), standing(status, { discrepancy })]);
    expect(await paid).toMatchObject({ outcome, payment: { transaction_status: status, discrepancy } });
  });

  it('tells whether it may be an old one, and when it was asked for', async () => {
    const created_at = '2024-06-02T10:20:30.000Z';
    const old = standing('approved', { repeated: true, created_at });
    expect(await payAgainst([old]).paid).toMatchObject({ repeated: true, createdAt: created_at });
    const fresh = payAgainst([standing('in_progress'), standing('approved', { created_at })]);
    expect(await fresh.paid).toMatchObject({ repeated: false, createdAt: created_at });
  });

  it('is an old one for who pays with its reference again, once its end was heard', async () => {
    const { client, clock } = scripted([standing('in_progress'), standing('approved')]);
    // Two that wait for one payment have one.
    const paid = [client.pay(wish), client.pay(wish)].map((pay) => clock.run(pay, 'the end'));
    expect(await Promise.all(paid)).toMatchObject([{ repeated: false }, { repeated: false }]);
    expect(await clock.run(client.pay(wish), 'the end')).toMatchObject({
      outcome: 'approved',
      repeated: true,
    });
  });

  it('is no old one for who asks on when its time was over', async () => {
    const { client, clock } = scripted([
      standing('in_progress'),
      standing('in_progress'),
      standing('approved'),
    ]);
    const first = client.pay(wish, { withinMs: 1 });
    expect(await clock.run(first, 'the end')).toMatchObject({ outcome: 'unknown' });
    expect(await clock.run(client.pay(wish), 'the end')).toMatchObject({
      outcome: 'approved',
      repeated: false,
    });
  });

  it('by the simulator says so, also where a terminal answers for it later', async () => {
    const { client, clock } = scripted([standing('in_progress'), standing('approved')], {}, simulated);
    expect(await clock.run(client.pay(wish), 'the end')).toMatchObject({ simulated: true });
    expect(await payAgainst([standing('approved')]).paid).toMatchObject({ simulated: false });
  });

  it('is not what an answer about another one says, or one that tells no amount', async () => {
    for (const wrong of [
      standing('approved', { retrieval_reference_number: 'B-2' }),
      standing('approved', { approved_amount: undefined }),
      { ...(standing('approved') as object), success: 'true' },
      { text: JSON.stringify(standing('approved')), status: 502 },
    ]) {
      const { paid } = payAgainst([wrong]);
      expect(await paid).toMatchObject({ outcome: 'unknown', payment: null });
    }
  });

  it('tells the cashier how it stands, and a fault of who hears it changes nothing', async () => {
    const heard: PayProgress['status'][] = [];
    const fault = new Error('the display is off');
    const reported = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { client, clock } = scripted([
      'lost',
      standing('in_progress'),
      standing('unknown'),
      standing('approved'),
    ]);
    const onProgress = ({ status }: PayProgress) => {
      heard.push(status);
      throw fault;
    };
    expect(await clock.run(client.pay(wish, { onProgress }), 'the end')).toMatchObject({
      outcome: 'approved',
    });
    expect(heard).toEqual([null, 'in_progress', 'unknown']);
    expect(reported.mock.calls).toEqual([[fault], [fault], [fault]]);
    const later = async (progress: PayProgress) => onProgress(progress);
    const again = scripted([standing('in_progress'), standing('approved')]);
    expect(await again.clock.run(again.client.pay(wish, { onProgress: later }), 'the end')).toMatchObject({
      outcome: 'approved',
    });
    expect(reported).toHaveBeenCalledTimes(4);
    reported.mockRestore();
  });
});

it('tells nobody of an end before it holds', async () => {
  const heard: PayProgress[] = [];
  const { client, clock } = scripted([standing('approved', { repeated: true }), standing('approved')]);
  await clock.run(client.pay(wish, { onProgress: (progress) => void heard.push(progress) }), 'the end');
  expect(heard).toMatchObject([{ status: null, transactionId: expect.any(String) as string }]);
});

describe('the time of a payment', () => {
  it('is what the caller gives', async () => {
    const { client, clock } = scripted(['silent']);
    const paid = client.pay(wish, { withinMs: 2_500 });
    expect(await clock.run(paid, 'the end')).toMatchObject({ outcome: 'unknown' });
    expect(clock.elapsed()).toBe(2_500);
  });

  it('ends when the caller gives up, whose payment may go on', async () => {
    const { client, clock, asked } = scripted(['silent']);
    const caller = new AbortController();
    const paid = client.pay(wish, { signal: caller.signal });
    await clock.advance(1_000);
    caller.abort();
    expect(await clock.run(paid, 'the end')).toMatchObject({ outcome: 'unknown' });
    expect(clock.elapsed()).toBe(1_000);
    expect(asked).toHaveLength(1);
  });

  it('is over for a payment not yet begun when the computer has slept meanwhile', async () => {
    const { client, clock, commands } = scripted(['lost', failure('payment_not_found')]);
    const paid = client.pay(wish);
    await clock.advance(100);
    clock.jump(8 * 3_600_000);
    expect(await clock.run(paid, 'the end')).toMatchObject({ outcome: 'not_started' });
    expect(commands()).toEqual(['CreatePayment', 'QueryPayment']);
  });

  it('is over before anything is sent when the caller has given up already', async () => {
    const { client, clock, asked } = scripted([standing('approved')]);
    const paid = client.pay(wish, { signal: AbortSignal.abort() });
    expect(await clock.run(paid, 'the end')).toMatchObject({ outcome: 'unknown' });
    expect(asked).toEqual([]);
  });

  it('is not filled with questions of a bridge that does not wait', async () => {
    const { bridge, paid } = payAgainst([standing('in_progress')]);
    await paid;
    expect(bridge.asked.length).toBeLessThan((5 * 60_000) / 500 + 2);
  });
});

describe('a second call', () => {
  it.each([{}, { conditionCode: '00' }, { amount: '012.00' }])('joins the first one: %o', async (words) => {
    const { client, clock, commands } = scripted([standing('in_progress'), standing('approved')]);
    const both = await clock.run(
      Promise.all([client.pay(wish), client.pay({ ...wish, ...words })]),
      'both ends',
    );
    expect(both.map(({ outcome }) => outcome)).toEqual(['approved', 'approved']);
    expect(commands()).toEqual(['CreatePayment', 'QueryPayment']);
  });

  it('has its own time, signal and progress', async () => {
    const { client, clock } = scripted(['silent', standing('in_progress'), standing('approved')]);
    const end = new AbortController();
    const heard: PayProgress['status'][] = [];
    const first = client.pay(wish, { signal: end.signal });
    const second = client.pay(wish, { onProgress: ({ status }) => void heard.push(status) });
    const third = client.pay(wish, { withinMs: 2_000 });
    await clock.advance(10);
    end.abort();
    expect(await clock.run(first, 'the first end')).toMatchObject({ outcome: 'unknown' });
    expect(clock.elapsed()).toBe(10);
    expect(await clock.run(third, 'the third end')).toMatchObject({ outcome: 'unknown' });
    expect(clock.elapsed()).toBe(2_000);
    expect(await clock.run(second, 'the second end')).toMatchObject({ outcome: 'approved' });
    expect(heard).toEqual([null, 'in_progress']);
  });

  it('that joins who only asks begins the payment, for its own amount', async () => {
    const answer = ({ command }: { command: string }) =>
      command === 'CreatePayment' ? standing('in_progress') : failure('payment_not_found');
    const { client, clock, asked } = scripted(answer);
    const both = Promise.all([client.resume('A-1'), client.pay(wish)]);
    await clock.run(both, 'both ends');
    expect(asked[1]).toMatchObject({ command: 'CreatePayment', body: { amount: '12.00' } });
  });

  it('that joins who asks for an old payment is not paid by it', async () => {
    const old = { approved_amount: '5.00', created_at: '2024-06-02T10:20:30.000Z' };
    const { client, clock } = scripted([standing('unknown'), standing('approved', old)]);
    const both = Promise.all([client.resume('A-1'), client.pay(wish)]);
    const [resumed, paid] = await clock.run(both, 'both ends');
    expect(resumed).toMatchObject({ outcome: 'approved', approvedAmount: '5.00' });
    expect(paid).toMatchObject({ outcome: 'unknown', code: 'reference_conflict', payment: old });
  });

  it('with another amount is a fault of the till', async () => {
    const { client, clock, commands } = scripted([standing('in_progress'), standing('approved')]);
    const first = client.pay(wish);
    await expect(client.pay({ ...wish, amount: '13.00' })).rejects.toThrow(
      'another payment that is under way',
    );
    expect(await clock.run(first, 'the end')).toMatchObject({ outcome: 'approved' });
    expect(commands()).toEqual(['CreatePayment', 'QueryPayment']);
  });

  it('after the end asks anew', async () => {
    const { client, clock, commands } = scripted([failure('terminal_busy', 'not_started')]);
    await clock.run(client.pay(wish), 'the end');
    await clock.run(client.pay({ ...wish, amount: '13.00' }), 'the second end');
    expect(commands()).toEqual(['CreatePayment', 'CreatePayment']);
  });
});

describe('resume', () => {
  it('starts nothing', async () => {
    const { client, clock, commands } = scripted(['lost', standing('in_progress'), standing('declined')]);
    expect(await clock.run(client.resume('A-1'), 'the end')).toMatchObject({ outcome: 'declined' });
    expect(new Set(commands())).toEqual(new Set(['QueryPayment']));
  });

  it('does not say so while a person has something to decide that may be this payment', async () => {
    const { client, clock, asked } = scripted([failure('payment_unresolved')]);
    expect(await clock.run(client.resume('A-1'), 'the end')).toMatchObject({
      outcome: 'unknown',
      code: 'payment_unresolved',
    });
    expect(asked).toHaveLength(1);
  });

  it('says when the payment was never begun', async () => {
    const { client, clock } = scripted([failure('payment_not_found')]);
    expect(await clock.run(client.resume('A-1'), 'the end')).toMatchObject({ outcome: 'not_started' });
  });
});
