/** Recovery on a real journal and with the rules of evidence of ZVT; the test says what the terminal shows. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { applyInputs } from '../../../src/bridge/payments/journal-writer.ts';
import { createHistory } from '../../../src/bridge/payments/history.ts';
import { createRecordContinuity } from '../../../src/bridge/payments/record-continuity.ts';
import { createRecovery } from '../../../src/bridge/payments/recovery.ts';
import { rowsInDoubt } from '../../../src/bridge/payments/manual-decisions.ts';
import { createZvtProtocol } from '../../../src/bridge/terminals/zvt/index.ts';
import { silentLog, type Log } from '../../../src/log/log.ts';
import type { Journal } from '../../../src/bridge/journal/journal.ts';
import type { JournalEvent } from '../../../src/contract/journal-events.ts';
import { zvtSettingsSchema } from '../../../src/contract/configuration.ts';
import type { LastRecord, TerminalRecord } from '../../../src/contract/terminal.ts';
import { record, sale, terminal } from '../journal/sample-events.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { dataFolder, tryOpen } from '../journal/folder.ts';

const unreadable: LastRecord = { kind: 'unavailable', reason: 'the terminal does not show it' };

function shown(number: number, more: Partial<TerminalRecord> = {}): LastRecord {
  return {
    kind: 'record',
    record: record({
      resultCode: '00',
      terminalId: terminal.terminalId,
      traceNumber: String(number).padStart(6, '0'),
      receiptNumber: String(number).padStart(4, '0'),
      ...more,
    }),
  };
}

function setUp() {
  const opened = tryOpen(dataFolder());
  if (opened.kind !== 'opened') throw new Error(opened.kind);
  const { journal } = opened;
  const warnings: { message: string; fields: unknown }[] = [];
  const log: Log = {
    ...silentLog,
    warn: (message, fields) => void warnings.push({ message, fields }),
    with: () => log,
  };
  const protocol = createZvtProtocol({
    framing: 'serial',
    settings: zvtSettingsSchema.parse({}),
    currency: 'EUR',
    clock: createVirtualClock(),
    log: silentLog,
  });
  const history = createHistory(journal);
  const recordContinuity = createRecordContinuity(journal, protocol, history);
  const recovery = createRecovery({
    journal,
    protocol,
    recordContinuity,
    history,
    log,
    apply: (operationId, ...inputs) =>
      applyInputs(journal, operationId, inputs, {
        continuityOf: (current) => recordContinuity.of(current),
        uuid: randomUUID,
      }).ok,
    append: (...facts) => journal.append(...facts).length > 0,
    rowsInDoubt: () => rowsInDoubt(journal, null),
    currency: 'EUR',
    clock: createVirtualClock(),
    uuid: randomUUID,
  });
  /** A sale of 12.00 that began when the terminal showed record 10, and is in doubt. */
  function doubt() {
    recovery.observed(terminal, shown(10), 'anything');
    const started = sale({ baseline: shown(10) });
    journal.append(started, {
      type: 'operation_in_doubt',
      operationId: started.operationId,
      reason: 'silence',
    });
    const status = () => journal.payment(started.operationId)?.status;
    const needsDecision = () => journal.operation(started.operationId)?.needsDecision;
    return { started, status, needsDecision };
  }
  return { journal, recovery, warnings, doubt };
}

