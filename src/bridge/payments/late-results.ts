/**
 * Results that come without an order of ours waiting for them: of the operation in doubt, of one that has ended, or of none
 * that can be told. Only what is journaled is acknowledged; some terminals undo the rest, and somebody is told.
 */
import type { Clock } from '../../base/clock.ts';
import type { JournalEvent, OperationStarted, SaleStarted } from '../../contract/journal-events.ts';
import { otherTerminal } from '../../contract/other-terminal.ts';
import type { Currency } from '../../contract/money.ts';
import { agreeIfTold, type TerminalRecord } from '../../contract/terminal.ts';
import type { Journal, OperationRow } from '../journal/index.ts';
import { type Log, createLogThrottle } from '../../log/index.ts';
import type { TerminalProtocol } from '../terminals/terminal-driver.ts';
import {
  asJournalEvent,
  findingOfApprovalAfterRefusal,
  findingOfLateResult,
  findingOfNobodysPayment,
  findingOfSeveral,
  findingOfUnplacedResult,
} from './discrepancies.ts';
import { expectedBatch } from './batch.ts';
import { resultOfSeveral } from './discrepancy-messages.ts';
import type { EndedOperation, History } from './history.ts';
import { labelsOf } from './journal-writer.ts';
import { isOn } from './note-record.ts';
import { isDone, type OperationInput } from './operation-machine.ts';
import {
  belongsTo,
  isOfProtocol,
  isOtherApproval,
  isResultAgain,
  lateFor,
  mayAnswer,
  mayBeLateOf,
  saysTheSame,
} from './record-matching.ts';
import type { RecordContinuity } from './record-continuity.ts';
import type { RepeatedFindings } from './repeated-findings.ts';

/**
 * How many results that came after its end an operation keeps, of those that fit and of those that contradict: more than
 * any terminal repeats. Each is put on disk, so there has to be an end to them.
 */
const maxLateResults = 20;
/** The same for one that is in doubt, with those that came before it was. */
const maxResultsInDoubt = 100;
/** Of what somebody was told and has not acknowledged yet, so much is looked at before the same is told again. */
const maxToldLookedAt = 100;

export interface LateResults {
  /** See `DriverWatch.lateResult`. */
  take(record: TerminalRecord, isKeptUnder?: (terminalReference: string) => boolean): boolean;
}

export interface LateResultParts {
  journal: Journal;
  protocol: TerminalProtocol;
  recordContinuity: RecordContinuity;
  repeats: RepeatedFindings;
  history: History;
  log: Log;
  apply(operationId: string, ...inputs: OperationInput[]): boolean;
  append(...events: JournalEvent[]): boolean;
  rowsInDoubt(): OperationRow[];
  /** Of amounts that the terminal names without one. */
  currency: Currency;
  clock: Clock;
  uuid: () => string;
}

export const endNotWritten: OperationInput = {
  kind: 'interrupted',
  reason: 'Its end could not be written to the journal.',
};

