/** Between the request and the journal: a payment that waits for the terminal to be read is never out of sight. */
import { describe, expect, it } from 'vitest';
import { callerNow } from '../../support/callers.ts';
import { closeRigsAfterEach, is, rigUp } from '../../support/rigs.ts';
import type { Rig } from '../../support/rig.ts';

closeRigsAfterEach();

const request = { amountMinor: 1_200, reference: 'A-1', conditionCode: '00' };

/** A rig whose terminal has just begun to be read, and whose answer is held back until `answerNow`. */
async function whileBeingRead(): Promise<{ rig: Rig; answerNow(): void }> {
  const rig = await rigUp();
  let held = true;
  // The frame gets lost; the driver asks again after T2, which is when it may pass.
  rig.tap.loseToTerminal = (thing) => held && (is('0501')(thing) || is('0620')(thing));
  await rig.sale('1.00', 'BEFORE');
  return {
    rig,
    answerNow() {
      held = false;
    },
  };
}

function code(answer: { ok: true } | { ok: false; refusal: { code: string } }): string {
  return answer.ok ? 'ok' : answer.refusal.code;
}

describe('a payment that is being admitted', () => {
  it('is waited for by a query, and starts once the terminal has been read', async () => {
    const { rig, answerNow } = await whileBeingRead();
    const creating = rig.payments.createPayment(request);
    const admission = rig.payments.admission('A-1');
    expect(admission).not.toBeNull();
    expect(rig.payments.paymentState('CreatePayment', 'A-1')).toBe('unknown');
    expect(rig.payments.queryPayment('A-1')).toMatchObject({ ok: false });
    answerNow();
    await rig.clock.run(admission ?? Promise.resolve(), 'the end of the admission');
    expect(rig.payments.queryPayment('A-1')).toMatchObject({ ok: true, value: { status: 'in_progress' } });
    expect(rig.payments.admission('A-1')).toBeNull();
    expect(code(await creating)).toBe('ok');
  });

  it.each([['by its reference', 'A-1'] as const, ['whatever it is', null] as const])(
    'is withdrawn by a cancel %s: nothing is sent, now or later',
    async (_how, reference) => {
      const { rig, answerNow } = await whileBeingRead();
      const creating = rig.payments.createPayment(request);
      const repeating = rig.payments.createPayment(request);
      const cancelled = await rig.payments.cancelPayment(reference);
      expect(cancelled).toEqual({ ok: true, value: { payment: null } });
      // Also the repeat of a POS that lost its patience: it asked for the payment that was withdrawn.
      expect([code(await creating), code(await repeating)]).toEqual(['withdrawn', 'withdrawn']);
      answerNow();
      await rig.ready();
      expect(rig.tap.sent('0601')).toBe(1);
      expect(rig.payments.paymentState('CreatePayment', 'A-1')).toBe('not_started');
      // The reference is free again.
      expect(await rig.sale('12.00', 'A-1')).toBe('approved');
    },
  );

  it('leaves another one alone that a cancel does not name', async () => {
    const { rig, answerNow } = await whileBeingRead();
    const creating = rig.payments.createPayment(request);
    const cancelled = await rig.payments.cancelPayment('B-2');
    expect(!cancelled.ok && cancelled.refusal.code).toBe('no_payment_in_progress');
    answerNow();
    expect(code(await creating)).toBe('ok');
  });

  it('is refused after five seconds in which the terminal says nothing, and leaves its reference free', async () => {
    const { rig } = await whileBeingRead();
    const answer = await rig.payments.createPayment(request);
    expect(['terminal_busy', 'terminal_unavailable']).toContain(code(answer));
    expect(rig.tap.sent('0601')).toBe(1);
    expect(rig.payments.admission('A-1')).toBeNull();
    expect(rig.payments.queryPayment('A-1')).toMatchObject({ ok: false });
  });
});

describe('a request that nobody waits for any more', () => {
  it('starts nothing when its caller has hung up', async () => {
    const rig = await rigUp();
    const caller = callerNow(rig.clock, { gone: () => true });
    expect(code(await rig.payments.createPayment({ ...request, caller }))).toBe('request_expired');
    expect(rig.tap.moneyCommands()).toBe(0);
    expect(rig.payments.queryPayment('A-1')).toMatchObject({ ok: false });
    expect(rig.payments.paymentState('CreatePayment', 'A-1')).toBe('not_started');
  });

  it('starts nothing when the caller hangs up while the terminal is being read', async () => {
    const { rig, answerNow } = await whileBeingRead();
    let gone = false;
    const creating = rig.payments.createPayment({
      ...request,
      caller: callerNow(rig.clock, { gone: () => gone }),
    });
    gone = true;
    answerNow();
    expect(code(await creating)).toBe('request_expired');
    await rig.ready();
    expect(rig.tap.sent('0601')).toBe(1);
  });

  it('starts nothing when it is more than ten seconds old by the elapsed time', async () => {
    const rig = await rigUp();
    const caller = callerNow(rig.clock);
    await rig.clock.advance(10_001);
    expect(code(await rig.payments.createPayment({ ...request, caller }))).toBe('request_expired');
  });

  it('starts nothing when it is more than ten seconds old by the wall clock, which goes on in sleep', async () => {
    const rig = await rigUp();
    const caller = callerNow(rig.clock);
    rig.clock.jump(10_001);
    expect(code(await rig.payments.createPayment({ ...request, caller }))).toBe('request_expired');
    expect(rig.tap.moneyCommands()).toBe(0);
  });

  it('is carried out up to then, and when the clock was set back', async () => {
    const rig = await rigUp();
    const caller = callerNow(rig.clock);
    await rig.clock.advance(9_000);
    rig.clock.jump(-3_600_000);
    expect(code(await rig.payments.createPayment({ ...request, caller }))).toBe('ok');
  });

  it('starts no reversal and no batch either', async () => {
    const rig = await rigUp();
    expect(await rig.sale('12.00', 'A-1')).toBe('approved');
    await rig.ready();
    const caller = callerNow(rig.clock, { gone: () => true });
    const reversal = await rig.payments.voidPayment('A-1', 1_000, caller);
    const batch = await rig.payments.submitBatch(1_000, caller);
    expect([reversal, batch].map((answer) => !answer.ok && answer.refusal.code)).toEqual([
      'request_expired',
      'request_expired',
    ]);
    expect(rig.tap.moneyCommands()).toBe(1);
    expect(rig.payments.paymentState('VoidPayment', 'A-1')).toBe('not_started');
  });

  it('still hears what became of a payment that is known', async () => {
    const rig = await rigUp();
    expect(await rig.sale('12.00', 'A-1')).toBe('approved');
    const caller = callerNow(rig.clock, { gone: () => true });
    expect(await rig.payments.createPayment({ ...request, caller })).toMatchObject({
      ok: true,
      value: { repeated: true },
    });
  });
});

