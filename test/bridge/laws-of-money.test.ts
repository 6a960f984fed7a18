/**
 * The laws of money on the whole way from a command to a ZVT terminal: the real engine, journal, driver and simulator, with
 * a tap on the line that counts every copy of every command that moves money. What holds for each protocol is in
 * `laws-of-every-protocol.test.ts`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { JournalWriteError, type Journal } from '../../src/bridge/journal/journal.ts';
import { isDecided } from '../../src/contract/operation.ts';
import { countsOf } from '../support/ledger.ts';
import { closeRigsAfterEach, is, once, payment, rigUp } from '../support/rigs.ts';
import { minorUnits } from '../support/rig.ts';
import { tempFolder } from '../support/temp-folder.ts';

closeRigsAfterEach();

describe('the link', () => {
  it('does not repeat a sale whose ACK was lost', async () => {
    const rig = await rigUp();
    rig.tap.loseToBridge = once((thing) => thing.kind === 'ack');
    expect(await rig.sale('12.00', 'A')).toBe('approved');
    expect(rig.tap.sent('0601')).toBe(1);
    expect(countsOf(rig.ledger(), '12.00').charged).toBe(1);
  });

  it('does not repeat a sale into silence, whether it arrived or not', async () => {
    const rig = await rigUp();
    rig.tap.loseToTerminal = is('0601');
    await rig.payments.createPayment({ amountMinor: 1_200, reference: 'LOST', conditionCode: '00' });
    await rig.until(() => rig.status('LOST') === 'failed', 'the end by evidence');
    expect(rig.tap.sent('0601')).toBe(1);
    await rig.ready();
    rig.tap.loseToTerminal = () => false;
    // It arrives, and nothing comes back until the terminal has given up waiting for us.
    rig.tap.loseToBridge = () => rig.tap.sent('0601') === 2;
    await rig.payments.createPayment({ amountMinor: 1_300, reference: 'UNHEARD', conditionCode: '00' });
    await rig.until(() => rig.status('UNHEARD') === 'unknown', 'doubt');
    expect(rig.tap.sent('0601')).toBe(2);
    rig.tap.loseToBridge = () => false;
    await rig.until(() => isDecided(rig.status('UNHEARD')), 'the end by evidence');
    expect(rig.tap.sent('0601')).toBe(2);
    const { charged, autoReversed } = countsOf(rig.ledger(), '13.00');
    expect(charged - autoReversed).toBe(rig.status('UNHEARD') === 'approved' ? 1 : 0);
  });

  it('repeats a sale on a NAK, and the terminal charges once', async () => {
    const rig = await rigUp();
    expect(await rig.sale('12.08', 'A')).toBe('approved');
    expect(rig.tap.sent('0601')).toBe(2);
    expect(countsOf(rig.ledger(), '12.08').charged).toBe(1);
  });

  it('repeats its acceptance of a result, not the sale, when that got lost', async () => {
    const rig = await rigUp();
    let resultSeen = false;
    rig.tap.onToBridge = (thing) => {
      if (is('040f')(thing)) resultSeen = true;
    };
    rig.tap.loseToTerminal = once((thing) => resultSeen && is('8000')(thing));
    expect(await rig.sale('12.00', 'A')).toBe('approved');
    expect(rig.tap.sent('0601')).toBe(1);
    expect(countsOf(rig.ledger(), '12.00')).toEqual({ charged: 1, autoReversed: 0, reversed: 0 });
  });

  it('believes the terminal when the acceptance never arrived: it reversed by itself', async () => {
    const rig = await rigUp();
    let resultSeen = false;
    rig.tap.onToBridge = (thing) => {
      if (is('040f')(thing)) resultSeen = true;
    };
    rig.tap.loseToTerminal = (thing) =>
      resultSeen && is('8000')(thing) && countsOf(rig.ledger(), '12.00').charged === 0;
    await rig.payments.createPayment({ amountMinor: 1_200, reference: 'A', conditionCode: '00' });
    await rig.until(
      () => countsOf(rig.ledger(), '12.00').autoReversed === 1,
      'the reversal by the terminal itself',
    );
    await rig.until(() => isDecided(rig.status('A')), 'an end');
    expect(rig.status('A')).toBe('failed');
    expect(rig.tap.sent('0601')).toBe(1);
    expect(countsOf(rig.ledger(), '12.00')).toEqual({ charged: 1, autoReversed: 1, reversed: 0 });
  });
});

describe('evidence', () => {
  it('tells by the record whether a lost result was reversed (05) or stands (06)', async () => {
    const rig = await rigUp();
    await rig.payments.createPayment({ amountMinor: 1_005, reference: 'FIVE', conditionCode: '00' });
    await rig.until(() => rig.status('FIVE') === 'failed', 'the end of 05');
    await rig.ready();
    await rig.payments.createPayment({ amountMinor: 1_006, reference: 'SIX', conditionCode: '00' });
    await rig.until(() => rig.status('SIX') === 'approved', 'the end of 06');
    expect(rig.tap.sent('0601')).toBe(2);
    expect(countsOf(rig.ledger(), '10.05')).toEqual({ charged: 1, autoReversed: 1, reversed: 0 });
    expect(countsOf(rig.ledger(), '10.06')).toEqual({ charged: 1, autoReversed: 0, reversed: 0 });
    const ended = rig.journal.eventsOf(payment(rig, 'SIX').transactionId).at(-1)?.event;
    expect(ended).toMatchObject({ type: 'operation_ended', evidence: { lastRecord: { kind: 'record' } } });
  });

  it.each([
    ['12.04', 'loses power'],
    ['12.09', 'falls silent'],
  ])('calls %s failed once the terminal, which %s, is back and shows the baseline', async (amount) => {
    const rig = await rigUp();
    expect(await rig.sale('1.00', 'BEFORE')).toBe('approved');
    await rig.ready();
    await rig.payments.createPayment({
      amountMinor: minorUnits(amount),
      reference: 'A',
      conditionCode: '00',
    });
    await rig.until(() => rig.status('A') === 'unknown', 'doubt');
    const refused = await rig.payments.createPayment({
      amountMinor: 200,
      reference: 'B',
      conditionCode: '00',
    });
    expect(!refused.ok && refused.refusal.code).toBe('payment_unresolved');
    await rig.until(() => rig.status('A') === 'failed', 'the end by evidence');
    expect(rig.tap.sent('0601')).toBe(2);
    expect(countsOf(rig.ledger(), amount).charged).toBe(0);
  });

  it('counts a wrap of both counters as the next record', async () => {
    const folder = tempFolder('wrap');
    writeFileSync(join(folder, 'ledger.jsonl'), `${JSON.stringify(lastBeforeWrap)}\n`);
    const rig = await rigUp({ folder });
    await rig.payments.createPayment({ amountMinor: 1_006, reference: 'WRAPPED', conditionCode: '00' });
    await rig.until(() => rig.status('WRAPPED') === 'approved', 'approval by the record');
    expect(payment(rig, 'WRAPPED').result).toMatchObject({ receiptNumber: '0001', traceNumber: '000001' });
    expect(countsOf(rig.ledger(), '10.06').charged).toBe(1);
  });

  it('leaves a payment made by hand during a doubt to a person, and never charges again', async () => {
    const rig = await rigUp();
    await rig.sale('1.00', 'BEFORE');
    await rig.ready();
    rig.simulator.queueScenario('slow_host');
    await rig.payments.createPayment({ amountMinor: 2_000, reference: 'A', conditionCode: '00' });
    await rig.until(() => rig.simulator.state().busy, 'the sale on the terminal');
    await rig.crash();
    await rig.until(() => !rig.simulator.state().busy, 'the terminal to give the sale up');
    // Two of the same amount: one alone could not be told from ours.
    rig.simulator.payManually(2000);
    rig.simulator.payManually(2000);
    rig.restart();
    await rig.ready();
    expect(rig.status('A')).toBe('unknown');
    const [doubt] = rig.payments.operationsInDoubt();
    expect(doubt).toMatchObject({
      reference: 'A',
      needsDecision: true,
      resolutions: ['charged', 'not-charged'],
    });
    expect(doubt?.facts.map(({ event }) => event.type)).toEqual([
      'operation_started',
      'operation_in_doubt',
      'evidence_found',
    ]);
    const again = await rig.payments.createPayment({
      amountMinor: 2_000,
      reference: 'A',
      conditionCode: '00',
    });
    expect(again).toMatchObject({ ok: true, value: { repeated: true, payment: { status: 'unknown' } } });

    const anonymous = rig.payments.resolve({
      operationId: doubt?.operationId ?? '',
      resolution: 'not-charged',
      by: ' ',
      reason: 'x',
    });
    expect(anonymous.ok).toBe(false);
    const wrongWord = rig.payments.resolve({
      operationId: doubt?.operationId ?? '',
      resolution: 'voided',
      by: 'Kim',
      reason: 'x',
    });
    expect(!wrongWord.ok && wrongWord.refusal.message).toContain('charged or not-charged');
    const resolved = rig.payments.resolve({
      operationId: doubt?.operationId ?? '',
      resolution: 'not-charged',
      by: 'Kim',
      reason: 'both slips are of other customers',
    });
    expect(resolved.ok).toBe(true);
    expect(rig.status('A')).toBe('failed');
    expect(rig.journal.eventsOf(doubt?.operationId ?? '').at(-1)?.event).toMatchObject({
      type: 'operation_ended',
      resolvedBy: { name: 'Kim', reason: 'both slips are of other customers' },
    });
    await rig.ready();
    expect(await rig.sale('3.00', 'NEXT')).toBe('approved');
    expect(rig.tap.sent('0601')).toBe(3);
  });

  it('leaves a doubt to a person when another terminal answers', async () => {
    const rig = await rigUp();
    rig.simulator.queueScenario('slow_host');
    await rig.payments.createPayment({ amountMinor: 2_000, reference: 'A', conditionCode: '00' });
    await rig.until(() => rig.simulator.state().busy, 'the sale on the terminal');
    await rig.crash();
    await rig.until(() => !rig.simulator.state().busy, 'the terminal to give the sale up');
    rig.simulator.replaceTerminal('68000002');
    rig.restart();
    await rig.ready();
    const otherTerminal = { expected: '68000001', connected: '68000002' };
    const [doubt] = rig.payments.operationsInDoubt();
    expect(doubt).toMatchObject({
      reference: 'A',
      needsDecision: true,
      terminalSeenIdle: false,
      otherTerminal,
    });
    const events = () => rig.journal.eventsOf(doubt?.operationId ?? '').length;
    const before = events();
    const check = rig.payments.checkTerminal(15_000);
    await rig.ready();
    expect(await check).toMatchObject({
      kind: 'other_terminal',
      text: expect.stringContaining('68000002 instead of 68000001'),
    });
    expect(events()).toBe(before);
    const decide = {
      operationId: doubt?.operationId ?? '',
      resolution: 'not-charged',
      by: 'Kim',
      reason: 'no slip',
    } as const;
    expect(rig.payments.resolve(decide)).toMatchObject({ ok: false, refusal: { code: 'terminal_busy' } });
    expect(rig.tap.sent('0601')).toBe(1);
  });

  it('needs no clock: set back a day in the middle of a sale, all is as it was', async () => {
    const rig = await rigUp();
    await rig.sale('1.00', 'BEFORE');
    await rig.ready();
    rig.tap.onToBridge = (thing) => {
      if (is('040f')(thing)) rig.clock.jump(-86_400_000);
    };
    await rig.payments.createPayment({ amountMinor: 1_006, reference: 'A', conditionCode: '00' });
    await rig.until(() => rig.status('A') === 'approved', 'approval by the record');
    await rig.ready();
    expect(await rig.sale('2.00', 'B')).toBe('approved');
    expect(rig.journal.payments({ limit: 3 }).map((row) => row.reference)).toEqual(['B', 'A', 'BEFORE']);
    expect(rig.tap.sent('0601')).toBe(3);
  });
});

describe('a disk that fails', () => {
  it('does not acknowledge a result that it cannot keep, so the terminal takes the money back', async () => {
    let full = false;
    const wrapJournal = (journal: Journal): Journal => ({
      ...journal,
      append(...facts) {
        if (full && facts.some((fact) => fact.type !== 'operation_started'))
          throw new JournalWriteError('disk full');
        return journal.append(...facts);
      },
    });
    const rig = await rigUp({ wrapJournal });
    const result = once(is('040f'));
    rig.tap.onToBridge = (thing) => {
      if (result(thing)) full = true;
    };
    await rig.payments.createPayment({ amountMinor: 1_200, reference: 'A', conditionCode: '00' });
    await rig.until(
      () => countsOf(rig.ledger(), '12.00').autoReversed === 1,
      'the reversal by the terminal itself',
    );
    await rig.until(() => rig.payments.status().inDoubt === 1, 'doubt');
    expect(rig.status('A')).toBe('in_progress');
    expect(rig.payments.status().journal.writable).toBe(false);
    const refused = await rig.payments.createPayment({
      amountMinor: 200,
      reference: 'B',
      conditionCode: '00',
    });
    expect(!refused.ok && refused.refusal.code).toBe('payment_unresolved');
    full = false;
    await rig.until(() => rig.status('A') === 'failed', 'the end by evidence');
    expect(rig.payments.status()).toMatchObject({ journal: { writable: true }, inDoubt: 0 });
    expect(rig.tap.sent('0601')).toBe(1);
  });
});

describe('cancelling', () => {
  it('is kept until the terminal has taken the payment', async () => {
    const rig = await rigUp();
    rig.simulator.queueScenario('slow_host');
    let cancelled: ReturnType<typeof rig.payments.cancelPayment> | undefined;
    rig.tap.loseToTerminal = (thing) => {
      if (is('0601')(thing)) cancelled ??= rig.payments.cancelPayment(null);
      return false;
    };
    await rig.payments.createPayment({ amountMinor: 1_200, reference: 'A', conditionCode: '00' });
    await rig.until(() => cancelled, 'the command on the wire');
    expect(await cancelled).toMatchObject({ ok: true, value: { payment: { status: 'cancelled' } } });
    expect(rig.tap.sent('06b0')).toBeGreaterThanOrEqual(1);
    expect(countsOf(rig.ledger(), '12.00').charged).toBe(0);
  });

  it('stops a payment while the host is asked', async () => {
    const rig = await rigUp();
    rig.simulator.queueScenario('slow_host');
    await rig.payments.createPayment({ amountMinor: 1_200, reference: 'A', conditionCode: '00' });
    await rig.until(() => rig.payments.status().terminal.progress !== null, 'progress');
    expect(await rig.payments.cancelPayment('A')).toMatchObject({
      ok: true,
      value: { payment: { status: 'cancelled' } },
    });
    expect(countsOf(rig.ledger(), '12.00').charged).toBe(0);
    const facts = rig.journal.eventsOf(payment(rig, 'A').transactionId).map(({ event }) => event.type);
    expect(facts).toContain('cancel_requested');
  });

  it('says too late when the terminal has approved', async () => {
    const rig = await rigUp();
    let asked: ReturnType<typeof rig.payments.cancelPayment> | undefined;
    rig.tap.onToBridge = (thing) => {
      if (is('040f')(thing) && rig.status('A') === 'in_progress') asked ??= rig.payments.cancelPayment(null);
    };
    expect(await rig.sale('12.00', 'A')).toBe('approved');
    expect(await asked).toMatchObject({ ok: false, refusal: { code: 'cancel_too_late' } });
    expect(countsOf(rig.ledger(), '12.00').charged).toBe(1);
  });
});

describe('voids', () => {
  it('reverses exactly the payment, once', async () => {
    const rig = await rigUp();
    await rig.sale('12.00', 'A');
    await rig.sale('13.00', 'B');
    expect(await rig.payments.voidPayment('A', 5_000)).toMatchObject({
      ok: true,
      value: { payment: { status: 'voided' } },
    });
    expect(await rig.payments.voidPayment('A', 5_000)).toMatchObject({ ok: true, value: { repeated: true } });
    expect(rig.tap.sent('0630')).toBe(1);
    expect(countsOf(rig.ledger(), '12.00').reversed).toBe(1);
    expect(countsOf(rig.ledger(), '13.00').reversed).toBe(0);
  });

  it('finds out by the record when its answer was lost', async () => {
    const rig = await rigUp();
    await rig.sale('12.00', 'A');
    await rig.ready();
    const completion = once((thing) => is('060f')(thing) && rig.tap.sent('0630') > 0);
    rig.tap.loseToBridge = (thing) => {
      if (!completion(thing)) return false;
      queueMicrotask(() => rig.tap.cut());
      return true;
    };
    const answer = await rig.payments.voidPayment('A', 10_000);
    expect(answer).toMatchObject({ ok: true, value: { payment: { status: 'voided' } } });
    expect(rig.tap.sent('0630')).toBe(1);
    expect(countsOf(rig.ledger(), '12.00')).toEqual({ charged: 1, autoReversed: 0, reversed: 1 });
  });

  it('is refused after an end of day that was made at the terminal', async () => {
    const rig = await rigUp();
    await rig.sale('12.00', 'A');
    await rig.ready();
    await rig.crash();
    rig.simulator.closeDayManually();
    rig.restart();
    await rig.ready();
    expect(await rig.payments.voidPayment('A', 1_000)).toMatchObject({
      refusal: { code: 'payment_not_voidable' },
    });
    expect(rig.tap.sent('0630')).toBe(0);
    expect(rig.status('A')).toBe('approved');
  });

  it('is allowed after one payment by hand, and refused after a stretch that nobody saw', async () => {
    const rig = await rigUp();
    await rig.sale('12.00', 'A');
    await rig.sale('13.00', 'B');
    await rig.ready();
    await rig.crash();
    rig.simulator.payManually(500);
    rig.restart();
    await rig.ready();
    expect(await rig.payments.voidPayment('A', 5_000)).toMatchObject({ ok: true });
    await rig.ready();
    await rig.crash();
    rig.simulator.payManually(500);
    rig.simulator.payManually(500);
    rig.restart();
    await rig.ready();
    expect(await rig.payments.voidPayment('B', 5_000)).toMatchObject({
      refusal: { code: 'payment_not_voidable' },
    });
    expect(rig.tap.sent('0630')).toBe(1);
  });

  it('is refused on another terminal, even if the first one comes back', async () => {
    const rig = await rigUp();
    await rig.sale('12.00', 'A');
    await rig.ready();
    await rig.crash();
    rig.simulator.replaceTerminal('68000002');
    rig.restart();
    await rig.ready();
    expect(await rig.payments.voidPayment('A', 1_000)).toMatchObject({
      refusal: { code: 'payment_not_voidable' },
    });
    await rig.crash();
    rig.simulator.replaceTerminal('68000001');
    rig.restart();
    await rig.ready();
    expect(await rig.payments.voidPayment('A', 1_000)).toMatchObject({
      refusal: { code: 'payment_not_voidable' },
    });
    expect(rig.tap.sent('0630')).toBe(0);
  });
});

describe('closing the day', () => {
  it('finds out by the record when its answer was lost', async () => {
    const rig = await rigUp();
    await rig.sale('12.00', 'A');
    await rig.ready();
    const completion = once((thing) => is('060f')(thing) && rig.tap.sent('0650') > 0);
    rig.tap.loseToBridge = (thing) => {
      if (!completion(thing)) return false;
      queueMicrotask(() => rig.tap.cut());
      return true;
    };
    const answer = await rig.payments.submitBatch(10_000);
    expect(answer).toMatchObject({ ok: true, value: { batch: { count: 1, reconciled: true } } });
    expect(rig.status('A')).toBe('settled');
    expect(rig.tap.sent('0650')).toBe(1);
  });

  it('leaves ours that somebody else closed approved, and says that the totals differ from nothing of ours', async () => {
    const rig = await rigUp();
    await rig.sale('12.00', 'A');
    await rig.ready();
    await rig.crash();
    rig.simulator.closeDayManually();
    rig.restart();
    await rig.ready();
    await rig.sale('13.00', 'B');
    const closed = await rig.payments.submitBatch(5_000);
    expect(closed).toMatchObject({
      ok: true,
      value: { batch: { count: 1, totalMinor: 1300, reconciled: true } },
    });
    expect(rig.status('A')).toBe('approved');
    expect(rig.status('B')).toBe('settled');
  });

  it('counts a payment by hand that was seen, and shows the difference that an unseen one makes', async () => {
    const rig = await rigUp();
    await rig.sale('12.00', 'A');
    await rig.ready();
    await rig.crash();
    rig.simulator.payManually(700);
    rig.restart();
    await rig.ready();
    expect(await rig.payments.submitBatch(60_000)).toMatchObject({
      ok: true,
      value: { batch: { count: 2, totalMinor: 1900, reconciled: false } },
    });
    // What is known does not keep ours from being settled; the difference is shown all the same.
    expect(rig.status('A')).toBe('settled');
    await rig.ready();
    await rig.sale('12.00', 'B');
    await rig.ready();
    rig.simulator.payManually(700);
    expect(await rig.payments.submitBatch(60_000)).toMatchObject({
      ok: true,
      value: { batch: { count: 2, totalMinor: 1900, reconciled: false } },
    });
    expect(rig.payments.discrepancies().map(({ kind }) => kind)).toEqual([
      'unexplained_payment',
      'unseen_records',
      'batch_differs',
    ]);
  });
});

/** A ledger line of a terminal that has used up its numbers. */
const lastBeforeWrap = {
  at: '2026-01-02T03:04:05.000Z',
  terminal_id: '68000001',
  currency: 'EUR',
  terminal_date: '0102',
  terminal_time: '030405',
  event: 'charged',
  amount: '7.00',
  receipt_number: '9999',
  amount_minor: 700,
  trace_number: '999999',
  turnover_number: '999999',
  approval_code: '000001',
  card: 'girocard',
};
