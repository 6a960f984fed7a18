import { createVirtualClock } from '../../support/virtual-clock.ts';
import { describe, expect, it } from 'vitest';
import { refuse } from '../../../src/contract/errors.ts';
import {
  createPaymentResponseSchema,
  failureResponseSchema,
  plainResponseSchema,
  queryPaymentResponseSchema,
  submitBatchResponseSchema,
} from '../../../src/contract/http-commands.ts';
import { approvedRecord } from '../../support/memory-payments.ts';
import { post, send } from './http.ts';
import { until } from '../../support/until.ts';
import { startListener } from './set-up.ts';

const sale = { amount: '12.00', retrieval_reference_number: 'A-1' };
const named = { retrieval_reference_number: 'A-1' };
const never = new Promise<never>(() => {});

describe('CreatePayment', () => {
  it('answers as soon as the payment is durable, without waiting for the card', async () => {
    const { port, payments } = await startListener();
    const answer = await post(port, '/CreatePayment', { ...sale, condition_code: '05' });
    expect(answer.status).toBe(200);
    expect(createPaymentResponseSchema.parse(answer.json)).toMatchObject({
      success: true,
      message: '12.00 EUR is at the terminal; it is not decided yet.',
      retrieval_reference_number: 'A-1',
      condition_code: '05',
      transaction_status: 'in_progress',
    });
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(payments.asked).toEqual(['createPayment']);
  });

  it('says of a repeated reference that nothing new was started, and how to try again after a decline', async () => {
    const { port, payments } = await startListener();
    const first = await post(port, '/CreatePayment', sale);
    payments.decide('A-1', 'declined', { reason: 'The issuer says no' });
    const again = await post(port, '/CreatePayment', sale);
    expect(again.status).toBe(200);
    expect(again.json).toMatchObject({
      success: true,
      message:
        '12.00 EUR declined; no money was taken. The issuer says no. This reference was used before, so nothing new was started. For a new attempt use a new reference.',
      transaction_id: first.json['transaction_id'],
      transaction_status: 'declined',
    });
  });

  it('makes a reference only where the setting says so', async () => {
    const strict = await startListener();
    const refused = await post(strict.port, '/CreatePayment', { amount: '12.00' });
    expect(refused.status).toBe(400);
    expect(refused.json.issues).toEqual([
      { path: 'retrieval_reference_number', message: expect.stringContaining('would be a second sale') },
    ]);
    expect(strict.payments.asked).toEqual([]);

    const lenient = await startListener({ makeReferences: true });
    const made = await post(lenient.port, '/CreatePayment', { amount: '12.00' });
    expect(made.json).toMatchObject({ success: true, retrieval_reference_number: '000000000001' });
  });

  it('waits for the decision with Prefer, and says so', async () => {
    const { port, payments } = await startListener();
    const waiting = post(port, '/CreatePayment', sale, { headers: { prefer: 'wait=60' } });
    await until(() => payments.waiting === 1);
    payments.decide('A-1', 'approved', { result: approvedRecord({ amountMinor: 1_320 }) });
    const answer = await waiting;
    expect(answer.json).toMatchObject({
      transaction_status: 'approved',
      approved_amount: '13.20',
      message: '13.20 EUR approved, of 12.00 EUR that were asked for.',
    });
    expect(answer.headers['preference-applied']).toBe('wait=60');
    expect(answer.json).not.toHaveProperty('repeated');
    expect(payments.asked).toEqual(['createPayment', 'waitForNews 60000']);
  });

  it.each([
    ['reference_conflict', 409],
    ['terminal_busy', 409],
    ['payment_unresolved', 409],
    ['terminal_unavailable', 503],
    ['journal_unavailable', 503],
  ] as const)('passes on %s as %i', async (code, status) => {
    const { port, payments } = await startListener();
    payments.refuseWith(code);
    const answer = await post(port, '/CreatePayment', sale);
    expect(answer.status).toBe(status);
    expect(failureResponseSchema.parse(answer.json)).toEqual({
      success: false,
      message: `Refused with ${code}.`,
      code,
      payment_state: code === 'journal_unavailable' ? 'unknown' : 'not_started',
    });
  });
});

