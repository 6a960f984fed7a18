/** A person's word: not before the terminal has been seen idle, and what comes after it. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Journal } from '../../../src/bridge/journal/journal.ts';
import { createResolver } from '../../../src/bridge/payments/manual-decisions.ts';
import type { JournalEvent, OperationStarted } from '../../../src/contract/journal-events.ts';
import type { Resolution } from '../../../src/contract/operation.ts';
import type { LastRecord, TerminalRecord } from '../../../src/contract/terminal.ts';
import { closeRigsAfterEach, is, newRig, once, rigUp } from '../../support/rigs.ts';
import { batch, ended, evidenceOf, inDoubt, sale, terminal, voidOf } from '../journal/sample-events.ts';
import { numbered, setUp as setUpRecovery, shown } from './recovery-kit.ts';

closeRigsAfterEach();

const unread: LastRecord = {
  kind: 'unavailable',
  reason: 'It was not read, because the terminal needs attention first.',
};

const word = { by: 'Kim', reason: 'the slip is in the drawer' };

function setUp() {
  const { journal, recovery } = setUpRecovery();
  recovery.observed(terminal, shown(10), 'anything');
  return { journal, recovery, resolver: createResolver(journal, randomUUID) };
}

/** An operation that is in doubt and has been seen with the terminal idle, unless facts say otherwise. */
function begin(journal: Journal, started: OperationStarted, ...facts: JournalEvent[]) {
  journal.append(started, inDoubt(started), ...facts);
  return started.operationId;
}

describe('a word on an operation in doubt', () => {
  it('is refused until the terminal has been seen idle since the doubt began', () => {
    const { journal, resolver, recovery } = setUp();
    const started = sale({ baseline: shown(10) });
    const operationId = begin(journal, started);
    const decide = () => resolver.resolve({ operationId, resolution: 'charged', ...word });
    expect(decide()).toMatchObject({ ok: false, refusal: { code: 'terminal_busy' } });
    // A terminal that first wants a setting or a service man has not said that it is idle.
    recovery.observed(terminal, unread, 'nothing');
    expect(journal.operation(operationId)?.needsDecision).toBe(true);
    expect(decide()).toMatchObject({ ok: false, refusal: { code: 'terminal_busy' } });
    recovery.observed(terminal, unread, 'anything');
    expect(decide()).toMatchObject({ ok: true });
  });

  it('is refused when the terminal was idle before the doubt, not since', () => {
    const { journal, resolver } = setUp();
    const started = sale();
    const operationId = begin(journal, started, evidenceOf(started, true), inDoubt(started));
    const decide = { operationId, resolution: 'charged', ...word } as const;
    expect(resolver.resolve(decide)).toMatchObject({ ok: false, refusal: { code: 'terminal_busy' } });
  });

  it('is taken at once where a person states that the terminal cannot be reached, which is kept', () => {
    const { journal, resolver } = setUp();
    const operationId = begin(journal, sale());
    const decide = { operationId, resolution: 'charged', ...word, terminalUnreachable: true } as const;
    expect(resolver.resolve(decide)).toMatchObject({ ok: true });
    expect(journal.eventsOf(operationId).at(-1)?.event).toMatchObject({
      type: 'operation_ended',
      resolvedBy: { name: 'Kim', terminalUnreachable: true },
    });
  });

  it('waits for a terminal that is still at work, on the whole way', async () => {
    const rig = await rigUp();
    await rig.sale('1.00', 'BEFORE');
    await rig.ready();
    rig.simulator.queueScenario('slow_host');
    await rig.payments.createPayment({ amountMinor: 1_200, reference: 'A', conditionCode: '00' });
    await rig.until(() => rig.simulator.state().busy, 'the sale on the terminal');
    await rig.crash();
    rig.restart();
    const [doubt] = rig.payments.operationsInDoubt();
    const decide = { operationId: doubt?.operationId ?? '', resolution: 'charged', ...word } as const;
    expect(rig.payments.resolve(decide)).toMatchObject({ ok: false, refusal: { code: 'terminal_busy' } });
    await rig.until(() => rig.payments.operationsInDoubt().length === 0, 'the end by evidence');
    expect(rig.tap.sent('0601')).toBe(2);
  });
});

