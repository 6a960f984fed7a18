/** What is known of ours by its result alone: what follows on it, which late results are its own, and which are not. */
import { describe, expect, it } from 'vitest';
import { continuity as continuityOfEcr17 } from '../../../src/bridge/terminals/ecr17/evidence.ts';
import type { Journal } from '../../../src/bridge/journal/journal.ts';
import type { SaleStarted } from '../../../src/contract/journal-events.ts';
import type { LastRecord, TerminalRecord } from '../../../src/contract/terminal.ts';
import { batch, closed, ended, inDoubt, sale, terminal } from '../journal/sample-events.ts';
import { numbered, setUp, shown, unreadable } from './recovery-kit.ts';

/** Of 12.00, with this number, and told at a time of its own. */
function late(number: number, more: Partial<TerminalRecord> = {}): TerminalRecord {
  return numbered(number, { terminalTime: `1200${String(number).padStart(2, '0')}`, ...more });
}
const refused = { approved: false, resultCode: '05' } as const;
const resolvedBy = { name: 'Kim', reason: 'It was printed.' };
const unreachable = { resolvedBy: { ...resolvedBy, terminalUnreachable: true } } as const;

/** A terminal that shows nothing (`shows`); the newest result of ours that was noted has number 10. */
function withoutRecords(shows: LastRecord = { kind: 'empty' }) {
  const all = setUp();
  const { journal, recovery } = all;
  recovery.observed(terminal, shows, 'anything');
  const before = sale({ baseline: shows });
  journal.append(before);
  journal.append({ type: 'record_seen', lastRecord: shown(10), continuity: 'next', source: 'result' });
  journal.append(ended(before, 'approved', { result: late(10) }));
  recovery.observed(terminal, shows, 'anything');
  return all;
}

/** Decided by a person before the terminal could be asked. */
function decided(
  journal: Journal,
  outcome: 'approved' | 'failed',
  more: Partial<SaleStarted> = {},
): SaleStarted {
  const started = sale({ baseline: shown(10), ...more });
  journal.append(started, inDoubt(started), ended(started, outcome, unreachable));
  return started;
}

/** Decided by a person with its result, number 11, which had our acknowledgement or not. */
function kept(journal: Journal, isAcknowledged: boolean): SaleStarted {
  const started = sale({ baseline: shown(10) });
  const { operationId } = started;
  journal.append(started, { type: 'result_received', operationId, result: late(11), late: false });
  if (isAcknowledged) journal.append({ type: 'result_acknowledged', operationId });
  journal.append(inDoubt(started), ended(started, 'approved', { result: late(11), resolvedBy }));
  return started;
}

const told = (journal: Journal) =>
  journal.openDiscrepancies(10, 0).map(({ kind, references }) => [kind, ...references]);
const of = ({ recordContinuity }: ReturnType<typeof setUp>, number: number) =>
  recordContinuity.of({ kind: 'record', record: late(number) });

describe('late approvals', () => {
  it.each([
    ['that shows nothing', withoutRecords],
    ['that shows its records', onTheRecordBefore],
    ['of ECR17', () => onTheRecordBefore(setUp({ continuity: continuityOfEcr17 }))],
  ])('are not two of one payment, on a terminal %s', (_, terminalWith) => {
    const { journal, recovery } = terminalWith();
    decided(journal, 'approved', { reference: 'B' });
    expect([11, 12, 13].map((number) => recovery.lateResult(late(number)))).toEqual([true, false, false]);
    expect(told(journal)).toEqual([['late_result_refused', 'B']]);
  });

  it('are not both of the newer of two payments', () => {
    const { journal, recovery } = withoutRecords();
    decided(journal, 'failed', { reference: 'A' });
    decided(journal, 'approved', { reference: 'B' });
    expect([11, 12].map((number) => recovery.lateResult(late(number)))).toEqual([true, false]);
    expect(told(journal)).toEqual([['late_result_refused', 'B']]);
  });

  it('follow on a result that is kept, whether the terminal was told so or not', () => {
    for (const isAcknowledged of [true, false]) {
      const { journal, recovery } = withoutRecords();
      kept(journal, isAcknowledged);
      decided(journal, 'approved', { reference: 'B' });
      expect(recovery.lateResult(late(12))).toBe(true);
      expect(told(journal)).toEqual([]);
    }
  });
});

describe('where numbers begin again each day', () => {
  /** Yesterday 5 was refused, and 6 and 7 were approved; today 1 to 4 were, by the terminal's own number. */
  function today() {
    const all = onTheRecordBefore();
    const note = (number: number, day: string) => {
      const started = sale({ baseline: shown(10) });
      const result = late(number, { terminalDate: day });
      const lastRecord: LastRecord = { kind: 'record', record: result };
      all.journal.append(started);
      all.journal.append({
        type: 'record_seen',
        lastRecord,
        continuity: all.recordContinuity.of(lastRecord),
        source: 'result',
      });
      all.journal.append(ended(started, 'approved', { result }));
    };
    note(4, '1127');
    refuse(all, 5);
    for (const number of [6, 7]) note(number, '1127');
    for (const number of [1, 2, 3, 4]) note(number, '1128');
    return all;
  }

  it('yesterday’s fills no gap of today', () => {
    expect(of(today(), 6)).toBe('gap');
  });

  it('yesterday’s is no place for a late approval of today', () => {
    const { journal, recovery } = today();
    const started = sale({ reference: 'B', baseline: { kind: 'record', record: late(4) } });
    journal.append(started, inDoubt(started), ended(started, 'approved', unreachable));
    expect(recovery.lateResult(late(8, { terminalDate: '1128' }))).toBe(false);
    expect(told(journal)).toEqual([['late_result_refused', 'B']]);
  });
});