describe('QueryPayment', () => {
  it('answers the receipt of what was approved', async () => {
    const { port, payments } = await startListener();
    await post(port, '/CreatePayment', sale);
    payments.decide('A-1', 'approved', {
      result: approvedRecord({ amountMinor: 1_000 }),
      completedAt: '2024-06-03T10:20:31.000Z',
      receiptLines: ['Thank you'],
    });
    const answer = await post(port, '/QueryPayment', { retrieval_reference_number: 'A-1' });
    expect(answer.status).toBe(200);
    expect(queryPaymentResponseSchema.parse(answer.json)).toMatchObject({
      success: true,
      message: '10.00 EUR approved, of 12.00 EUR that were asked for.',
      condition_code: '00',
      transaction_status: 'approved',
      receipt: {
        amount: '10.00',
        currency: 'EUR',
        approval_code: 'A1B2C3',
        masked_card_number: '541333******0019',
        card_scheme: 'Mastercard',
        entry_mode: 'contactless',
        signature_required: false,
        terminal_id: '52500041',
        merchant_id: '12345',
        trace_number: '000021',
        receipt_number: '0007',
        batch_number: null,
        host_response_code: '00',
        host_response_text: 'OK',
        completed_at: '2024-06-03T10:20:31.000Z',
        lines: ['Thank you'],
      },
    });
  });

  it('has no receipt before the terminal said anything, and no approved amount after a decline', async () => {
    const { port, payments } = await startListener();
    await post(port, '/CreatePayment', sale);
    const before = await post(port, '/QueryPayment', { retrieval_reference_number: 'A-1' });
    expect(before.json['receipt']).toBeNull();
    payments.decide('A-1', 'declined', { result: approvedRecord({ approved: false, approvalCode: null }) });
    const after = await post(port, '/QueryPayment', { retrieval_reference_number: 'A-1' });
    expect(after.json['receipt']).toMatchObject({ amount: null, currency: null, trace_number: '000021' });
  });

  it('answers 404 for a reference that nobody gave', async () => {
    const { port } = await startListener();
    const answer = await post(port, '/QueryPayment', { retrieval_reference_number: 'B-1' });
    expect(answer.status).toBe(404);
    expect(failureResponseSchema.parse(answer.json).code).toBe('payment_not_found');
    expect(answer.headers['preference-applied']).toBeUndefined();
  });

  it('waits no longer than 120 s, and at once when the payment is decided', async () => {
    const { port, payments } = await startListener();
    await post(port, '/CreatePayment', sale);
    const query = () =>
      post(
        port,
        '/QueryPayment',
        { retrieval_reference_number: 'A-1' },
        { headers: { prefer: 'wait=9999' } },
      );
    const waiting = query();
    await until(() => payments.waiting === 1);
    expect(payments.asked).toContain('waitForNews 120000');
    payments.decide('A-1', 'approved');
    expect((await waiting).headers['preference-applied']).toBe('wait=120');
    payments.asked.length = 0;
    expect((await query()).headers['preference-applied']).toBe('wait=120');
    expect(payments.asked).toEqual(['queryPayment']);
  });

  it('says at once that nobody can tell any more, and waits for the decision when asked again', async () => {
    const { port, payments } = await startListener();
    const waits = { headers: { prefer: 'wait=60' } };
    const first = post(port, '/CreatePayment', sale, waits);
    await until(() => payments.waiting === 1);
    payments.decide('A-1', 'unknown', { reason: 'The terminal fell silent.' });
    expect((await first).json).toMatchObject({ success: true, transaction_status: 'unknown' });
    const again = [
      post(port, '/CreatePayment', sale, waits),
      post(port, '/QueryPayment', { retrieval_reference_number: 'A-1' }, waits),
    ];
    await until(() => payments.waiting === 2);
    payments.decide('A-1', 'approved');
    for (const answer of await Promise.all(again))
      expect(answer.json).toMatchObject({ success: true, transaction_status: 'approved' });
  });

  it('answers what it knows after the wait is over', async () => {
    const clock = createVirtualClock();
    const { port, payments } = await startListener({ clock });
    await post(port, '/CreatePayment', sale);
    payments.decide('A-1', 'unknown', { reason: 'The line was lost' });
    let over = false;
    const waiting = post(
      port,
      '/QueryPayment',
      { retrieval_reference_number: 'A-1' },
      { headers: { prefer: 'wait=1' } },
    ).finally(() => (over = true));
    await until(() => payments.waiting === 1);
    await clock.advance(999);
    expect([payments.waiting, over]).toEqual([1, false]);
    await clock.advance(1);
    const answer = await waiting;
    expect(answer.json).toMatchObject({
      success: true,
      transaction_status: 'unknown',
      message:
        'It is not known yet whether 12.00 EUR was taken; do not take it again before this is decided. The line was lost.',
    });
  });

  it('frees the waiter when the caller goes, and cancels nothing', async () => {
    const { port, payments } = await startListener();
    await post(port, '/CreatePayment', sale);
    const caller = new AbortController();
    const waiting = post(
      port,
      '/QueryPayment',
      { retrieval_reference_number: 'A-1' },
      { headers: { prefer: 'wait=60' }, signal: caller.signal },
    );
    await until(() => payments.waiting === 1);
    caller.abort();
    await expect(waiting).rejects.toThrow(/abort/i);
    await until(() => payments.waiting === 0);
    expect(payments.asked).not.toContain('cancelPayment');
  });

  it('applies only so many waits at once, and answers the others at once', async () => {
    const { port, payments } = await startListener({ limits: { maxLongPolls: 2 } });
    await post(port, '/CreatePayment', sale);
    const query = () =>
      post(port, '/QueryPayment', { retrieval_reference_number: 'A-1' }, { headers: { prefer: 'wait=60' } });
    const waiting = [query(), query()];
    await until(() => payments.waiting === 2);
    const third = await query();
    expect(third.json['transaction_status']).toBe('in_progress');
    expect(third.headers['preference-applied']).toBeUndefined();
    payments.decide('A-1', 'approved');
    for (const answer of await Promise.all(waiting))
      expect(answer.json['transaction_status']).toBe('approved');
  });

  it('says when the payment was first asked for, and how much was taken', async () => {
    const { port, payments } = await startListener();
    const created = await post(port, '/CreatePayment', sale);
    expect(created.json).toMatchObject({ created_at: '2024-06-03T10:20:30.000Z' });
    expect(created.json).not.toHaveProperty('approved_amount');
    expect(created.json).not.toHaveProperty('repeated');

    payments.decide('A-1', 'approved', { result: approvedRecord({ amountMinor: 1_320 }) });
    const again = await post(port, '/CreatePayment', sale);
    expect(again.json).toMatchObject({
      repeated: true,
      approved_amount: '13.20',
      created_at: '2024-06-03T10:20:30.000Z',
    });
    const asked = await post(port, '/QueryPayment', named);
    expect(asked.json).toMatchObject({
      approved_amount: '13.20',
      created_at: '2024-06-03T10:20:30.000Z',
    });
    expect(asked.json).not.toHaveProperty('repeated');
  });

  it('waits for a payment that is being admitted, instead of saying that there is none', async () => {
    const { port, payments } = await startListener();
    const { promise, resolve } = Promise.withResolvers<void>();
    let admission: Promise<void> | null = promise;
    const admitted = () => {
      admission = null;
      resolve();
    };
    const waitedFor: string[] = [];
    payments.answers.admission = (named) => {
      waitedFor.push(named);
      return admission;
    };
    let answered = false;
    const asking = post(port, '/QueryPayment', named).finally(() => (answered = true));
    await until(() => waitedFor.length === 1);
    await payments.createPayment({ amountMinor: 1_200, reference: 'A-1', conditionCode: '00' });
    // A whole round trip later it still waits.
    await send(port, '/health');
    expect(answered).toBe(false);
    admitted();
    expect((await asking).json).toMatchObject({ success: true, transaction_status: 'in_progress' });
    expect(new Set(waitedFor)).toEqual(new Set(['A-1']));
  });
});