describe('a result that comes after a person has decided', () => {
  const approval = numbered(11);
  const refusal = numbered(11, { approved: false, resultCode: '05', receiptNumber: null });

  function decided(resolution: Resolution, make: (journal: Journal) => OperationStarted) {
    const all = setUp();
    const started = make(all.journal);
    const operationId = begin(all.journal, started);
    const decision = { operationId, resolution, ...word, terminalUnreachable: true };
    expect(all.resolver.resolve(decision)).toMatchObject({ ok: true });
    return { ...all, operationId };
  }

  const makeSale = () => sale({ baseline: shown(10), reference: 'A' });
  function makeVoid(journal: Journal): OperationStarted {
    const payment = sale({ reference: 'A' });
    journal.append(payment, ended(payment, 'approved', { result: numbered(10) }));
    return voidOf(payment, { baseline: shown(10), traceNumber: '000010', receiptNumber: '0010' });
  }
  const makeBatch = () => batch({ baseline: shown(10) });
  const reversal = numbered(11, { kind: 'reversal', originalTraceNumber: '000010' });
  const endOfDay = numbered(11, { kind: 'batch_close', receiptNumber: null, amountMinor: 0 });

  it.each<[Resolution, (journal: Journal) => OperationStarted, TerminalRecord]>([
    ['charged', makeSale, approval],
    ['not-charged', makeSale, refusal],
    ['voided', makeVoid, reversal],
    ['closed', makeBatch, endOfDay],
  ])('"%s" is kept and acknowledged when it says the same', (resolution, make, result) => {
    const { journal, recovery, operationId } = decided(resolution, make);
    expect(recovery.lateResult(result)).toBe(true);
    expect(journal.eventsOf(operationId).at(-1)?.event).toMatchObject({
      type: 'late_result_received',
      accepted: true,
    });
    expect(journal.openDiscrepancyCount()).toBe(0);
  });

  it.each<[Resolution, (journal: Journal) => OperationStarted, TerminalRecord, string[]]>([
    ['not-charged', makeSale, approval, ['A']],
    ['charged', makeSale, refusal, ['A']],
    ['not-voided', makeVoid, reversal, ['A']],
    ['not-closed', makeBatch, endOfDay, []],
  ])('"%s" is refused and told when it says the opposite', (resolution, make, result, references) => {
    const { journal, recovery, operationId } = decided(resolution, make);
    expect(recovery.lateResult(result)).toBe(false);
    expect(journal.eventsOf(operationId).slice(-2)).toMatchObject([
      { event: { type: 'late_result_received', accepted: false } },
      { event: { type: 'discrepancy_found', kind: 'late_result_refused', references } },
    ]);
  });

  it.each([
    ['another amount', { amountMinor: 1300 }],
    ['another terminal', { terminalId: '99999999' }],
    ['the record from before', { traceNumber: '000010', receiptNumber: '0010' }],
  ])('with %s belongs to nothing, and is not acknowledged', (_, more) => {
    const { journal, recovery } = decided('charged', makeSale);
    const before = journal.lastSeq();
    expect(recovery.lateResult(numbered(11, more))).toBe(false);
    expect(journal.lastSeq()).toBe(before);
  });

  it('with a number further on may be of something else: it is not acknowledged, which is told once', () => {
    const { journal, recovery, operationId } = decided('charged', makeSale);
    const further = numbered(11, { traceNumber: '000012', receiptNumber: '0012' });
    for (let again = 0; again < 3; again += 1) expect(recovery.lateResult(further)).toBe(false);
    expect(journal.eventsOf(operationId).slice(-2)).toMatchObject([
      { event: { type: 'operation_ended' } },
      { event: { type: 'discrepancy_found', kind: 'late_result_refused', references: ['A'] } },
    ]);
  });

  it('belongs to the newest operation that it fits', () => {
    const { journal, recovery, operationId } = decided('not-charged', makeSale);
    const later = sale({ baseline: shown(10) });
    journal.append(later, ended(later, 'declined', { result: { ...refusal, traceNumber: null } }));
    expect(recovery.lateResult(approval)).toBe(false);
    expect(journal.eventsOf(later.operationId).at(-1)?.event.type).toBe('discrepancy_found');
    expect(journal.eventsOf(operationId).at(-1)?.event.type).toBe('operation_ended');
  });
});

describe('a terminal that comes back after "not charged" and "unreachable"', () => {
  it('shows the charge, and that is told', async () => {
    const rig = newRig();
    await rig.ready();
    await rig.sale('1.00', 'BEFORE');
    await rig.ready();
    const completion = once((thing) => is('060f')(thing) && rig.tap.sent('0601') === 2);
    rig.tap.loseToBridge = (thing) => {
      if (!completion(thing)) return false;
      rig.tap.plugged = false;
      queueMicrotask(() => rig.tap.cut());
      return true;
    };
    await rig.payments.createPayment({ amountMinor: 1_200, reference: 'A', conditionCode: '00' });
    await rig.until(() => rig.status('A') === 'unknown', 'doubt');
    const operationId = rig.payments.operationsInDoubt()[0]?.operationId ?? '';
    const decision = { operationId, resolution: 'not-charged', ...word } as const;
    expect(rig.payments.resolve(decision)).toMatchObject({ ok: false, refusal: { code: 'terminal_busy' } });
    expect(rig.payments.resolve({ ...decision, terminalUnreachable: true })).toMatchObject({ ok: true });
    rig.tap.plugged = true;
    await rig.ready();
    expect(rig.status('A')).toBe('failed');
    expect(rig.payments.discrepancies()).toMatchObject([
      { kind: 'contradicted_outcome', operationId, references: ['A'], amountMinor: 1200 },
    ]);
    const again = await rig.payments.createPayment({
      amountMinor: 1_200,
      reference: 'B',
      conditionCode: '00',
    });
    expect(again).toMatchObject({ ok: false, refusal: { code: 'payment_unresolved' } });
    expect(rig.tap.sent('0601')).toBe(2);
  });
});