describe('the next result in time', () => {
  it('follows on one that is kept and was acknowledged', () => {
    const all = withoutRecords();
    kept(all.journal, true);
    expect([12, 13].map((number) => of(all, number))).toEqual(['next', 'gap']);
  });

  it('does not follow on one that the terminal may have taken back', () => {
    const all = withoutRecords();
    kept(all.journal, false);
    expect(of(all, 12)).toBe('gap');
  });

  it('follows on one that is kept where the terminal says that it shows none', () => {
    const all = withoutRecords(unreadable);
    kept(all.journal, true);
    expect(of(all, 12)).toBe('next');
  });

  it('follows on a close that a person decided', () => {
    const all = withoutRecords();
    const started = batch({ baseline: shown(10) });
    const { operationId } = started;
    const result = late(11, { kind: 'batch_close' });
    all.journal.append(started, { type: 'result_received', operationId, result, late: false });
    all.journal.append({ type: 'result_acknowledged', operationId }, inDoubt(started));
    all.journal.append({ ...closed(started, []), result, resolvedBy });
    expect(of(all, 12)).toBe('next');
  });

  it('follows on refused attempts, also after a poll that could not be read', () => {
    const all = onTheRecordBefore();
    refuse(all, 11);
    all.recovery.observed(terminal, unreadable, 'anything');
    refuse(all, 12);
    expect(of(all, 13)).toBe('next');
  });

  it('follows on the newest of them, also where an earlier one came again', () => {
    const all = onTheRecordBefore();
    for (const number of [11, 12]) refuse(all, number);
    const inBetween = sale({ baseline: shown(10) });
    all.journal.append(inBetween, inDoubt(inBetween));
    all.recovery.lateResult(late(11, refused));
    all.recovery.observed(terminal, shown(10), 'anything');
    expect(all.journal.operation(inBetween.operationId)?.outcome).toBe('declined');
    expect(of(all, 13)).toBe('next');
  });
});

describe('the same result again', () => {
  it('is not of a newer payment where it came late before', () => {
    const { journal, recovery } = setUp();
    recovery.observed(terminal, unreadable, 'anything');
    decided(journal, 'approved', { reference: 'A', baseline: unreadable });
    expect(recovery.lateResult(late(11))).toBe(true);
    decided(journal, 'approved', { reference: 'B', baseline: unreadable });
    expect([11, 12].map((number) => recovery.lateResult(late(number)))).toEqual([true, true]);
    expect(told(journal)).toEqual([]);
  });

  it('is not of the one in doubt where a payment that a person decided was told it before', () => {
    const { recovery, journal } = withoutRecords();
    const before = kept(journal, true);
    // Of the same amount, and begun on the same record: the terminal has never shown another one.
    const next = sale({ baseline: shown(10) });
    journal.append(next, inDoubt(next));
    expect(recovery.lateResult(late(11))).toBe(true);
    expect(journal.operation(next.operationId)?.result).toBe(null);
    const events = journal.eventsOf(before.operationId).map(({ event }) => event);
    expect(events.at(-1)).toMatchObject({ type: 'late_result_received', accepted: true });
  });

  it.each<[string, TerminalRecord]>([
    ['a refusal: it looks like another one', late(10, { ...refused, receiptNumber: null })],
    [
      'a refusal without a number of its own',
      late(0, { ...refused, amountMinor: null, receiptNumber: null }),
    ],
    ['an approval without a time, whose number may have begun again', late(1, { terminalTime: null })],
  ])('is of the one in doubt where it is %s', (_, result) => {
    const { recovery, journal } = onTheRecordBefore();
    const before = sale({ baseline: shown(10) });
    journal.append(before, ended(before, result.approved ? 'approved' : 'declined', { result }));
    const next = sale({ baseline: shown(10) });
    journal.append(next, inDoubt(next));
    expect(recovery.lateResult(result)).toBe(true);
    expect(journal.operation(next.operationId)?.result).toMatchObject({ approved: result.approved });
  });
});

it('a late refusal without a number of its own says the opposite of "charged"', () => {
  const { recovery, journal } = withoutRecords();
  decided(journal, 'approved', { reference: 'B' });
  const refusal = late(0, { ...refused, amountMinor: null, receiptNumber: null });
  expect(recovery.lateResult(refusal)).toBe(false);
  expect(told(journal)).toEqual([['late_result_refused', 'B']]);
});

it('a refusal without a number of its own says nothing of a payment that the terminal itself has approved', () => {
  const { journal, recovery } = onTheRecordBefore();
  const started = sale({ baseline: shown(10) });
  journal.append(started, ended(started, 'approved', { result: late(11) }));
  expect(recovery.lateResult(late(0, { ...refused, amountMinor: null, receiptNumber: null }))).toBe(false);
  expect(told(journal)).toEqual([]);
});

function refuse({ journal, recordContinuity }: ReturnType<typeof setUp>, number: number): void {
  const started = sale({ baseline: shown(10) });
  const result = late(number, refused);
  journal.append(started);
  recordContinuity.noteRefusal(result);
  journal.append(ended(started, 'declined', { result }));
}

function onTheRecordBefore(all = setUp()) {
  all.recovery.observed(terminal, shown(10), 'anything');
  return all;
}