describe('what the terminal shows', () => {
  it('proves that nothing happened only when the terminal is ready', () => {
    const { recovery, doubt } = setUp();
    const { status } = doubt();
    expect(recovery.observed(terminal, shown(10), 'nothing')).toBe('again');
    expect(status()).toBe('unknown');
    expect(recovery.observed(terminal, shown(10), 'anything')).toBe('finished');
    expect(status()).toBe('failed');
  });

  it('proves that it did happen, ready or not', () => {
    const { recovery, doubt } = setUp();
    const { status } = doubt();
    expect(recovery.observed(terminal, shown(11), 'nothing')).toBe('finished');
    expect(status()).toBe('approved');
  });

  it('can be looked at again when it could not be read', () => {
    const { recovery, doubt } = setUp();
    const { status, needsDecision } = doubt();
    expect(recovery.observed(terminal, unreadable, 'anything')).toBe('finished');
    expect([status(), needsDecision()]).toEqual(['unknown', true]);
    recovery.observed(terminal, shown(11), 'anything');
    expect(status()).toBe('approved');
  });

  it('never answers by chance what it once has left to a person', () => {
    const { recovery, journal, doubt } = setUp();
    const { started, status, needsDecision } = doubt();
    recovery.observed(terminal, shown(13), 'anything');
    expect([status(), needsDecision()]).toEqual(['unknown', true]);
    for (const later of [shown(11), shown(10), unreadable, shown(13)])
      recovery.observed(terminal, later, 'anything');
    expect(status()).toBe('unknown');
    const found = journal
      .eventsOf(started.operationId)
      .filter(({ event }) => event.type === 'evidence_found');
    expect(found).toHaveLength(1);
  });

  it('is a boundary after a stretch that could not be read, if something is missing in between', () => {
    const { recovery, journal } = setUp();
    recovery.observed(terminal, shown(10), 'anything');
    const epoch = () => journal.terminalState().epoch;
    const before = epoch();
    for (const number of [10, 11]) {
      recovery.observed(terminal, unreadable, 'anything');
      recovery.observed(terminal, unreadable, 'anything');
      recovery.observed(terminal, shown(number), 'anything');
      expect(epoch()).toBe(before);
    }
    recovery.observed(terminal, unreadable, 'anything');
    recovery.observed(terminal, shown(13), 'anything');
    expect(epoch()).toBeGreaterThan(before);
    expect(journal.openDiscrepancies(10).map(({ kind }) => kind)).toEqual([
      'unexplained_payment',
      'unseen_records',
      'unexplained_payment',
    ]);
  });

  it('is no boundary while it stays the same, or is the next one', () => {
    const { recovery, journal } = setUp();
    recovery.observed(terminal, shown(10), 'anything');
    const before = journal.lastSeq();
    recovery.observed(terminal, shown(10), 'anything');
    expect(journal.lastSeq()).toBe(before);
    recovery.observed(terminal, shown(11), 'anything');
    expect(journal.terminalState()).toMatchObject({ epoch: 0, batchEpoch: 0 });
  });

  it('names the payments that somebody else has closed', () => {
    const { recovery, warnings, doubt } = setUp();
    const { started, status } = doubt();
    recovery.observed(terminal, shown(11), 'anything');
    expect(status()).toBe('approved');
    recovery.observed(terminal, shown(12, { kind: 'batch_close' }), 'anything');
    expect(warnings.at(-1)).toMatchObject({
      message: 'a discrepancy was found',
      fields: { kind: 'unexplained_batch_close', references: [started.reference] },
    });
  });
});

describe('a late result', () => {
  const late = (more: Partial<TerminalRecord> = {}) =>
    record({
      resultCode: '00',
      terminalId: terminal.terminalId,
      traceNumber: '000011',
      receiptNumber: '0011',
      ...more,
    });

  it('is taken over by the operation that it fits, and kept before it may be acknowledged', () => {
    const { recovery, journal, doubt } = setUp();
    const { started } = doubt();
    expect(recovery.lateResult(late())).toBe(true);
    expect(journal.operation(started.operationId)?.result).toMatchObject({ traceNumber: '000011' });
  });

  it.each([
    ['another amount', { amountMinor: 1201 }],
    ['another terminal', { terminalId: '99999999' }],
    ['the record from before', { traceNumber: '000010', receiptNumber: '0010' }],
    ['a reversal', { kind: 'reversal' as const, originalTraceNumber: '000010' }],
  ])('of %s is not', (_, more) => {
    const { recovery, doubt } = setUp();
    doubt();
    expect(recovery.lateResult(late(more))).toBe(false);
  });

  it('is not when nothing is in doubt', () => {
    expect(setUp().recovery.lateResult(late())).toBe(false);
  });

  it('is kept a bounded number of times while the operation is in doubt; the last ones are not acknowledged', () => {
    const { recovery, journal, doubt } = setUp();
    const { started } = doubt();
    const taken = Array.from({ length: 300 }, () => recovery.lateResult(late()));
    expect(taken.filter(Boolean)).toHaveLength(100);
    expect(taken.at(-1)).toBe(false);
    expect(resultsOf(journal, started.operationId, 'result_received')).toBe(100);
  });

  it('is kept once when the operation has ended, and answered alike each time', () => {
    const { recovery, journal, doubt } = setUp();
    const { started, status } = doubt();
    recovery.observed(terminal, shown(11), 'anything');
    expect(status()).toBe('approved');
    for (let again = 0; again < 50; again += 1) expect(recovery.lateResult(late())).toBe(true);
    expect(resultsOf(journal, started.operationId, 'late_result_received')).toBe(1);
  });

  it('is kept a bounded number of times when the operation has ended, and each says something else', () => {
    const { recovery, journal, doubt } = setUp();
    const { started } = doubt();
    recovery.observed(terminal, shown(11), 'anything');
    const taken = Array.from({ length: 50 }, (_, index) =>
      recovery.lateResult(late({ receiptNumber: String(100 + index) })),
    );
    expect(taken.filter(Boolean)).toHaveLength(20);
    expect(resultsOf(journal, started.operationId, 'late_result_received')).toBe(20);
    // However many fitted: the first that contradicts is told.
    const contradicting = late({ approved: false, resultCode: '6c' });
    expect(recovery.lateResult(contradicting)).toBe(false);
    expect(journal.openDiscrepancyCount()).toBe(1);
  });
});

function resultsOf(journal: Journal, operationId: string, type: JournalEvent['type']): number {
  return journal.eventsOf(operationId).filter(({ event }) => event.type === type).length;
}
