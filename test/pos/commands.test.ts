/** Cancel, void, close and query: what each answer is worth, and what a till may ask for at all. */
import { describe, expect, it } from 'vitest';
import { createPosClient, PosInputError, type PaymentRequest } from '../../src/pos/index.ts';
import { failure, scripted, standing, wish } from './scripted-bridge.ts';

const batch = {
  batch_number: '17',
  count: 1,
  total: '12.00',
  currency: 'EUR',
  reconciled: true,
  differences: [],
};
const done = { success: true, message: 'Done.' };
const closed = { ...done, batch };

/** Another program on the bridge's port, which knows no more than how to say yes. */
const stranger = { text: '{"success":true,"message":"ok"}', status: 200 };

describe('cancel', () => {
  it.each([
    [failure('cancel_too_late'), 'not_cancelled'],
    [failure('reference_mismatch'), 'not_cancelled'],
    [failure('terminal_timeout'), 'unknown'],
    [failure('internal_error'), 'unknown'],
    ['lost', 'unknown'],
    ['silent', 'unknown'],
    [failure('terminal_error'), 'unknown'],
    [stranger, 'unknown'],
  ] as const)('asks once: %o is %s', async (reply, outcome) => {
    const { client, clock, asked } = scripted([reply]);
    expect(await clock.run(client.cancel('A-1'), 'the end')).toMatchObject({ outcome });
    expect(asked).toMatchObject([{ command: 'CancelPayment', body: { retrieval_reference_number: 'A-1' } }]);
  });

  it.each([
    [standing('cancelled'), 'cancelled'],
    [standing('declined'), 'cancelled'],
    [failure('payment_not_found'), 'cancelled'],
    [standing('approved'), 'unknown'],
    [failure('payment_unresolved'), 'unknown'],
    ['lost', 'unknown'],
  ] as const)('that was done is asked for, too: after %o it is %s', async (reply, outcome) => {
    const { client, clock, commands } = scripted([done, reply]);
    expect(await clock.run(client.cancel('A-1'), 'the end')).toMatchObject({ outcome });
    expect(commands().slice(0, 2)).toEqual(['CancelPayment', 'QueryPayment']);
  });

  it('that came before the payment is sent again after it', async () => {
    const { client, clock, commands } = scripted(async ({ command }, { after }) => {
      if (command === 'CancelPayment')
        return commands().length < 3 ? failure('no_payment_in_progress') : done;
      const isCreate = command === 'CreatePayment';
      if (isCreate) await new Promise<void>((resolve) => void after(2_000, resolve));
      return standing(isCreate ? 'in_progress' : 'cancelled');
    });
    const paid = client.pay(wish);
    expect(await clock.run(client.cancel('A-1'), 'the cancel')).toMatchObject({ outcome: 'unknown' });
    expect(await clock.run(paid, 'the end')).toMatchObject({ outcome: 'cancelled' });
    expect(commands()).toEqual(['CreatePayment', 'CancelPayment', 'CancelPayment', 'QueryPayment']);
  });

  it('that was lost is sent again, and once', async () => {
    const { client, clock, commands } = scripted([
      standing('in_progress'),
      standing('in_progress'),
      'lost',
      standing('in_progress'),
      failure('cancel_too_late'),
      standing('in_progress'),
      standing('approved'),
    ]);
    const paid = client.pay(wish);
    await clock.advance(100);
    expect(await clock.run(client.cancel('A-1'), 'the cancel')).toMatchObject({ outcome: 'unknown' });
    expect(await clock.run(paid, 'the end')).toMatchObject({ outcome: 'approved' });
    expect(commands().filter((command) => command === 'CancelPayment')).toHaveLength(2);
  });

  it('before the bridge was heard makes no old payment of another amount this one', async () => {
    const old = { approved_amount: '5.00', created_at: '2024-06-02T10:20:30.000Z' };
    const { client, clock } = scripted(['lost', 'lost', standing('approved', old)]);
    const paid = client.pay(wish);
    await clock.advance(100);
    await clock.run(client.cancel('A-1'), 'the cancel');
    expect(await clock.run(paid, 'the end')).toMatchObject({ outcome: 'unknown', payment: old });
  });

  it('keeps a payment that no bridge has heard of from being begun later', async () => {
    const { client, clock, commands } = scripted(['lost', 'lost', failure('payment_not_found')]);
    const paid = client.pay(wish);
    await clock.advance(100);
    expect(await clock.run(client.cancel('A-1'), 'the cancel')).toMatchObject({ outcome: 'unknown' });
    expect(await clock.run(paid, 'the end')).toMatchObject({ outcome: 'not_started' });
    expect(commands()).toEqual(['CreatePayment', 'CancelPayment', 'QueryPayment']);
  });

  it('leaves what the bridge has begun after all to be told', async () => {
    const { client, clock } = scripted(['lost', 'lost', standing('approved')]);
    const paid = client.pay(wish);
    await clock.advance(100);
    await clock.run(client.cancel('A-1'), 'the cancel');
    expect(await clock.run(paid, 'the end')).toMatchObject({ outcome: 'approved' });
  });
});