describe('CancelPayment', () => {
  it('hands on the reference, or that there is none', async () => {
    const { port, payments } = await startListener();
    await post(port, '/CreatePayment', sale);
    const references: (string | null)[] = [];
    const found = payments.queryPayment('A-1');
    if (!found.ok) throw new Error('no payment');
    payments.answers.cancelPayment = (reference) => {
      references.push(reference);
      return Promise.resolve({ ok: true, value: { payment: { ...found.value, status: 'cancelled' } } });
    };
    const any = await post(port, '/CancelPayment', {});
    expect(plainResponseSchema.strict().parse(any.json)).toEqual({
      success: true,
      message: 'The payment has ended: 12.00 EUR cancelled; no money was taken.',
    });
    await post(port, '/CancelPayment', { retrieval_reference_number: 'A-1' });
    expect(references).toEqual([null, 'A-1']);
  });

  it('of a payment that has not started says that nothing was sent', async () => {
    const { port, payments } = await startListener();
    payments.answers.cancelPayment = () => Promise.resolve({ ok: true, value: { payment: null } });
    const answer = await post(port, '/CancelPayment', named);
    expect([answer.status, answer.json]).toEqual([
      200,
      { success: true, message: 'The payment was withdrawn; nothing was sent to the terminal.' },
    ]);
  });
});