export function createLateResults(parts: LateResultParts): LateResults {
  const { journal, protocol, repeats, history, log, apply, append, rowsInDoubt } = parts;
  const said = createLogThrottle(parts.clock);
  const undoes = protocol.undoesUnacknowledged === true;

  function resultsOf(row: OperationRow): number {
    return journal.eventsOf(row.operationId).filter(({ event }) => event.type === 'result_received').length;
  }

  /** A result for an operation that has ended: it may say the same and be acknowledged, but it decides nothing. */
  function afterEnd(late: TerminalRecord, isKeptUnder?: (terminalReference: string) => boolean): boolean {
    const { terminal } = journal.terminalState();
    const fitting = history
      .ended()
      .filter(
        (ended) =>
          isOn(terminal, ended) &&
          hasNumber(ended.operation, isKeptUnder) &&
          mayBeItsKind(ended.operation, late),
      );
    // What it names is the one, whatever ended since without a number.
    const named = fitting.find(({ operation }) => isNamed(operation, isKeptUnder));
    if (named?.operation.kind === 'sale' && late.approved && late.amountMinor === null)
      return afterEnd({ ...late, ...amountOf(named.operation) }, isKeptUnder);
    const candidates = named === undefined ? fitting : [named];
    const record = late;
    const ended = lateFor(
      candidates,
      record,
      protocol,
      // Nothing has been seen of the terminal since the operation began.
      (baseline, place) =>
        protocol.continuity(baseline, parts.recordContinuity.known()) === 'same' &&
        parts.recordContinuity.mayFollow(place),
    );
    if (ended === null) {
      const [newest] = candidates;
      if (newest !== undefined && mayBeLateOf(newest, record)) tellOnce(newest, record);
      else if (isFinalUnseen(record)) return tellOfNobodys(record, isKeptUnder);
      const due = said.due('belongs to none');
      if (due !== null)
        log.error('a result came that belongs to no operation; it is not acknowledged', { record, ...due });
      return false;
    }
    const { operationId, kind } = ended.operation;
    if (isKeptUnder === undefined && ended.result === null) {
      const others = stillOwed(kind, record).filter((one) => one.operation.operationId !== operationId);
      if (others.length > 0) return tellOfSeveral([...others, ended], null, record);
    }
    const accepted = record.approved === isDone(ended.outcome);
    const known = journal
      .eventsOf(operationId)
      .flatMap(({ event }) => (event.type === 'late_result_received' ? [event] : []));
    // Said again, it is answered again in the same way, and is no news.
    const same = known.find(({ result }) => saysTheSame(result, record));
    if (same !== undefined) return same.accepted;
    // Counted apart, so that no number of fitting ones hides the first that contradicts.
    if (known.filter((each) => each.accepted === accepted).length >= maxLateResults) {
      const due = said.due('too many');
      if (due !== null) {
        log.warn('one result after the other comes of an operation that has ended; no more are taken', {
          operation_id: operationId,
          ...due,
        });
      }
      return false;
    }
    log.warn(`a result came after its operation had ended; it is ${accepted ? '' : 'not '}acknowledged`, {
      operation_id: operationId,
      outcome: ended.outcome,
    });
    const received: JournalEvent = { type: 'late_result_received', operationId, result: record, accepted };
    if (accepted) return append(received);
    append(received, asJournalEvent(findingOfLateResult(ended, record, undoes), parts.uuid));
    return false;
  }

  /** The operation may be called done, and the terminal may undo what is not acknowledged. */
  function tellOnce(newest: EndedOperation, record: TerminalRecord): void {
    if (newest.discrepancies.includes('late_result_refused')) return;
    append(asJournalEvent(findingOfUnplacedResult(newest, record, undoes), parts.uuid));
  }

  /**
   * Operations of this kind that a person ended without anybody having seen that the terminal was done with them: as long as it
   * has answered nothing since, what it says without a name may be of one of them. A last record would show what they came to.
   */
  function stillOwed(kind: OperationStarted['kind'], record: TerminalRecord): EndedOperation[] {
    if (protocol.hasNoLastRecord !== true) return [];
    const ended = history.ended();
    const answered = ended.findIndex(({ result }) => result !== null);
    return (answered < 0 ? ended : ended.slice(0, answered)).filter(
      ({ endedUnseen, operation }) => endedUnseen && operation.kind === kind && mayAnswer(operation, record),
    );
  }

  /** It is taken for none of them, and all of them say so in the journal. `row`: the one that is in doubt, if one is. */
  function tellOfSeveral(ended: EndedOperation[], row: OperationRow | null, record: TerminalRecord): false {
    if (row !== null && row.phase !== 'in_doubt' && !apply(row.operationId, endNotWritten)) return false;
    // The amount may be that of whichever was waited for, so it says nothing.
    const told = { ...record, amountMinor: null, currency: null };
    const operations = [...ended.map(({ operation }) => operation), ...(row === null ? [] : [row.started])];
    const news: JournalEvent[] = ended
      .filter(({ outcome }) => told.approved !== isDone(outcome))
      .filter(({ discrepancies }) => !discrepancies.includes('late_result_refused'))
      .map((one) => asJournalEvent(findingOfSeveral(one, operations, told), parts.uuid));
    if (row !== null) {
      const { operationId, needsDecision } = row;
      const explanation = resultOfSeveral(operations, told);
      const lastRecord = { kind: 'unavailable', reason: 'a result that names no payment came late' } as const;
      const evidence = { lastRecord, explanation };
      // Whether a person is needed, the terminal may still show.
      const found = { operationId, evidence, needsPerson: needsDecision, idle: false } as const;
      const event = { type: 'evidence_found', ...found } as const;
      if (!repeats.isRepeat(event)) news.push(event);
    }
    if (news.length === 0) return false;
    const newest = row?.started ?? operations[0];
    log.warn('a result came late that names no payment, and may be of several; it counts for none', {
      ...(newest === undefined ? {} : labelsOf(newest)),
      record: told,
    });
    append(...news);
    return false;
  }

  /** Nothing takes it back, whatever we acknowledge, and no last record will show it. */
  function isFinalUnseen({ kind, approved }: TerminalRecord): boolean {
    return protocol.hasNoLastRecord === true && approved && kind === 'payment';
  }

  /** Such a terminal calls a payment one; others send a void's result in the same form. */
  function mayBeItsKind({ kind }: OperationStarted, record: TerminalRecord): boolean {
    return kind !== 'void' || !isFinalUnseen(record);
  }

  /** A payment that belongs to no operation stands all the same. */
  function tellOfNobodys(
    record: TerminalRecord,
    isKeptUnder?: (terminalReference: string) => boolean,
  ): false {
    const isUnnamed = isKeptUnder === undefined;
    const owed = isUnnamed ? stillOwed('sale', record) : [];
    if (owed.length > 0) return tellOfSeveral(owed, null, record);
    // It names one that is in doubt, and tells too little of it: the terminal is asked about that one.
    if (journal.openOperations().some(({ started }) => isNamed(started, isKeptUnder))) return false;
    const ours = [
      ...history.ended().flatMap(({ result, late }) => [result, late]),
      ...expectedBatch(journal).map(({ result }) => result),
      ...journal.openDiscrepancies(maxToldLookedAt).map((told) => told.record),
    ];
    if (ours.some((one) => one !== null && isSameApproval(one, record))) return false;
    // With nothing that says otherwise it is perhaps the one that is in doubt, and somebody looks at that one.
    const isWaitedFor = journal.openOperations().some(({ kind }) => kind === 'sale');
    if (isUnnamed && record.amountMinor === null && isWaitedFor) {
      log.warn('a payment was reported that says neither amount nor reference, while a sale is open', {
        record,
      });
      return false;
    }
    append(asJournalEvent(findingOfNobodysPayment(record, parts.currency), parts.uuid));
    return false;
  }

  /** It was refused, and is then reported as approved: nothing takes that back, and the doubt may end by the refusal. */
  function tellOfApprovalAfterRefusal({ operationId, started }: OperationRow, record: TerminalRecord): void {
    const isTold = journal
      .eventsOf(operationId)
      .some(({ event }) => event.type === 'discrepancy_found' && event.kind === 'contradicted_outcome');
    if (!isTold) append(asJournalEvent(findingOfApprovalAfterRefusal(started, record), parts.uuid));
  }

  /** Of the terminal that a result came from. One that does not say it came from the one that was seen last. */
  function idsOf(record: TerminalRecord): string[] {
    const id = record.terminalId ?? journal.terminalState().terminal?.terminalId ?? null;
    return id === null ? [] : [id];
  }

  return {
    take(record, isKeptUnder) {
      const connected = idsOf(record);
      const isOfEnded = history.ended().some((ended) => isResultAgain(ended, record));
      const row = rowsInDoubt().find(
        (one) =>
          !isOfEnded &&
          isOfProtocol(one.started, protocol) &&
          hasNumber(one.started, isKeptUnder) &&
          mayBeItsKind(one.started, record) &&
          belongsTo(one.started, record) &&
          !isOtherApproval(one.result, record) &&
          otherTerminal(one.started, one.result, connected) === null,
      );
      if (row === undefined) return afterEnd(record, isKeptUnder);
      const owed = isKeptUnder === undefined && row.result === null ? stillOwed(row.kind, record) : [];
      if (owed.length > 0 && mayAnswer(row.started, record)) return tellOfSeveral(owed, row, record);
      // What it refused it cannot approve later: this is somebody else's, or will be undone when it is not accepted.
      if (record.approved && row.result?.approved === false) {
        if (isFinalUnseen(record)) tellOfApprovalAfterRefusal(row, record);
        log.warn(
          'recovery: an approval came late of what had been refused; it is not acknowledged',
          labelsOf(row),
        );
        return false;
      }
      if (resultsOf(row) >= maxResultsInDoubt) {
        const due = said.due('too many in doubt');
        if (due !== null)
          log.warn('recovery: one result after the other comes late; no more are taken', {
            ...labelsOf(row),
            ...due,
          });
        return false;
      }
      log.info('recovery: a result came late', labelsOf(row));
      return apply(row.operationId, ...intoDoubt(row), { kind: 'result', record, late: true });
    },
  };
}

