/** Recovery on a real journal and with the rules of evidence of ZVT; the test says what the terminal shows. */
import { describe, expect, it } from 'vitest';
import { withoutRepeats } from '../../../src/bridge/payments/repeated-findings.ts';
import { seenIdle } from '../../../src/bridge/payments/seen-idle.ts';
import { reconcileOwnRecord } from '../../../src/bridge/terminals/own-record.ts';
import type { LookUp } from '../../../src/bridge/terminals/terminal-driver.ts';
import type { Journal } from '../../../src/bridge/journal/journal.ts';
import type { JournalEvent, JournalEventOf } from '../../../src/contract/journal-events.ts';
import type { OperationOutcome } from '../../../src/contract/operation.ts';
import type { TerminalRecord } from '../../../src/contract/terminal.ts';
import { batch, ended, inDoubt, record, sale, terminal, voidOf } from '../journal/sample-events.ts';
import { setUp, shown, unreadable } from './recovery-kit.ts';

describe('what the terminal says of one operation', () => {
  const onlyWhenAsked = { hasNoLastRecord: true, reconcile: reconcileOwnRecord } as const;

  function setUpAsked() {
    const all = setUp(onlyWhenAsked);
    const { recovery, journal } = all;
    recovery.observed(terminal, unreadable, 'anything');
    const started = sale({ baseline: unreadable });
    const { operationId } = started;
    journal.append(started, { type: 'operation_in_doubt', operationId, reason: 'silence' });
    const observe = (found: LookUp) =>
      recovery.observed(terminal, unreadable, 'anything', new Map([[operationId, found]]));
    const row = () => [journal.payment(operationId)?.status, journal.operation(operationId)?.needsDecision];
    const asked = (byPerson: boolean) =>
      recovery.toLookUp(byPerson).map(({ operation }) => operation.operationId);
    return { ...all, operationId, observe, row, asked };
  }

  it('ends it, whatever the terminal shows else', () => {
    const { observe, row, journal } = setUpAsked();
    const before = journal.terminalState().epoch;
    expect(observe(shown(99))).toBe('finished');
    expect(row()).toEqual(['approved', false]);
    expect(journal.terminalState()).toMatchObject({ epoch: before, lastRecord: unreadable });
  });

  it('keeps everybody waiting while the terminal is at it', () => {
    const { observe, row, asked, operationId } = setUpAsked();
    expect(observe({ kind: 'pending', text: 'the customer pays' })).toBe('again');
    expect(row()).toEqual(['unknown', false]);
    expect(asked(false)).toEqual([operationId]);
    expect(observe({ kind: 'empty' })).toBe('finished');
    expect(row()).toEqual(['failed', false]);
  });

  it('is asked for again by a person only, once a person has to decide', () => {
    const { observe, row, asked, operationId } = setUpAsked();
    expect(observe(unreadable)).toBe('finished');
    expect(row()).toEqual(['unknown', true]);
    expect([asked(false), asked(true)]).toEqual([[], [operationId]]);
    expect(observe(shown(99))).toBe('finished');
    expect(row()).toEqual(['approved', false]);
  });

  it('comes with what the open batch holds of ours, by the terminal’s numbers', () => {
    const { recovery, journal } = setUp(onlyWhenAsked);
    recovery.observed(terminal, unreadable, 'anything');
    const numbered = (terminalReference: string) => sale({ baseline: unreadable, terminalReference });
    const end = (started: ReturnType<typeof sale>, outcome: 'approved' | 'declined') =>
      journal.append(started, ended(started, outcome, outcome === 'approved' ? { result: record() } : {}));
    end(numbered('FIRST1'), 'approved');
    end(sale({ baseline: unreadable }), 'approved');
    end(numbered('LOST02'), 'declined');
    const doubt = sale({ baseline: unreadable });
    journal.append(doubt, {
      type: 'operation_in_doubt',
      operationId: doubt.operationId,
      reason: 'silence',
    });
    // It can be there only where a damaged journal has lost an end, and says nothing of a batch closed in between.
    end(numbered('LATER3'), 'approved');
    expect(recovery.toLookUp(false)).toMatchObject([{ unsettled: ['FIRST1'] }]);
  });

  it('is no boundary, however often the line is lost', () => {
    const { recovery, journal } = setUpAsked();
    const { epoch } = journal.terminalState();
    for (const round of [1, 2]) {
      recovery.connectionLost(`round ${round}`);
      recovery.observed(terminal, unreadable, 'anything');
    }
    expect(journal.terminalState().epoch).toBe(epoch);
  });
});

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

  it('is told where it could be the one in doubt, but came after another record had left that to a person', () => {
    const { recovery, journal, doubt } = setUp();
    const { status } = doubt();
    recovery.observed(terminal, shown(13), 'anything');
    const kinds = () => journal.openDiscrepancies(10).map(({ kind }) => kind);
    expect(kinds()).toEqual(['unseen_records']);
    for (const later of [shown(14), shown(14)]) recovery.observed(terminal, later, 'anything');
    expect(kinds()).toEqual(['unseen_records', 'unexplained_payment']);
    expect(status()).toBe('unknown');
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

describe('a terminal that shows no record, and tells its id with a result that decides nothing', () => {
  const identity = (terminalId: string | null) => ({ ...terminal, terminalId });

  function afterDoubt() {
    const all = setUp({ hasNoLastRecord: true });
    const { recovery, journal } = all;
    recovery.observed(identity(null), unreadable, 'anything');
    const paid = sale({ reference: 'A-1', terminal: identity(null), baseline: unreadable });
    const result = record({ terminalId: '68000001', traceNumber: null });
    const resolvedBy = { name: 'Manager', reason: 'Looked at the terminal.' };
    journal.append(paid, inDoubt(paid), ended(paid, 'approved', { result, resolvedBy }));
    recovery.observed(identity('68000001'), unreadable, 'anything');
    return all;
  }

  it('is known by it from then on, on the connection that lives', () => {
    const { journal, recovery } = afterDoubt();
    expect(journal.terminalState().terminal?.terminalId).toBe('68000001');
    const head = journal.lastSeq();
    recovery.observed(identity('68000001'), unreadable, 'anything');
    expect(journal.lastSeq()).toBe(head);
  });

  it('is another one when another id is told in that way: what is not settled on the one before is named', () => {
    const { journal, recovery } = afterDoubt();
    recovery.observed(identity('68000002'), unreadable, 'anything');
    expect(journal.terminalState().terminal?.terminalId).toBe('68000002');
    expect(journal.openDiscrepancies(10, 0)).toMatchObject([
      { kind: 'changed_terminal', references: ['A-1'] },
    ]);
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

  it('is not where the operation has told its result already, and this one has another number', () => {
    const { recovery, journal, doubt } = setUp();
    const { started } = doubt();
    const result = () => journal.operation(started.operationId)?.result;
    expect(recovery.lateResult(late())).toBe(true);
    // A payment by hand of the same amount, which the terminal shows as if it were ours.
    expect(recovery.lateResult(late({ traceNumber: '000012', receiptNumber: '0012' }))).toBe(false);
    expect(result()).toMatchObject({ traceNumber: '000011' });
    // Its own may come again, however its number is written.
    expect(recovery.lateResult(late({ traceNumber: '11' }))).toBe(true);
  });

  it('is of the number of ours that it names, and of no other with the same amount', () => {
    const { recovery, journal, doubt } = setUp();
    const { started, status } = doubt('A1B2C3');
    const of = (ticket: string) => (ours: string) => ours === ticket;
    expect(recovery.lateResult(late(), of('X7Y8Z9'))).toBe(false);
    expect(journal.operation(started.operationId)?.result).toBe(null);
    expect(recovery.lateResult(late(), of('A1B2C3'))).toBe(true);
    // Where the operation has ended, it is the same.
    recovery.observed(terminal, shown(11), 'anything');
    expect(status()).toBe('approved');
    expect(recovery.lateResult(late(), of('X7Y8Z9'))).toBe(false);
  });

  it.each([
    [
      'is told where the terminal keeps it, and shows no last record',
      true,
      [['contradicted_outcome', ['A-1'], 'A-1']],
    ],
    ['is left to the terminal, which undoes it, where it shows one', false, []],
  ] as const)('that approves what had been refused %s', (_what, keeps, expected) => {
    const { recovery, journal } = setUp(keeps ? { hasNoLastRecord: true } : {});
    recovery.observed(terminal, unreadable, 'anything');
    const started = sale({ reference: 'A-1', baseline: unreadable });
    const { operationId } = started;
    const result = late({ approved: false, resultCode: '6c' });
    journal.append(started, { type: 'result_received', operationId, result, late: false }, inDoubt(started));
    expect([recovery.lateResult(late()), recovery.lateResult(late())]).toEqual([false, false]);
    const found = journal.openDiscrepancies(10, 0);
    expect(
      found.map(({ kind, references, message }) => [
        kind,
        references,
        /had refused payment (\S+),/.exec(message)?.[1],
      ]),
    ).toEqual(expected);
  });

  it('of nobody is told once where the terminal keeps it and shows no last record', () => {
    const { recovery, journal } = setUp({ hasNoLastRecord: true });
    recovery.observed(terminal, unreadable, 'anything');
    for (const number of [11, 12, 11])
      expect(recovery.lateResult(late({ receiptNumber: String(number) }), () => false)).toBe(false);
    const found = journal.openDiscrepancies(10, 0);
    expect(found.map(({ kind, record: told }) => [kind, told?.receiptNumber])).toEqual([
      ['unexplained_payment', '11'],
      ['unexplained_payment', '12'],
    ]);
  });

  it('of nobody is the terminal’s to undo where it shows a last record', () => {
    const { recovery, journal } = setUp();
    recovery.observed(terminal, unreadable, 'anything');
    expect(recovery.lateResult(late(), () => false)).toBe(false);
    expect(journal.openDiscrepancyCount()).toBe(0);
  });

  describe('that names no payment, from a terminal that shows no last record', () => {
    const unseen = {
      resolvedBy: { name: 'Manager', reason: 'Looked at the terminal.', terminalUnreachable: true as const },
    };
    type End = [outcome: OperationOutcome, more?: Partial<JournalEventOf<'operation_ended'>>];

    /** Payments and so on that have ended so, and the next one, which is in doubt. */
    function afterThese(...ends: End[]) {
      const all = setUp({ hasNoLastRecord: true });
      const { journal, recovery } = all;
      recovery.observed(terminal, unreadable, 'anything');
      const before = ends.map(([outcome, more], at) => {
        const one = sale({ reference: `A-${at + 1}`, baseline: unreadable });
        journal.append(one, inDoubt(one), ended(one, outcome, more ?? unseen));
        return one;
      });
      const ours = sale({ reference: `A-${ends.length + 1}`, baseline: unreadable });
      journal.append(ours, inDoubt(ours));
      const told = () =>
        journal
          .eventsOf(ours.operationId)
          .flatMap(({ event }) => (event.type === 'evidence_found' ? [event] : []));
      const findings = () =>
        journal
          .openDiscrepancies(10, 0)
          .map(({ kind, references, record: shownRecord }) => [kind, references, shownRecord?.amountMinor]);
      return { ...all, before, ours, told, findings };
    }
    const unnamed = (more: Partial<TerminalRecord> = {}) => late({ traceNumber: null, ...more });

    it('counts for none, where a person ended one before without anybody having seen the terminal idle', () => {
      const { recovery, journal, ours, told, findings } = afterThese(['failed']);
      expect(recovery.lateResult(unnamed())).toBe(false);
      expect(journal.operation(ours.operationId)).toMatchObject({ result: null, needsDecision: false });
      expect(told().map(({ evidence }) => evidence.explanation)).toEqual([
        'The terminal reported late that something was charged (receipt 0011). That may have been one of the payments A-1, ' +
          'A-2: its answer does not say which, so it counts for none of them. Look at the terminal’s last receipts.',
      ]);
      expect(findings()).toEqual([['late_result_refused', ['A-1'], null]]);
      // Said again, it is no news.
      expect(recovery.lateResult(unnamed())).toBe(false);
      expect([told().length, findings().length]).toEqual([1, 1]);
    });

    it('does not say that the terminal is done with the one in doubt', () => {
      const { recovery, journal, ours } = afterThese(['failed']);
      recovery.lateResult(unnamed());
      expect(seenIdle(journal.eventsOf(ours.operationId))).toBe(false);
      expect(recovery.toLookUp(false)).toHaveLength(1);
    });

    it('is told of each that it contradicts', () => {
      const { recovery, told, findings } = afterThese(['failed'], ['approved'], ['failed']);
      recovery.lateResult(unnamed());
      expect(told()[0]?.evidence.explanation).toContain('A-3, A-2, A-1, A-4');
      expect(findings().map(([, references]) => references)).toEqual([['A-3'], ['A-1']]);
    });

    it('is told to whoever decides the one in doubt, where it says what was decided of the others', () => {
      const { recovery, told, findings } = afterThese(['failed']);
      recovery.lateResult(unnamed({ approved: false, resultText: 'Declined' }));
      expect(told()[0]?.evidence.explanation).toContain('it had refused something (Declined)');
      expect(findings()).toEqual([]);
    });

    it('counts for none either once the last of them has been decided', () => {
      const { recovery, journal, ours, findings } = afterThese(['failed']);
      const seen = { resolvedBy: { name: 'Manager', reason: 'Looked at the terminal.' } };
      journal.append(ended(ours, 'approved', seen));
      expect(recovery.lateResult(unnamed())).toBe(false);
      expect(findings()).toEqual([['late_result_refused', ['A-1'], null]]);
    });

    it('is taken for none where that could not be written', () => {
      const { recovery, before, journal, findings, failing } = afterThese(['failed']);
      failing.now = true;
      expect(recovery.lateResult(unnamed())).toBe(false);
      expect(findings()).toEqual([]);
      failing.now = false;
      recovery.lateResult(unnamed());
      expect(findings()).toEqual([['late_result_refused', [before[0]?.reference], null]]);
      expect(journal.openOperations()).toHaveLength(1);
    });

    const answered = { result: record({ traceNumber: null }) };
    it.each<[string, End, Partial<TerminalRecord>, (() => boolean) | undefined]>([
      ['names it', ['failed', unseen], {}, () => true],
      [
        'comes where the terminal was seen idle behind the others',
        ['failed', { resolvedBy: null }],
        {},
        undefined,
      ],
      [
        'comes where the terminal has answered since',
        ['approved', { ...answered, ...unseen }],
        {},
        undefined,
      ],
    ])('is that of the one in doubt where it %s', (_, end, more, isKeptUnder) => {
      const { recovery, journal, ours, findings } = afterThese(end);
      expect(recovery.lateResult(unnamed(more), isKeptUnder)).toBe(true);
      expect(journal.operation(ours.operationId)?.result).toMatchObject({ receiptNumber: '0011' });
      expect(findings()).toEqual([]);
    });

    it('is that of the one in doubt where another terminal tells it than the one before', () => {
      const { recovery, journal, findings } = setUpExchanged();
      const nameless = { ...terminal, terminalId: null };
      const ours = sale({ reference: 'B-1', terminal: nameless, baseline: unreadable });
      journal.append(ours, inDoubt(ours));
      expect(recovery.lateResult(unnamed({ terminalId: '68000002' }))).toBe(true);
      expect(findings()).toEqual([]);
    });

    function setUpExchanged() {
      const all = setUp({ hasNoLastRecord: true });
      all.recovery.observed(terminal, unreadable, 'anything');
      const before = sale({ reference: 'A-1', baseline: unreadable });
      all.journal.append(before, inDoubt(before), ended(before, 'failed', unseen));
      return { ...all, findings: () => all.journal.openDiscrepancies(10, 0) };
    }

    it('of a void is of the one whose receipt it tells', () => {
      const { recovery, journal } = setUp({ hasNoLastRecord: true });
      const payments = ['0092', '0093'].map((receiptNumber) => ({
        paid: sale({ baseline: unreadable }),
        receiptNumber,
      }));
      const [first, second] = payments.map(({ paid, receiptNumber }) => {
        journal.append(paid, ended(paid, 'approved', { result: record({ receiptNumber }) }));
        return voidOf(paid, { receiptNumber, traceNumber: null });
      });
      if (first === undefined || second === undefined) throw new Error('there are two');
      journal.append(first, inDoubt(first), ended(first, 'not_voided', unseen), second, inDoubt(second));
      const reversal = { kind: 'reversal' as const, receiptNumber: '0093', amountMinor: second.amountMinor };
      expect(recovery.lateResult(unnamed(reversal))).toBe(true);
      expect(journal.openDiscrepancies(10, 0)).toEqual([]);
    });

    it('may tell no amount where it names a payment that has ended, also behind a close', () => {
      const { recovery, journal } = setUp({ hasNoLastRecord: true });
      recovery.observed(terminal, unreadable, 'anything');
      const before = sale({ reference: 'A-1', baseline: unreadable, terminalReference: 'A1B2C3' });
      const close = batch();
      journal.append(
        before,
        inDoubt(before),
        ended(before, 'failed', unseen),
        close,
        ended(close, 'not_closed'),
      );
      const unknownAmount = unnamed({ amountMinor: null, currency: null });
      expect(recovery.lateResult(unknownAmount, (ours) => ours === 'A1B2C3')).toBe(false);
      expect(journal.openDiscrepancies(10, 0)).toMatchObject([
        { kind: 'late_result_refused', references: ['A-1'] },
      ]);
    });
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

describe('the same finding again', () => {
  const approval = record({ resultCode: '00', terminalId: terminal.terminalId, traceNumber: '000011' });

  /** A doubt with an approving result, of a terminal that still shows the record from before: looked at for ever. */
  function undecidable() {
    const all = setUp();
    const { started } = all.doubt();
    all.journal.append({
      type: 'result_received',
      operationId: started.operationId,
      result: approval,
      late: true,
    });
    const findings = () =>
      all.journal.eventsOf(started.operationId).filter(({ event }) => event.type === 'evidence_found');
    return { ...all, started, findings };
  }

  it('is journaled and logged once, and counted with its last time', async () => {
    const { journal, recovery, repeats, clock, warnings, started, findings } = undecidable();
    for (let look = 0; look < 4; look += 1) {
      recovery.observed(terminal, shown(10), 'anything');
      await clock.advance(30_000);
    }
    expect(findings()).toHaveLength(1);
    expect(warnings.filter(({ message }) => message.startsWith('recovery'))).toHaveLength(1);
    const seq = findings()[0]?.seq ?? 0;
    const [again] = repeats.of(started.operationId).values();
    expect(again).toMatchObject({ seq, count: 3, lastAt: new Date(clock.now() - 30_000).toISOString() });
    const { facts } = withoutRepeats(journal.eventsOf(started.operationId), new Map());
    expect(facts.map(({ event }) => event.type)).toEqual(
      journal.eventsOf(started.operationId).map(({ event }) => event.type),
    );
  });

  it('is written again when something has happened in between', () => {
    const { journal, recovery, started, findings } = undecidable();
    recovery.observed(terminal, shown(10), 'anything');
    journal.append({ type: 'cancel_requested', operationId: started.operationId });
    recovery.observed(terminal, shown(10), 'anything');
    expect(findings()).toHaveLength(2);
  });

  it('has an end where a terminal finds new words each time', () => {
    const { recovery, findings } = undecidable();
    const told = (clock: number) => shown(10, { hostResponseText: `word ${clock}` });
    for (let look = 0; look < 30; look += 1) recovery.observed(terminal, told(look), 'nothing');
    expect(findings()).toHaveLength(20);
  });

  it('is folded in a journal that has it many times', () => {
    const { journal, started, findings } = undecidable();
    const found = {
      type: 'evidence_found',
      operationId: started.operationId,
      evidence: { lastRecord: shown(10), explanation: 'nothing new' },
      needsPerson: true,
    } as const;
    const other = { ...found, idle: false } as const;
    journal.append(found, found, other, found);
    const { facts, repeats } = withoutRepeats(journal.eventsOf(started.operationId), new Map());
    const [first, , third, last] = findings();
    expect(facts.filter(({ event }) => event.type === 'evidence_found')).toEqual([first, third]);
    expect(repeats).toEqual([{ seq: first?.seq, count: 2, lastAt: last?.at }]);
  });
});

describe('another terminal on the line', () => {
  const other = { protocol: 'zvt', terminalId: '99900001' } as const;
  const ofOther = (number: number) => shown(number, { terminalId: other.terminalId });

  it.each([
    ['a record that fits', ofOther(11)],
    ['the very record from before', ofOther(10)],
    ['no record', { kind: 'empty' } as const],
    ['nothing that can be read', unreadable],
  ])('proves nothing about what was begun on the one before, nor that it is idle: %s', (_, lastRecord) => {
    const { recovery, journal, doubt } = setUp();
    const { started, status, needsDecision } = doubt();
    for (let look = 0; look < 3; look += 1) recovery.observed(other, lastRecord, 'anything');
    expect([status(), needsDecision()]).toEqual(['unknown', true]);
    const events = journal.eventsOf(started.operationId);
    expect(seenIdle(events)).toBe(false);
    const found = events.flatMap(({ event }) => (event.type === 'evidence_found' ? [event] : []));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({
      idle: false,
      otherTerminal: { expected: terminal.terminalId, connected: other.terminalId },
      evidence: { lastRecord: { kind: 'unavailable' } },
    });
    // Its own terminal is back, and is believed as if nothing had been in between.
    recovery.observed(terminal, shown(11), 'anything');
    expect(status()).toBe('approved');
  });

  it('sends no late result for it, whether it names itself or not', () => {
    const { recovery, journal, doubt } = setUp();
    const { started, status } = doubt();
    recovery.observed(other, ofOther(3), 'anything');
    const result = record({ resultCode: '00', traceNumber: '000011', receiptNumber: '0011' });
    expect(recovery.lateResult({ ...result, terminalId: null })).toBe(false);
    expect(recovery.lateResult({ ...result, terminalId: other.terminalId })).toBe(false);
    expect(journal.operation(started.operationId)?.result).toBe(null);
    expect(status()).toBe('unknown');
    expect(recovery.lateResult({ ...result, terminalId: terminal.terminalId })).toBe(true);
  });

  it('proves as little where an older version wrote it down', () => {
    const { journal, recovery, doubt } = setUp();
    const { started, status } = doubt();
    const found = {
      type: 'evidence_found',
      operationId: started.operationId,
      evidence: { lastRecord: ofOther(13), explanation: 'Another terminal answers on this line now.' },
      needsPerson: true,
    } as const;
    journal.append(found);
    expect(seenIdle(journal.eventsOf(started.operationId))).toBe(false);
    recovery.observed(terminal, unreadable, 'anything');
    recovery.observed(terminal, shown(11), 'anything');
    expect(status()).toBe('approved');
  });
});