describe('VoidPayment and SubmitBatch', () => {
  it('waits 60 s as a rule, as long as preferred, and at most 300 s', async () => {
    const { port, payments } = await startListener();
    await post(port, '/CreatePayment', sale);
    const body = { retrieval_reference_number: 'A-1' };
    const usual = await post(port, '/VoidPayment', body);
    const preferred = await post(port, '/VoidPayment', body, { headers: { prefer: 'wait=5' } });
    const capped = await post(port, '/SubmitBatch', {}, { headers: { prefer: 'wait=4000' } });
    await post(port, '/SubmitBatch', {});
    expect(payments.asked.slice(1)).toEqual([
      'voidPayment 60000',
      'voidPayment 5000',
      'submitBatch 300000',
      'submitBatch 60000',
    ]);
    expect(usual.headers['preference-applied']).toBeUndefined();
    expect(preferred.headers['preference-applied']).toBe('wait=5');
    expect(capped.headers['preference-applied']).toBe('wait=300');
    expect(plainResponseSchema.strict().parse(usual.json)).toEqual({
      success: true,
      message: '12.00 EUR reversed; the customer gets the money back.',
    });
  });

  it('answers the batch in wire form, and null when there was nothing to settle', async () => {
    const { port, payments } = await startListener();
    const nothing = await post(port, '/SubmitBatch', {});
    expect(submitBatchResponseSchema.parse(nothing.json)).toEqual({
      success: true,
      message: 'There was nothing to settle.',
      batch: null,
    });
    payments.answers.submitBatch = () =>
      Promise.resolve({
        ok: true,
        value: {
          text: 'Batch 3 closed.',
          batch: {
            batchNumber: '3',
            count: 2,
            totalMinor: 2_405,
            currency: 'EUR',
            reconciled: false,
            differences: [
              {
                scheme: 'visa',
                terminalCount: 2,
                terminalTotalMinor: 2_405,
                journalCount: 1,
                journalTotalMinor: 1_200,
              },
            ],
            totals: [],
          },
        },
      });
    const closed = await post(port, '/SubmitBatch', {});
    expect(submitBatchResponseSchema.parse(closed.json).batch).toEqual({
      batch_number: '3',
      count: 2,
      total: '24.05',
      currency: 'EUR',
      reconciled: false,
      differences: [
        {
          scheme: 'visa',
          terminal_count: 2,
          terminal_total: '24.05',
          journal_count: 1,
          journal_total: '12.00',
        },
      ],
    });
  });
});

describe('a refusal of payments', () => {
  it.each([
    ['/CancelPayment', 'no_payment_in_progress', 409],
    ['/CancelPayment', 'reference_mismatch', 409],
    ['/CancelPayment', 'cancel_too_late', 409],
    ['/CancelPayment', 'cancel_not_possible', 409],
    ['/CancelPayment', 'terminal_timeout', 504],
    ['/VoidPayment', 'payment_not_found', 404],
    ['/VoidPayment', 'payment_not_voidable', 409],
    ['/VoidPayment', 'payment_already_settled', 409],
    ['/VoidPayment', 'void_declined', 409],
    ['/VoidPayment', 'terminal_timeout', 504],
    ['/VoidPayment', 'terminal_error', 502],
    ['/SubmitBatch', 'terminal_busy', 409],
    ['/SubmitBatch', 'terminal_error', 502],
  ] as const)('%s: %s is passed on as %i', async (path, code, status) => {
    const { port, payments } = await startListener();
    const refused = () => Promise.resolve(refuse(code, 'No.'));
    Object.assign(payments.answers, { cancelPayment: refused, voidPayment: refused, submitBatch: refused });
    const answer = await post(port, path, path === '/SubmitBatch' ? {} : named);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });
});