function intoDoubt({ phase }: OperationRow): OperationInput[] {
  return phase === 'in_doubt' ? [] : [endNotWritten];
}

/** The numbers of the same approval, which a terminal may send more than once. */
function isSameApproval(one: TerminalRecord, other: TerminalRecord): boolean {
  return (
    (one.receiptNumber ?? one.approvalCode) !== null &&
    one.receiptNumber === other.receiptNumber &&
    one.approvalCode === other.approvalCode &&
    agreeIfTold(one.batchNumber, other.batchNumber) &&
    agreeIfTold(one.terminalId, other.terminalId)
  );
}

/** What names the payment by its number need not tell its amount again. */
function amountOf({ amountMinor, currency }: SaleStarted): Pick<TerminalRecord, 'amountMinor' | 'currency'> {
  return { amountMinor, currency };
}

/** A result that names a number of ours is of no operation that was ordered under another one. */
function hasNumber(
  started: OperationStarted,
  isKeptUnder: ((terminalReference: string) => boolean) | undefined,
): boolean {
  if (isKeptUnder === undefined) return true;
  // A close is kept under none.
  if (started.kind === 'batch_close') return false;
  return started.terminalReference === undefined || isKeptUnder(started.terminalReference);
}

function isNamed(
  started: OperationStarted,
  isKeptUnder: ((terminalReference: string) => boolean) | undefined,
): boolean {
  if (isKeptUnder === undefined || started.kind === 'batch_close') return false;
  return started.terminalReference !== undefined && isKeptUnder(started.terminalReference);
}
