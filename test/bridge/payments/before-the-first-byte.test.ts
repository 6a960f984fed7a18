/** The moment between the answer to the till and the first byte on the line: what comes in between, costs nobody money. */
import { describe, expect, it } from 'vitest';
import { JournalWriteError, type Journal } from '../../../src/bridge/journal/journal.ts';
import type { JournalEvent } from '../../../src/contract/journal-events.ts';
import { callerNow } from '../../support/callers.ts';
import type { Rig } from '../../support/rig.ts';
import { closeRigsAfterEach, newRig, payment, rigUp } from '../../support/rigs.ts';

closeRigsAfterEach();

const request = { amountMinor: 1_200, reference: 'A', conditionCode: '00' };

/** The till has its answer, in the same turn of the event loop in which the payment was journaled. */
async function answered(rig: Rig): Promise<void> {
  const answer = await rig.payments.createPayment({ ...request, caller: callerNow(rig.clock) });
  expect(answer).toMatchObject({ ok: true, value: { repeated: false, payment: { status: 'in_progress' } } });
  expect(rig.tap.moneyCommands()).toBe(0);
}

/** What the journal has of the payment, and that not one byte of it was sent. */
function neverSent(rig: Rig): unknown[] {
  expect(rig.tap.moneyCommands()).toBe(0);
  expect(rig.ledger().filter(({ event }) => event === 'charged')).toEqual([]);
  return rig.journal
    .eventsOf(payment(rig, 'A').transactionId)
    .map(({ event }) => (event.type === 'operation_ended' ? event.outcome : event.type));
}

describe('a payment that was journaled and not sent yet', () => {
  it('is under way for everybody: queried, repeated, and in the way of another', async () => {
    const rig = await rigUp();
    await answered(rig);
    expect(rig.status('A')).toBe('in_progress');
    expect(rig.payments.status()).toMatchObject({
      terminal: { connection: 'operating', text: 'The terminal is working.' },
      inDoubt: 0,
      currentOperation: { kind: 'sale', reference: 'A' },
    });
    const other = rig.payments.createPayment({ ...request, reference: 'B' });
    const repeat = rig.payments.createPayment(request);
    expect(await other).toMatchObject({ ok: false, refusal: { code: 'terminal_busy' } });
    expect(await repeat).toMatchObject({ ok: true, value: { repeated: true } });
    await rig.until(() => rig.status('A') === 'approved', 'the end');
    expect(rig.tap.moneyCommands()).toBe(1);
  });

  it('is sent although whoever asked hangs up then: nothing that has started is cancelled by that', async () => {
    const rig = await rigUp();
    let over = false;
    const caller = callerNow(rig.clock, { gone: () => over });
    expect(await rig.payments.createPayment({ ...request, caller })).toMatchObject({ ok: true });
    over = true;
    expect(rig.tap.moneyCommands()).toBe(0);
    await rig.until(() => rig.status('A') === 'approved', 'the end');
    expect(rig.tap.moneyCommands()).toBe(1);
  });

  it('is withdrawn by a cancel: cancelled, and nothing was sent', async () => {
    const rig = await rigUp();
    await answered(rig);
    const cancelled = await rig.payments.cancelPayment('A');
    expect(cancelled).toMatchObject({
      ok: true,
      value: {
        payment: {
          status: 'cancelled',
          reason: 'It was cancelled before anything was sent to the terminal.',
        },
      },
    });
    await rig.ready();
    expect(neverSent(rig)).toEqual(['operation_started', 'cancel_requested', 'cancelled']);
    // Nothing of it stays behind.
    expect(await rig.sale('12.00', 'B')).toBe('approved');
    expect(rig.tap.moneyCommands()).toBe(1);
  });

  it('has failed when the line is lost just then, and is not sent on the next connection', async () => {
    const rig = await rigUp();
    await answered(rig);
    rig.tap.cut();
    await rig.until(() => rig.status('A') !== 'in_progress', 'the end');
    expect(rig.status('A')).toBe('failed');
    await rig.ready();
    expect(neverSent(rig)).toEqual(['operation_started', 'failed']);
    expect(rig.payments.status().inDoubt).toBe(0);
  });

  it('has failed when the machine slept just then: what is known of the terminal is too old', async () => {
    const rig = await rigUp();
    await answered(rig);
    rig.clock.jump(3_600_000);
    await rig.until(() => rig.status('A') !== 'in_progress', 'the end');
    expect(neverSent(rig)).toEqual(['operation_started', 'failed']);
    await rig.ready();
    expect(await rig.sale('12.00', 'B')).toBe('approved');
  });

  it('has failed when the computer stood still for longer than a till waits, whether it slept or its clock was set', async () => {
    const rig = await rigUp();
    const { clock } = rig;
    const caller = callerNow(clock);
    expect(await rig.payments.createPayment({ ...request, caller })).toMatchObject({ ok: true });
    clock.jump(11_000);
    await rig.until(() => rig.status('A') !== 'in_progress', 'the end');
    expect(neverSent(rig)).toEqual(['operation_started', 'failed']);
  });

  it('is brought to its end by a stop that waits, as any other', async () => {
    const rig = await rigUp();
    await answered(rig);
    await rig.payments.stop();
    expect(rig.status('A')).toBe('approved');
    expect(rig.tap.moneyCommands()).toBe(1);
  });

  it('is in doubt for the next bridge when this one dies just then, and is cleared up with the terminal', async () => {
    const rig = await rigUp();
    await rig.sale('1.00', 'BEFORE');
    await rig.ready();
    const before = rig.tap.moneyCommands();
    const answer = await rig.payments.createPayment(request);
    expect(answer.ok).toBe(true);
    await rig.crash();
    rig.restart();
    expect(rig.status('A')).toBe('unknown');
    await rig.ready();
    expect(rig.status('A')).toBe('failed');
    expect(rig.tap.moneyCommands()).toBe(before);
  });

  it('stays open, and so in doubt, when its withdrawal cannot be written; it is not sent either', async () => {
    let full = false;
    const rig = newRig({
      wrapJournal: (journal: Journal): Journal => ({
        ...journal,
        append(...events: JournalEvent[]) {
          if (full) throw new JournalWriteError('disk full');
          return journal.append(...events);
        },
      }),
    });
    await rig.ready();
    await rig.sale('1.00', 'BEFORE');
    await rig.ready();
    const before = rig.tap.moneyCommands();
    await rig.payments.createPayment(request);
    full = true;
    const cancelling = rig.payments.cancelPayment('A');
    await rig.clock.advance(3_000);
    expect(rig.payments.status()).toMatchObject({ currentOperation: null, inDoubt: 1 });
    full = false;
    expect(await cancelling).toMatchObject({ ok: true, value: { payment: { status: 'failed' } } });
    await rig.ready();
    expect(rig.tap.moneyCommands()).toBe(before);
  });
});

describe('a void that was journaled and not sent yet', () => {
  it('leaves its payment approved when the line is lost just then, and says that nothing was sent', async () => {
    const rig = await rigUp();
    await rig.sale('12.00', 'A');
    await rig.ready();
    const voiding = rig.payments.voidPayment('A', 60_000);
    await Promise.resolve();
    expect(rig.status('A')).toBe('voiding');
    rig.tap.cut();
    expect(await voiding).toMatchObject({ ok: false, refusal: { code: 'terminal_unavailable' } });
    expect(rig.status('A')).toBe('approved');
    expect(rig.tap.sent('0630')).toBe(0);
  });
});