describe('void', () => {
  it('is asked for until the terminal has done it', async () => {
    const { client, clock, asked } = scripted([
      'lost',
      failure('terminal_timeout', 'unknown'),
      done,
      standing('voiding'),
      standing('voided'),
    ]);
    expect(await clock.run(client.void('A-1'), 'the end')).toMatchObject({ outcome: 'voided' });
    expect(asked).toHaveLength(5);
    expect(asked[0]?.headers).toMatchObject({ prefer: 'wait=60' });
  });

  it.each([[[stranger]], [[done, standing('approved')]], [[done, failure('payment_not_found')]]])(
    'is believed only of the bridge, which says so of the payment, too: %o',
    async (replies) => {
      const { client, clock } = scripted(replies);
      expect(await clock.run(client.void('A-1'), 'the end')).toMatchObject({ outcome: 'unknown' });
    },
  );

  it('is refused only by a word for it', async () => {
    const refused = scripted([failure('payment_already_settled', 'not_started')]);
    expect(await refused.clock.run(refused.client.void('A-1'), 'the end')).toMatchObject({
      outcome: 'not_voided',
      code: 'payment_already_settled',
    });
    // With the second one it had not even begun.
    for (const state of ['unknown', 'not_started'] as const) {
      const open = scripted([failure('terminal_timeout', state)]);
      expect(await open.clock.run(open.client.void('A-1'), 'the end', 400_000)).toMatchObject({
        outcome: 'unknown',
        code: 'terminal_timeout',
      });
    }
  });
});

describe('closeDay', () => {
  it('gives the batch', async () => {
    const { client, clock } = scripted([failure('terminal_timeout', 'unknown'), closed]);
    const day = await clock.run(client.closeDay(), 'the end');
    const said = { message: 'Done.', simulated: false };
    expect(day).toEqual({ outcome: 'closed', ...said, batch, repeated: true });
  });

  it('is refused by the first answer, and not asked for again', async () => {
    const first = scripted([failure('terminal_error', 'not_started')]);
    expect(await first.clock.run(first.client.closeDay(), 'the end')).toMatchObject({
      outcome: 'not_closed',
      code: 'terminal_error',
    });
    expect(first.asked).toHaveLength(1);
  });

  const timeout = failure('terminal_timeout', 'unknown');

  it.each([
    ['no answer', 'terminal_error', 'lost'],
    ['a time-out', 'terminal_error', timeout],
    ['a time-out', 'terminal_busy', timeout],
    ['a time-out', 'terminal_unavailable', timeout],
    ['a time-out before it had begun', 'terminal_error', failure('terminal_timeout', 'not_started')],
  ] as const)('after %s is unknown and not refused by %s', async (_, code, first) => {
    const { client, clock } = scripted([first, failure(code, 'not_started')]);
    const day = await clock.run(client.closeDay({ withinMs: 10_000 }), 'the end');
    const said = `An earlier request may have closed the day: look at the terminal. The last answer was: It is ${code}.`;
    expect(day).toEqual({ outcome: 'unknown', code, message: said, simulated: false });
  });

  it('begins no close after one that the terminal refused', async () => {
    const { client, clock, asked } = scripted([timeout, failure('terminal_error', 'not_started'), closed]);
    expect(await clock.run(client.closeDay(), 'the end')).toMatchObject({ outcome: 'unknown' });
    expect(asked).toHaveLength(2);
  });

  it('is asked for again while the bridge asks no terminal', async () => {
    const { client, clock } = scripted([timeout, failure('terminal_busy', 'not_started'), closed]);
    expect(await clock.run(client.closeDay(), 'the end')).toMatchObject({
      outcome: 'closed',
      repeated: true,
    });
  });

  it.each([stranger, done])('is done only with a word about the batch: %o is none', async (reply) => {
    const { client, clock } = scripted([reply]);
    expect(await clock.run(client.closeDay(), 'the end')).toMatchObject({ outcome: 'unknown' });
  });
});