describe('a machine that slept', () => {
  it('polls the terminal before it gives it a payment', async () => {
    const rig = await rigUp();
    // Somebody pays by hand while nobody watches; time stands still for the timers of a sleeping machine.
    rig.simulator.payManually(777);
    rig.clock.jump(8 * 3_600_000);
    const polls = rig.tap.sent('0620');
    expect(await rig.sale('12.00', 'A-1')).toBe('approved');
    expect(rig.tap.sent('0620')).toBeGreaterThan(polls);
    const started = rig.journal
      .eventsAfter(0, 1_000)
      .map(({ event }) => event)
      .find((event) => event.type === 'operation_started');
    expect(started?.type === 'operation_started' && started.baseline).toMatchObject({
      kind: 'record',
      record: { amountMinor: 777 },
    });
  });
});

describe('an open discrepancy', () => {
  const found = (amountMinor: number | null, kind: 'unexplained_payment' | 'journal_loss') => ({
    type: 'discrepancy_found' as const,
    discrepancyId: '01a1ffe8-3316-7291-ad76-0000000000d1',
    kind,
    operationId: null,
    references: [],
    amountMinor,
    currency: 'EUR' as const,
    record: null,
    message: 'The terminal shows a payment of 12.00 EUR that Tillbridge did not cause.',
  });
  const acknowledged = {
    discrepancyId: '01a1ffe8-3316-7291-ad76-0000000000d1',
    by: 'Kim',
    reason: 'paid twice',
  };

  it('holds back a new sale of exactly its amount until a person has seen it', async () => {
    const rig = await rigUp();
    rig.journal.append(found(1_200, 'unexplained_payment'));
    const answer = await rig.payments.createPayment(request);
    expect(code(answer)).toBe('payment_unresolved');
    expect(!answer.ok && answer.refusal.message).toContain(acknowledged.discrepancyId);
    expect(!answer.ok && answer.refusal.paymentState).toBe('unknown');
    expect(await rig.sale('12.10', 'B-2')).toBe('approved');
    await rig.ready();
    expect(rig.payments.acknowledge(acknowledged)).toMatchObject({ ok: true });
    expect(await rig.sale('12.00', 'A-1')).toBe('approved');
  });

  it('holds back every sale after a loss of the journal', async () => {
    const rig = await rigUp();
    rig.journal.append(found(null, 'journal_loss'));
    expect(code(await rig.payments.createPayment(request))).toBe('payment_unresolved');
    expect(code(await rig.payments.createPayment({ ...request, amountMinor: 100, reference: 'B' }))).toBe(
      'payment_unresolved',
    );
    expect(rig.tap.moneyCommands()).toBe(0);
    // What the journal does not know may be what it has lost.
    expect(rig.payments.paymentState('CreatePayment', 'A-1')).toBe('unknown');
    expect(rig.payments.paymentState('VoidPayment', 'A-1')).toBe('unknown');
    expect(code(rig.payments.queryPayment('A-1'))).toBe('payment_unresolved');
    expect(rig.payments.acknowledge(acknowledged)).toMatchObject({ ok: true });
    expect(code(rig.payments.queryPayment('A-1'))).toBe('payment_not_found');
    expect(rig.payments.paymentState('CreatePayment', 'A-1')).toBe('not_started');
    expect(code(await rig.payments.createPayment(request))).toBe('ok');
  });

  it('keeps nobody from hearing of a payment that is known, and is acknowledged once, with name and reason', async () => {
    const rig = await rigUp();
    expect(await rig.sale('12.00', 'A-1')).toBe('approved');
    await rig.ready();
    rig.journal.append(found(1_200, 'unexplained_payment'));
    expect(await rig.payments.createPayment(request)).toMatchObject({ ok: true, value: { repeated: true } });
    expect(rig.payments.acknowledge({ ...acknowledged, by: ' ' })).toMatchObject({ ok: false });
    expect(rig.payments.acknowledge({ ...acknowledged, reason: '' })).toMatchObject({ ok: false });
    expect(rig.payments.status().discrepancies).toBe(1);
    expect(rig.payments.acknowledge(acknowledged)).toMatchObject({ ok: true });
    expect(rig.payments.acknowledge(acknowledged)).toMatchObject({ ok: false });
    expect(rig.payments.status().discrepancies).toBe(0);
  });
});