describe('every response', () => {
  it('says that it is simulated while the simulator is the terminal, also in failures', async () => {
    const { port, payments } = await startListener();
    payments.setStatus({ terminalChange: { simulated: true } });
    const good = await post(port, '/CreatePayment', sale);
    const bad = await post(port, '/CreatePayment', 'nonsense');
    const blocked = await post(port, '/CreatePayment', sale, { headers: { host: 'evil.example' } });
    const lost = await post(port, '/Nowhere', {});
    for (const answer of [good, bad, blocked, lost]) {
      expect(answer.json.message).toMatch(/^SIMULATED: \S/);
      expect(answer.headers['x-simulated']).toBe('true');
    }
    payments.setStatus({ terminalChange: { simulated: false } });
    const real = await post(port, '/CreatePayment', sale);
    expect(real.json.message).not.toContain('SIMULATED');
    expect(real.headers['x-simulated']).toBeUndefined();
  });

  it('carries a sane request id of the caller, and one of its own in place of another', async () => {
    const { port, lines } = await startListener();
    const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    const idFor = async (id: string | string[]) =>
      (await post(port, '/QueryPayment', {}, { headers: { 'x-request-id': id } })).headers['x-request-id'];
    expect(await idFor('till-7/000123')).toBe('till-7/000123');
    expect(lines.some(({ fields }) => fields['request_id'] === 'till-7/000123')).toBe(true);
    expect(await idFor('x'.repeat(129))).toMatch(uuid);
    expect(await idFor('two words')).toMatch(uuid);
    expect(await idFor(['a', 'b'])).toMatch(uuid);
    expect((await post(port, '/QueryPayment', {})).headers['x-request-id']).toMatch(uuid);
  });

  it('is in the log with its request, its code and the reference', async () => {
    const { port, lines } = await startListener();
    await post(port, '/CreatePayment', sale, { headers: { 'x-request-id': 'r-1' } });
    await post(
      port,
      '/QueryPayment',
      { retrieval_reference_number: 'B-1' },
      { headers: { 'x-request-id': 'r-2' } },
    );
    await post(
      port,
      '/QueryPayment',
      { retrieval_reference_number: 'A-1' },
      { headers: { 'x-request-id': 'r-3' } },
    );
    const about = (id: string) => lines.find(({ fields }) => fields['request_id'] === id);
    expect(about('r-1')).toMatchObject({
      level: 'info',
      fields: { status: 200, reference: 'A-1', source: 'listener' },
    });
    expect(about('r-2')).toMatchObject({ level: 'info', fields: { status: 404, code: 'payment_not_found' } });
    // A till that polls would push everything else out of the log.
    expect(about('r-3')?.level).toBe('debug');
  });

  it('keeps a fault of the bridge to itself, but for the request id', async () => {
    const { port, payments, lines } = await startListener();
    payments.breakNext();
    const answer = await post(port, '/CreatePayment', sale, { headers: { 'x-request-id': 'r-1' } });
    expect(answer.status).toBe(500);
    expect(answer.json).toEqual({
      success: false,
      code: 'internal_error',
      payment_state: 'unknown',
      message: expect.stringContaining('r-1'),
    });
    expect(answer.text).not.toContain('secret detail');
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 'error',
        fields: expect.objectContaining({
          request_id: 'r-1',
          err: expect.objectContaining({ message: expect.stringContaining('secret detail') }),
        }),
      }),
    );
    expect((await post(port, '/CreatePayment', sale)).status).toBe(200);
  });
});

describe('a stop', () => {
  it('ends waits at once with what is known', async () => {
    const { port, payments, listener } = await startListener({ limits: { stopGraceMs: 600_000 } });
    await post(port, '/CreatePayment', sale);
    const waiting = post(
      port,
      '/QueryPayment',
      { retrieval_reference_number: 'A-1' },
      { headers: { prefer: 'wait=60' } },
    );
    await until(() => payments.waiting === 1);
    await listener.stop();
    const answer = await waiting;
    expect(answer.json['transaction_status']).toBe('in_progress');
    expect(answer.headers['connection']).toBe('close');
    expect(listener.listening).toBe(false);
    expect(listener.port).toBeNull();
  });

  it('lets a void finish that is quick enough', async () => {
    const { port, payments, listener } = await startListener({ limits: { stopGraceMs: 600_000 } });
    await post(port, '/CreatePayment', sale);
    const finishing = Promise.withResolvers<void>();
    const usual = payments.answers.voidPayment;
    payments.answers.voidPayment = async (reference, waitMs) => {
      await finishing.promise;
      return usual(reference, waitMs);
    };
    const voiding = post(port, '/VoidPayment', { retrieval_reference_number: 'A-1' });
    await until(() => payments.asked.includes('voidPayment 60000'));
    const stopped = listener.stop();
    finishing.resolve();
    expect((await voiding).json['success']).toBe(true);
    await stopped;
  });

  it('answers a time-out to what does not finish, and holds no port afterwards', async () => {
    const { clock, port, payments, listener } = await startListener();
    payments.answers.submitBatch = () => never;
    const batch = post(port, '/SubmitBatch', {});
    await until(() => payments.asked.length === 1);
    await clock.run(listener.stop(), 'the stop');
    const answer = await batch;
    expect([answer.status, answer.json.code]).toEqual([504, 'terminal_timeout']);
    await expect(post(port, '/SubmitBatch', {})).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