it.each(['void', 'closeDay'] as const)('%s is not asked for again after the computer slept', async (name) => {
  const { client, clock, asked } = scripted(['lost', closed]);
  const call: Promise<{ outcome: string }> = name === 'void' ? client.void('A-1') : client.closeDay();
  await clock.advance(100);
  clock.jump(8 * 3_600_000);
  expect(await clock.run(call, 'the end')).toMatchObject({ outcome: 'unknown' });
  expect(asked).toHaveLength(1);
});

describe('query', () => {
  it.each([
    [standing('unknown'), { outcome: 'found', payment: { transaction_status: 'unknown' } }],
    [failure('payment_not_found'), { outcome: 'not_found' }],
    [failure('unauthorized'), { outcome: 'unknown', code: 'unauthorized' }],
    [failure('payment_unresolved'), { outcome: 'unknown', code: 'payment_unresolved' }],
    ['lost', { outcome: 'unknown', code: null }],
  ] as const)('%o is %o', async (reply, outcome) => {
    const { client, clock } = scripted([reply]);
    expect(await clock.run(client.query('A-1'), 'the end')).toMatchObject(outcome);
  });
});

describe('what is no right request', () => {
  it.each([
    [
      { amount: 12 },
      'amount must be a string with digits, a point and two decimals, such as "12.00", not a number',
    ],
    [{ amount: '12,00' }, 'amount must be a string'],
    [{ amount: '12' }, 'amount must be a string'],
    [{ amount: '-1.00' }, 'amount must be a string'],
    [{ amount: '0.00' }, 'amount must be more than "0.00"'],
    [{ reference: undefined }, 'reference must be 1 to 40 characters'],
    [{ reference: '' }, 'reference must be 1 to 40 characters'],
    [{ reference: 'A 1' }, 'reference must be 1 to 40 characters'],
    [{ conditionCode: '0 0' }, 'conditionCode must be 1 to 8 letters or digits'],
  ])('is refused before anything is sent: %o', async (change, message) => {
    const { client, asked } = scripted(['lost']);
    const failed = client.pay({ ...wish, ...change } as PaymentRequest);
    await expect(failed).rejects.toThrow(PosInputError);
    await expect(failed).rejects.toThrow(message);
    expect(asked).toEqual([]);
  });

  it.each([
    { withinMs: 0 },
    { withinMs: Number.NaN },
    { withinMs: Number.POSITIVE_INFINITY },
    { withinMs: '5' as unknown as number },
    { signal: {} as AbortSignal },
    { known: '42' },
    { onProgress: 'print' as unknown as () => void },
  ])('has options that nobody can follow: %o', async (options) => {
    const { client, asked } = scripted(['lost']);
    await expect(client.pay(wish, options)).rejects.toThrow(PosInputError);
    await expect(client.resume('A-1', options)).rejects.toThrow(PosInputError);
    expect(asked).toEqual([]);
  });

  it.each([
    { url: 'localhost:8080' },
    { url: 'ftp://localhost' },
    { url: 'http://name:word@localhost' },
    { url: 'http://:word@localhost' },
    { url: 'http://localhost:8080/?' },
    { url: 'http://localhost:8080/#' },
    { token: 'two words' },
    { terminal: 'bar\r\nx: y' },
  ])('a client cannot be made of: %o', (options) => {
    expect(() => createPosClient(options)).toThrow(PosInputError);
  });

  it('an address may end with a slash, and a token and a terminal go with every request', async () => {
    const { client, clock, asked } = scripted([done], {
      url: 'http://127.0.0.1:9000/',
      token: 'tb_1',
      terminal: 'bar',
    });
    await clock.run(client.cancel('A-1'), 'the end');
    expect(asked[0]).toMatchObject({
      command: 'CancelPayment',
      headers: { authorization: 'Bearer tb_1', 'x-terminal': 'bar' },
    });
  });
});
